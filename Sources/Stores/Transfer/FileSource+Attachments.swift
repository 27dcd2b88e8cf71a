import DataSources
package import LiveQueries

extension FileSource {
  /// Reads the attachments of a backup or store file; other sources have none.
  ///
  /// - Throws: ``StoreError`` if the file cannot be read.
  @concurrent
  package static func attachments(of path: String) async throws(StoreError) -> StoreAttachments {
    guard Files.kind(of: path) == .file else { return StoreAttachments() }
    switch FileKind(path) {
    case .store:
      let store = try await LocalStore.open(file: path, access: .readOnly)
      do {
        let attachments = try await store.attachments()
        await store.close()
        return attachments
      } catch {
        await store.close()
        throw .broken(path: error.message)
      }
    case .backup: return try Backup.attachments(file: path)
    case .database, .json, .rows, nil: return StoreAttachments()
    }
  }
}
