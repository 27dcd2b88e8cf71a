public import Triples

// Reads the beginning of a large file, to show its first rows while the whole file is loaded.
extension FolderStore {
  /// Reads the first rows of a large CSV, TSV or JSON Lines file.
  ///
  /// - Parameters:
  ///   - path: The path of the file.
  ///   - minSize: The minimum size of a file in bytes. A smaller file is loaded before a user would
  ///     notice its beginning.
  ///   - length: The number of bytes to read.
  /// - Returns: A snapshot with the freshness `loading`. Nil for smaller files, for folders and for
  ///   other formats, and if the beginning cannot be read without the rest.
  public static func beginning(
    ofFile path: String, minSize: Int = 8 << 20, length: Int = 1 << 20
  ) -> StoreSnapshot? {
    guard Files.kind(of: path) == .file, let size = Files.size(of: path), size >= minSize,
      let bytes = try? Files.bytes(of: path, limit: length),
      let store = Dataset.beginning(
        ofFile: FolderContent.name(of: path, isAlone: true), bytes)
    else { return nil }
    return StoreSnapshot(store, freshness: .loading)
  }
}
