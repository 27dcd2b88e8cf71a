/// The previous state of several files, restored when a write to all of them fails halfway.
struct FileRollback {
  private let disk: FileSystem
  /// Each changed file and the draft name that keeps its old content; nil when it did not exist.
  private var files: [(path: String, kept: String?)] = []

  init(_ disk: FileSystem) {
    self.disk = disk
  }

  /// Saves the file at `path`; call this before it is replaced or removed.
  mutating func remember(_ path: String) throws(DataSourceError) {
    files.append((path, try disk.secondName(of: path)))
  }

  /// Restores all saved files, as far as the file system allows.
  func restore() {
    // The caller reports the error that led here; a further one would add nothing.
    for (path, kept) in files.reversed() {
      guard let kept else {
        try? disk.remove(path)
        continue
      }
      // A file that cannot be restored keeps its draft name, so that its content is not lost.
      guard (try? disk.rename(kept, to: path)) != nil else { continue }
      // Renaming one hard link onto another leaves both: the file had not been replaced.
      try? disk.remove(kept)
    }
  }

  /// Removes the saved copies after a successful write.
  func forget() {
    // A draft that remains does no harm, because no reader opens it.
    for (_, kept) in files { if let kept { try? disk.remove(kept) } }
  }
}
