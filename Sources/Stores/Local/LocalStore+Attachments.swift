public import DataSources
import GRDB
public import LiveQueries

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// Attachments of an imported backup, stored as documents.
extension LocalStore {
  /// The prefix of the names of documents that contain attachments.
  private static let prefix = "backup/"

  /// Returns the attachments of the imported backup; their bytes are read on demand.
  public func attachments() async throws(DataSourceError) -> StoreAttachments {
    let path = path
    do {
      let sizes = try await file.database.writeWithoutTransaction { db in
        try StoreTables.hasChecksums(db)
          ? Row.fetchAll(db, sql: "SELECT name, length(data) AS size FROM documents")
            .map { (name: $0["name"] as String, size: $0["size"] as Int) } : []
      }
      return StoreAttachments(
        sizes.filter { $0.name.hasPrefix(Self.prefix) }.map { name, size in
          StoreAttachment(name: String(name.dropFirst(Self.prefix.count)), size: size) {
            receive throws(DataSourceError) in
            try receive(try Self.document(name, of: path))
          }
        })
    } catch {
      throw DataSourceError(StoreError(error, of: path))
    }
  }

  /// Selects the attachments among documents that were already read.
  package static func attachments(among documents: [String: [UInt8]]) -> StoreAttachments {
    StoreAttachments(
      documents.filter { $0.key.hasPrefix(prefix) }.map { name, bytes in
        StoreAttachment(name: String(name.dropFirst(prefix.count)), bytes: bytes)
      })
  }

  /// Reads the bytes of a document over a separate connection, because the store may already be
  /// closed.
  private static func document(_ name: String, of path: String) throws(DataSourceError) -> [UInt8] {
    do {
      let file = try StoreFile(path, access: .readOnly, ifMissing: .fail)
      defer { file.close() }
      let bytes = try file.database.inDatabase { db in
        try StoreDocuments.bytes(of: name, db)
      }
      guard let bytes else {
        throw StoreError.damaged(path: path, place: "the stored file \(name) is missing")
      }
      return bytes
    } catch {
      throw DataSourceError(StoreError(error, of: path))
    }
  }

  /// The maximum size of an attachment in bytes, set by SQLite's limit for values.
  static let maxAttachmentBytes = 1_000_000_000 - 4_096

  /// Stores attachments, replacing attachments with the same names.
  package func save(_ attachments: StoreAttachments) async throws(StoreError) {
    for attachment in attachments.all {
      guard attachment.size <= Self.maxAttachmentBytes else {
        throw .unwritable(
          path: path,
          reason:
            "the file '\(attachment.name)' has \(attachment.size) bytes, but a store can contain only "
            + "files of at most \(Self.maxAttachmentBytes) bytes")
      }
      let bytes: [UInt8]
      do throws(DataSourceError) {
        bytes = try attachment.bytes()
      } catch {
        throw .broken(path: error.message)
      }
      try await setDocument(bytes, named: Self.prefix + attachment.name)
    }
  }

  /// The maximum size in bytes of attachments that are written together with the triples.
  private static let maxBytesAtOnce = 64 << 20

  /// Creates a file with a store and its attachments atomically.
  ///
  /// - Throws: ``StoreError`` if the file exists or cannot be written.
  @concurrent
  package static func create(
    file path: String, of content: WholeStore, progress: ProgressReport = .unread
  ) async throws(StoreError) {
    let attachments = content.attachments.all
    if attachments.reduce(0, { $0 + $1.size }) <= maxBytesAtOnce {
      var documents: [String: [UInt8]] = [:]
      do throws(DataSourceError) {
        for attachment in attachments {
          documents[prefix + attachment.name] = try attachment.bytes()
        }
      } catch {
        throw .broken(path: error.message)
      }
      return try await create(
        file: path, of: content.store, documents: documents, progress: progress)
    }
    do {
      let draft = try Draft(for: path)
      try await create(file: draft.path, of: content.store, progress: progress)
      let store = try await open(file: draft.path)
      try await store.save(content.attachments)
      await store.close()
      try draft.publish()
    } catch let error as SystemError {
      throw error.errno == EEXIST
        ? .exists(path: path) : .unwritable(path: path, reason: error.reason)
    } catch {
      throw StoreError(error, of: path)
    }
  }
}
