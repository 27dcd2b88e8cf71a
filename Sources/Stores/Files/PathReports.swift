#if os(Linux)
  import Glibc

  /// What Linux reports of the subject of a watch.
  struct PathReports: Sendable {
    let descriptor: Int32
    private let subject: PathWatcher.Subject
    private let names: Set<String>
    /// The number under which the system reports of the folder's names; nil when it does not.
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

    /// Nil when the system refuses: `errno` says why.
    init?(_ descriptor: Int32, _ subject: PathWatcher.Subject) {
      (self.descriptor, self.subject, names) = (descriptor, subject, subject.names)
      let number = inotify_add_watch(descriptor, subject.folder, Self.named)
      // What lies in a folder that may not be listed can be watched all the same.
      folder = number < 0 ? nil : number
      if !watchPaths() { return nil }
    }

    /// Has what stands at the paths now reported of; once more is not twice.
    private func watchPaths() -> Bool {
      var isComplete = true
      for path in subject.paths where inotify_add_watch(descriptor, path, Self.written) < 0 {
        // A path that may come and go need not be there.
        if folder == nil || errno != ENOENT { isComplete = false }
      }
      return isComplete
    }

    /// Reads the reports away; whether one was about the subject. Which one it was does not matter,
    /// the reader looks for itself.
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
            // What came under the name is to be reported of as well.
            _ = watchPaths()
            isConcerned = true
          }
        } else {
          // Of the paths themselves, or so much that some reports were lost.
          isConcerned = true
          // What was replaced, or is new in a folder, is to be reported of as well.
          let mask = reports.loadUnaligned(fromByteOffset: position + 4, as: UInt32.self)
          if folder != nil, mask & Self.replaced != 0 { _ = watchPaths() }
        }
        position = end
      }
      return isConcerned
    }
  }
#endif
