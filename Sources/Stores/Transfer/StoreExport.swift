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
    /// A folder with a CSV file for each namespace, and the schema.
    case csv
    /// One JSON file of attributes and triples.
    case dump

    /// What a path asks for: `.zip` a backup, `.json` a dump, anything else a folder of JSON.
    public init(path: String) {
      self = path.hasSuffix(".zip") ? .backup : path.hasSuffix(".json") ? .dump : .json
    }
  }

  /// Writes a store to a path at which nothing stands.
  ///
  /// Under another name first: whoever looks at `path` sees all of it or nothing.
  ///
  /// - Parameters:
  ///   - title: What a backup calls the app.
  ///   - now: The moment that a backup gives as its own, in milliseconds since 1970.
  /// - Throws: ``StoreError`` when something stands there, a namespace's name is no name for a file,
  ///   or the disk refuses.
  /// - Complexity: O(triples); in memory one compressed namespace at the most.
  @concurrent
  public static func write(
    _ store: TripleStore, to path: String, as format: Format, title: String = "",
    now: Int64 = Instant.nowInMilliseconds, progress: ProgressReport = .unread
  ) async throws(StoreError) {
    guard Files.kind(of: path) == nil else { throw .exists(path: path) }
    let target = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
    Files.sweepDrafts(beside: target)
    let draft = Files.draft(beside: target)
    defer { Files.removeTree(draft) }
    if let odd = store.schema.entityNamespaces.first(where: { !canName($0, a: format) }) {
      let name = odd.count > 60 ? odd.prefix(60) + "…" : odd
      let others = Format.allCases.filter { canName(odd, a: $0) }
      throw .unwritable(
        path: path,
        reason: "'\(name)' cannot be the name of a file in it; "
          + others.map { "a \($0.rawValue)" }.joined(separator: " or ") + " can hold it")
    }
    let export = Export(store: store, draft: draft, path: target, progress: progress)
    do throws(SystemError) {
      switch format {
      case .backup: try export.backup(title: title, now: now)
      case .dump: try export.dump()
      case .json, .csv: try export.folder(format)
      }
      try Files.publish(draft, as: target)
    } catch {
      throw error.errno == EEXIST
        ? .exists(path: path) : .unwritable(path: path, reason: error.reason)
    }
  }
}

extension StoreExport {
  /// Whether a namespace can have a file of its own in what is written.
  private static func canName(_ namespace: String, a format: Format) -> Bool {
    switch format {
    case .dump: true
    case .backup: Export.entry(of: namespace).utf8.count <= ZipWriter.longestName
    case .csv: Files.isName(namespace)
    // The schema lies beside the namespaces.
    case .json: Files.isName(namespace) && namespace != "schema"
    }
  }
}

/// One export under way.
struct Export {
  let store: TripleStore
  let draft: String
  let path: String
  let progress: ProgressReport

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
