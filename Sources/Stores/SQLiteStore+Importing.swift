public import LiveQueries
public import Triples

// Reads the rows of a database for an import into a store of another kind.
extension SQLiteStore {
  /// Loads the current data of a database for an import, without NULLs.
  ///
  /// - Throws: ``StoreError`` if the file is missing, is not a database, or has too many rows.
  @concurrent
  public static func load(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> TripleStore {
    try await read(file: path, progress: progress).store
  }

  /// Loads the current data for an import, and reports the tables and views that are left out.
  ///
  /// - Throws: ``StoreError`` if the file is missing, is not a database, or has too many rows.
  @concurrent
  static func read(
    file path: String, progress: ProgressReport = .unread
  ) async throws(StoreError) -> FileReading {
    guard Files.kind(of: path) == .file else { throw .missing(path: path) }
    do {
      let connection = try DatabaseConnection(path)
      let shape = try await connection.shape().shape
      let content = try await connection.everything(shape, for: .importing, progress)
      return FileReading(
        content,
        ReadReport(
          (shape.leftOut + shape.views.sorted().map { "view \($0)" }).map {
            "\(Files.name(of: path)): \($0) skipped."
          }))
    } catch {
      throw StoreError(error, of: path)
    }
  }
}
