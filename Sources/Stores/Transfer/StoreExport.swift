import DataSources
import GRDB
public import LiveQueries
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Exports whole stores to formats of other programs.
public enum StoreExport {
  /// The form of an export.
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A zip file like Instant's own backups.
    case backup
    /// A folder with a JSON file per namespace and the schema.
    case json
    /// A folder with a JSON Lines file per namespace and the schema.
    case jsonl
    /// A folder with a CSV file per namespace and the schema.
    case csv
    /// One JSON file with the attributes and triples.
    case dump
    /// A SQLite database with a table for each namespace.
    case sqlite

    /// Determines the format by the extension of a path. `.zip` is a backup, `.json` a dump,
    /// `.sqlite` and `.db` a database. Any other path is a folder of JSON.
    public init(path: String) {
      self =
        path.hasSuffix(".zip")
        ? .backup : path.hasSuffix(".json") ? .dump : FileKind(path) == .database ? .sqlite : .json
    }
  }

  /// Writes a store to a path atomically.
  ///
  /// - Parameters:
  ///   - title: The title of the app in a backup, if the store has none.
  ///   - isReplacing: Whether to replace an existing file or folder at the path.
  ///   - goesWithoutSchema: Whether the caller uses only the file of entities, without the folder's
  ///     `schema.json`. If so, all CSV cells are plain, because no schema declares other forms.
  /// - Returns: The data that the export lacks, each as a sentence for the user.
  /// - Throws: ``StoreError`` if the path exists and is not replaced, a namespace's name is too
  ///   long for a file, or writing fails.
  /// - Complexity: O(triples); memory holds at most one compressed namespace.
  @concurrent @discardableResult
  public static func write(
    _ content: WholeStore, to path: String, as format: Format, title: String = "",
    isReplacing: Bool = false, goesWithoutSchema: Bool = false, progress: ProgressReport = .unread
  ) async throws(StoreError) -> [String] {
    let store = format == .sqlite ? content.store : content.store.portable
    guard isReplacing || Files.kind(of: path) == nil else { throw .exists(path: path) }
    if let odd = store.schema.entityNamespaces.first(where: { !canName($0, a: format) }) {
      let name = odd.count > 60 ? odd.prefix(60) + "…" : odd
      let others = Format.allCases.filter { canName(odd, a: $0) }
      throw .unwritable(
        path: path,
        reason: "the name of the namespace '\(name)' is too long for a file name. Use the format "
          + others.map(\.rawValue).joined(separator: " or ") + " instead")
    }
    do {
      let draft = try Draft(for: path)
      let export = Export(
        store: store, attachments: content.attachments, draft: draft.path,
        goesWithoutSchema: goesWithoutSchema, progress: progress)
      let remarks = try export.write(
        as: format, title: title, now: content.asOf ?? Instant.nowInMilliseconds)
      if isReplacing { try draft.replaceStore() } else { try draft.publish() }
      return remarks
    } catch let error as SystemError {
      throw error.errno == EEXIST
        ? .exists(path: path) : .unwritable(path: path, reason: error.reason)
    } catch let error as DataSourceError {
      throw .broken(path: error.message)
    } catch {
      let failure = StoreError(error, of: path)
      // What cannot be read here is the database that the export creates.
      if error is DatabaseError, case .unreadable(_, let reason) = failure {
        throw .unwritable(path: path, reason: reason)
      }
      throw failure
    }
  }

}

extension StoreExport {
  /// Returns the file name of a namespace in a folder.
  package static func fileName(of namespace: String, in format: Format) -> String {
    PortableName.encoded(namespace, avoiding: reservedNames) + "." + format.rawValue
  }

  /// The file names in a folder that do not belong to namespaces.
  static let reservedNames: Set<String> = ["schema", "config"]

  /// The maximum length of a file name in bytes without its extension; file systems allow 255 in
  /// total.
  private static let maxFileNameBytes = 200

  /// Returns whether a namespace's name can be a file name in the format.
  private static func canName(_ namespace: String, a format: Format) -> Bool {
    switch format {
    case .dump, .sqlite: true
    case .backup: Export.entry(of: namespace).utf8.count <= ZipWriter.maxNameBytes
    case .csv, .json, .jsonl: PortableName.encoded(namespace).utf8.count <= maxFileNameBytes
    }
  }
}

/// An export in progress.
struct Export {
  let store: TripleStore
  let attachments: StoreAttachments
  let draft: String
  let goesWithoutSchema: Bool
  let progress: ProgressReport

  func write(
    as format: StoreExport.Format, title: String, now: Int64
  ) throws -> [String] {
    switch format {
    case .backup: return try backup(title: title, now: now)
    case .dump:
      try dump()
      return attachmentRemarks
    case .sqlite: return try sqlite() + attachmentRemarks
    case .json, .jsonl, .csv: return try folder(format) + attachmentRemarks
    }
  }

  /// The number of bytes buffered before writing or compressing.
  static let portion = 1 << 20

  /// Returns the schema as JSON, with a remark if the store has broken references.
  func schema(namesLabels: Bool) -> JSONObject {
    var object = store.schema.exported(namesLabels: namesLabels)
    if store.hasDanglingLinks { object["danglingLinks"] = true }
    return object
  }

  /// Writes the entities of a namespace as lines, and passes their bytes to `take` in batches.
  func eachPortion(
    of rows: EntityRows, _ line: (EntityHandle, inout JSONOutput) -> Void,
    _ take: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var output = JSONOutput(capacity: Self.portion + 4096)
    let entities = rows.entities
    for (place, entity) in entities.enumerated() {
      if place.isMultiple(of: 1_000), Task.isCancelled { throw .cancelled }
      line(entity, &output)
      if output.count >= Self.portion {
        try take(output.bytes)
        output.removeAll()
        progress(LoadingProgress(done: place, of: entities.count, .rows))
      }
    }
    try take(output.bytes)
  }
}

extension TripleStore {
  /// Whether any link has a target that is not in the link's target namespace.
  var hasDanglingLinks: Bool {
    schema.attributes.contains { attribute in
      guard attribute.valueType == .ref, let reverse = attribute.reverse else { return false }
      let ends = targets(attribute.id, of: rows(of: attribute.namespace))
      return !ends.subtracting(rows(of: reverse.namespace)).isEmpty
    }
  }
}
