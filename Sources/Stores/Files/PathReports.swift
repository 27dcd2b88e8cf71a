#if os(Linux)
  import Glibc
  import Synchronization

  /// Reads inotify reports, and decides which of them concern the watched files or folders.
  final class PathReports: Sendable {
    let descriptor: Int32
    /// The end of a pipe. Writing to it wakes the thread of the watcher, and closing it ends the
    /// thread.
    private let waker: Int32
    private let subject: PathWatcher.Subject
    private let names: Set<String>
    /// The watch descriptor of the containing folder; nil if the folder is not watched.
    private let folder: Int32?
    private let state = Mutex(State())

    private struct State {
      /// Whether a program finished a change that was not taken yet.
      var hasFinishedChange = false
      var isStopped = false
    }

    private static let written =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
      | UInt32(IN_DELETE) | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_DELETE_SELF)
    private static let replaced =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_DELETE_SELF)
    private static let named =
      UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
    /// The reports after which a program does not write to the file any more, or reports were lost.
    private static let finished =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM) | UInt32(IN_DELETE)
      | UInt32(IN_MOVE_SELF) | UInt32(IN_DELETE_SELF) | UInt32(IN_Q_OVERFLOW)

    /// Starts watching. Returns nil if a system call fails; the error is in `errno`.
    init?(_ descriptor: Int32, _ subject: PathWatcher.Subject, waker: Int32) {
      (self.descriptor, self.subject, names) = (descriptor, subject, subject.names)
      self.waker = waker
      let number = inotify_add_watch(descriptor, subject.folder, Self.named)
      // Even if a folder cannot be listed, its files can be watched.
      folder = number < 0 ? nil : number
      if !watchPaths() { return nil }
    }

    /// Adds watches for the existing paths; repeated calls have no effect.
    private func watchPaths() -> Bool {
      var isComplete = true
      for path in subject.paths where inotify_add_watch(descriptor, path, Self.written) < 0 {
        // A path may be missing if the folder is watched, because the folder reports when the path
        // appears.
        if folder == nil || errno != ENOENT { isComplete = false }
      }
      return isComplete
    }

    /// Reads all waiting reports, and returns whether any of them concerns the watched paths.
    func drain() -> Bool {
      state.withLock { drain(&$0) }
    }

    /// Returns whether a program finished a change of the watched paths since the last call.
    ///
    /// Reports that this call reads wake the thread of the watcher.
    func takeFinishedChange() -> Bool {
      state.withLock { state in
        guard !state.isStopped else { return false }
        if drain(&state) {
          var byte: UInt8 = 0
          _ = write(waker, &byte, 1)
        }
        defer { state.hasFinishedChange = false }
        return state.hasFinishedChange
      }
    }

    /// Ends the thread of the watcher.
    func stop() {
      end()
      close(waker)
    }

    /// Reads no more reports, because the thread of the watcher ends.
    func end() {
      state.withLock { $0.isStopped = true }
    }

    private func drain(_ state: inout State) -> Bool {
      var isConcerned = false
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          if count <= 0 { return }
          let concern = concern(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
          if concern != 0 { isConcerned = true }
          if concern & Self.finished != 0 { state.hasFinishedChange = true }
        }
      }
      return isConcerned
    }

    /// Parses reports, and returns the union of the masks that concern the watched paths.
    ///
    ///     number · mask · cookie · length     four bytes each
    ///     name, if the length is not 0        ends with zeros
    private func concern(_ reports: UnsafeRawBufferPointer) -> UInt32 {
      var concern: UInt32 = 0
      var position = 0
      while position + 16 <= reports.count {
        let number = reports.loadUnaligned(fromByteOffset: position, as: Int32.self)
        let mask = reports.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
        let length = Int(reports.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
        let end = min(position + 16 + length, reports.count)
        if number == folder, length > 0 {
          let bytes = reports[position + 16..<end].prefix { $0 != 0 }
          if names.contains(String(decoding: bytes, as: UTF8.self)) {
            // The new file must be watched, too.
            _ = watchPaths()
            concern |= mask
          }
        } else {
          // The report is about the paths themselves, or about a queue overflow that lost reports.
          concern |= mask
          // Replaced and new files must be watched, too.
          if folder != nil, mask & Self.replaced != 0 { _ = watchPaths() }
        }
        position = end
      }
      return concern
    }
  }
#endif
