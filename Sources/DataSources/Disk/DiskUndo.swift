/// What several files were before a write of all of them, to put back when the disk refuses one.
struct DiskUndo {
  private let disk: Disk
  /// Each file that changed, and the second name under which it is kept; nil where there was none.
  private var files: [(path: String, kept: String?)] = []

  init(_ disk: Disk) {
    self.disk = disk
  }

  /// Call before the file at `path` is replaced or removed.
  mutating func remember(_ path: String) throws(DataSourceError) {
    files.append((path, try disk.secondName(of: path)))
  }

  /// Puts everything back as it was, as far as the disk lets it.
  func restore() {
    // The refusal that brought this about is the error that matters; another changes nothing.
    for (path, kept) in files.reversed() {
      guard let kept else {
        try? disk.remove(path)
        continue
      }
      // What cannot be put back keeps its second name, so that it is not lost.
      guard (try? disk.rename(kept, to: path)) != nil else { continue }
      // Renaming leaves both names where they are two of one file: nothing had replaced it.
      try? disk.remove(kept)
    }
  }

  /// Lets go of what was kept: the write is done.
  func forget() {
    // A second name that stays is found by nobody.
    for (_, kept) in files { if let kept { try? disk.remove(kept) } }
  }
}
