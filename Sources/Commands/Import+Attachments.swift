import DataSources
import LiveQueries
import Stores

// Imports saved queries, settings and other attachments of backups and store files.
extension Import {
  /// Returns the attachments of all sources, which are files stored next to the triples.
  ///
  /// If several sources have an attachment of the same name, the first one is used.
  static func attachments(
    of sources: [String]
  ) async throws(StoreError) -> StoreAttachments {
    var all = StoreAttachments()
    for source in sources {
      for attachment in try await FileSource.attachments(of: source).all
      where all[attachment.name] == nil {
        all.insert(attachment)
      }
    }
    return all
  }

  /// Adds the attachments that the store does not have yet.
  ///
  /// - Returns: A message about skipped attachments; nil if there are none.
  static func add(
    _ attachments: StoreAttachments, to store: LocalStore
  ) async throws(StoreError) -> String? {
    if attachments.isEmpty { return nil }
    let known: StoreAttachments
    do throws(DataSourceError) { known = try await store.attachments() } catch {
      throw .broken(path: error.message)
    }
    try await store.save(
      StoreAttachments(attachments.all.filter { known[$0.name] == nil }))
    let isKept = attachments.all.contains { known[$0.name] != nil }
    return isKept
      ? "The app description of the source, such as its permission rules, is not imported, because the "
        + "store already has one." : nil
  }
}
