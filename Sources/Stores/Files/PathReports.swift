#if os(Linux)
  import Glibc

  /// Reads inotify reports, and decides which of them concern the watched files or folders.
  struct PathReports: Sendable {
    let descriptor: Int32
    private let subject: PathWatcher.Subject
    private let names: Set<String>
    /// The watch descriptor of the containing folder; nil if the folder is not watched.
    private let folder: Int32?

    private static let written =
      UInt32(IN_CLOSE_WRITE) | UInt32(IN_MODIFY) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)
      | UInt32(IN_DELETE) | UInt32(IN_CREATE) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_DELETE_SELF)
    private static let replaced =
      UInt32(IN_CREATE) | UInt32(IN_MOVED_TO) | UInt32(IN_ATTRIB) | UInt32(IN_MOVE_SELF)
      | UInt32(IN_DELETE_SELF)
    private static let named =
      UInt32(IN_CREATE) | UInt32(IN_DELETE) | UInt32(IN_MOVED_TO) | UInt32(IN_MOVED_FROM)

    /// Starts watching. Returns nil if a system call fails; the error is in `errno`.
    init?(_ descriptor: Int32, _ subject: PathWatcher.Subject) {
      (self.descriptor, self.subject, names) = (descriptor, subject, subject.names)
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
      var isConcerned = false
      withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 8) { buffer in
        while true {
          let count = read(descriptor, buffer.baseAddress, buffer.count)
          if count <= 0 { return }
          if concerns(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { isConcerned = true }
        }
      }
      return isConcerned
    }

    /// Parses reports, and returns whether any of them concerns the watched paths.
    ///
    ///     number · mask · cookie · length     four bytes each
    ///     name, if the length is not 0        ends with zeros
    private func concerns(_ reports: UnsafeRawBufferPointer) -> Bool {
      var isConcerned = false
      var position = 0
      while position + 16 <= reports.count {
        let number = reports.loadUnaligned(fromByteOffset: position, as: Int32.self)
        let length = Int(reports.loadUnaligned(fromByteOffset: position + 12, as: UInt32.self))
        let end = min(position + 16 + length, reports.count)
        if number == folder, length > 0 {
          let bytes = reports[position + 16..<end].prefix { $0 != 0 }
          if names.contains(String(decoding: bytes, as: UTF8.self)) {
            // The new file must be watched, too.
            _ = watchPaths()
            isConcerned = true
          }
        } else {
          // The report is about the paths themselves, or about a queue overflow that lost reports.
          isConcerned = true
          // Replaced and new files must be watched, too.
          let mask = reports.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
          if folder != nil, mask & Self.replaced != 0 { _ = watchPaths() }
        }
        position = end
      }
      return isConcerned
    }
  }
#endif
