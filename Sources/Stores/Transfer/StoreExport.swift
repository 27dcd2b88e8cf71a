import DataSources
public import LiveQueries
public import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Writes the whole of a store in a form that other programs read.
public enum StoreExport {
  public enum Format: String, Sendable, Hashable, CaseIterable {
    /// A zip file as Instant's own backups are.
    case backup
    /// A folder with a JSON file for each namespace, and the schema.
    case json
    /// A folder with a JSON Lines file for each namespace, and the schema.
    case jsonl
    /// A folder with a CSV file for each namespace, and the schema.
    case csv
    /// One JSON file of attributes and triples.
    case dump

    /// What a path asks for: `.zip` a backup, `.json` a dump, anything else a folder of JSON.
    public init(path: String) {
      self = path.hasSuffix(".zip") ? .backup : path.hasSuffix(".json") ? .dump : .json
    }
  }

  /// Writes a store to a path: first under another name, so that the path holds all of it, or what it held
  /// before.
  ///
  /// - Parameters:
  ///   - title: What a backup calls the app, when the store does not say.
  ///   - now: The moment that a backup gives as its own, in milliseconds since 1970.
  ///   - isReplacing: Whether what stands at the path is replaced.
  ///   - goesWithoutSchema: Whether only the entities' file will be kept of a folder, and no
  ///     `schema.json` beside it: CSV then has plain fields everywhere.
  /// - Returns: What of the store is not in what was written, in sentences for the user.
  /// - Throws: ``StoreError`` when something stands there that is not to be replaced, a namespace's name
  ///   is too long for a file, or the disk refuses.
  /// - Complexity: O(triples); in memory one compressed namespace at the most.
  @concurrent @discardableResult
  public static func write(
    _ content: WholeStore, to path: String, as format: Format, title: String = "",
    now: Int64 = Instant.nowInMilliseconds, isReplacing: Bool = false,
    goesWithoutSchema: Bool = false, progress: ProgressReport = .unread
  ) async throws(StoreError) -> [String] {
    let store = content.store
    guard isReplacing || Files.kind(of: path) == nil else { throw .exists(path: path) }
    if let odd = store.schema.entityNamespaces.first(where: { !canName($0, a: format) }) {
      let name = odd.count > 60 ? odd.prefix(60) + "…" : odd
      let others = Format.allCases.filter { canName(odd, a: $0) }
      throw .unwritable(
        path: path,
        reason: "'\(name)' is too long for the name of a file in it; "
          + others.map { "a \($0.rawValue)" }.joined(separator: " or ") + " can hold it")
    }
    do {
      let draft = try Draft(for: path)
      let export = Export(
        store: content.store, attachments: content.attachments, draft: draft.path,
        goesWithoutSchema: goesWithoutSchema, progress: progress)
      let remarks = try export.write(as: format, title: title, now: content.asOf ?? now)
      if isReplacing { try draft.replaceStore() } else { try draft.publish() }
      return remarks
    } catch let error as SystemError {
      throw error.errno == EEXIST
        ? .exists(path: path) : .unwritable(path: path, reason: error.reason)
    } catch let error as DataSourceError {
      throw .broken(path: error.message)
    } catch {
      throw error as? StoreError ?? .unwritable(path: path, reason: "\(error)")
    }
  }

}

extension StoreExport {
  /// What the file of a namespace is called in a folder.
  package static func fileName(of namespace: String, in format: Format) -> String {
    PortableName.encoded(namespace, avoiding: reservedNames) + "." + format.rawValue
  }

  /// What lies beside the files of namespaces.
  static let reservedNames: Set<String> = ["schema", "config"]

  /// File systems take names of 255 bytes, an ending included.
  private static let maxFileNameBytes = 200

  /// Whether a namespace can have a file of its own in what is written.
  private static func canName(_ namespace: String, a format: Format) -> Bool {
    switch format {
    case .dump: true
    case .backup: Export.entry(of: namespace).utf8.count <= ZipWriter.longestName
    case .csv, .json, .jsonl: PortableName.encoded(namespace).utf8.count <= maxFileNameBytes
    }
  }
}

/// One export under way.
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
    case .json, .jsonl, .csv: return try folder(format) + attachmentRemarks
    }
  }

  /// Bytes gathered before they are written or compressed.
  static let portion = 1 << 20

  /// The schema as JSON, with a word about links that lead nowhere.
  func schema(namesLabels: Bool) -> JSONObject {
    var object = store.schema.exported(namesLabels: namesLabels)
    if store.hasDanglingLinks { object["danglingLinks"] = true }
    return object
  }

  /// Goes through the entities of a namespace in portions.
  func eachPortion(
    of rows: EntityRows, _ line: (EntityHandle, inout JSONOutput) -> Void,
    _ take: ([UInt8]) throws(SystemError) -> Void
  ) throws(SystemError) {
    var output = JSONOutput(capacity: Self.portion + 4096)
    let entities = rows.entities
    for (place, entity) in entities.enumerated() {
      line(entity, &output)
      if output.count >= Self.portion {
        try take(output.bytes)
        output.removeAll()
        progress(LoadingProgress(done: place, of: entities.count, .rows))
        if Task.isCancelled { throw .cancelled }
      }
    }
    try take(output.bytes)
  }
}

extension TripleStore {
  /// Whether a link leads to an entity that is not in the namespace where it should be.
  var hasDanglingLinks: Bool {
    schema.attributes.contains { attribute in
      guard attribute.valueType == .ref, let reverse = attribute.reverse else { return false }
      let ends = targets(attribute.id, of: rows(of: attribute.namespace))
      return !ends.subtracting(rows(of: reverse.namespace)).isEmpty
    }
  }
}
