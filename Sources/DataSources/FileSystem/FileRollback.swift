/// Copies of several files as they were before a write, to restore them when the write fails
/// halfway.
struct FileRollback {
  private let disk: FileSystem
  /// The changed files. `kept` is the path of a copy of a file's previous content; nil if the file
  /// is new.
  private var files: [(path: String, kept: String?)] = []

  init(_ disk: FileSystem) {
    self.disk = disk
  }

  /// Saves the file at `path`; call this before it is replaced or removed.
  mutating func remember(_ path: String) throws(DataSourceError) {
    files.append((path, try disk.secondName(of: path)))
  }

  /// Restores all saved files, as far as the file system permits.
  func restore() {
    // The caller already reports the error that made the write fail, so errors here are ignored.
    for (path, kept) in files.reversed() {
      guard let kept else {
        try? disk.remove(path)
        continue
      }
      // If a file cannot be restored, its saved copy remains, so that the content is not lost.
      guard (try? disk.rename(kept, to: path)) != nil else { continue }
      // If the file was not replaced, the copy is a hard link to it. `rename` then removes neither
      // name, so the copy is removed here.
      try? disk.remove(kept)
    }
  }

  /// Removes the saved copies after a successful write.
  func forget() {
    // A copy that cannot be removed does no harm, because it is never read.
    for (_, kept) in files { if let kept { try? disk.remove(kept) } }
  }
}
