/// Copies of several files as they were before a write, to restore them when the write fails
/// halfway.
struct FileRollback {
  private let disk: FileSystem
  /// The changed files, each with the path to a copy of its previous content; nil for a new file.
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
    // The caller reports the error that made the write fail. Another error would add nothing.
    for (path, kept) in files.reversed() {
      guard let kept else {
        try? disk.remove(path)
        continue
      }
      // If a file cannot be restored, the draft is kept, so that the content is not lost.
      guard (try? disk.rename(kept, to: path)) != nil else { continue }
      // Renaming a hard link to another link of the same file removes neither. In this case, the
      // file had not been replaced.
      try? disk.remove(kept)
    }
  }

  /// Removes the saved copies after a successful write.
  func forget() {
    // A draft that remains does no harm, because it is never read.
    for (_, kept) in files { if let kept { try? disk.remove(kept) } }
  }
}
