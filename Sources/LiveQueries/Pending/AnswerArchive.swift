package import DataSources
package import InstaQL
package import Triples

/// Stores the last answers to recent queries, and their schema, for use while the server is
/// unreachable.
///
/// The archive holds a limited number of answers and triples. It removes the oldest answers first,
/// but never those of watched queries. It ignores damaged files and files of another version,
/// because the server has the data.
///
///     index              {"version", "answers": [{"key", "saved", "triples"}, …]}
///     schema             {"version", "attrs": […]}
///     the query's text   {"version", "saved", "processed", "pages", "counts", "triples": […]}
package actor AnswerArchive {
  package struct Limits: Sendable {
    package var answers: Int
    package var triples: Int

    package init(answers: Int = 200, triples: Int = 500_000) {
      self.answers = answers
      self.triples = triples
    }
  }

  private struct Entry {
    var key: String
    /// The time when the answer was stored, in milliseconds since 1970.
    var saved: Int64
    var triples: Int
  }

  static let version = 1
  private static let indexKey = "index"
  private static let schemaKey = "schema"

  private let source: any KeyValueDataSource<[UInt8]>
  private let limits: Limits
  /// The index entries, oldest first; nil until the index is read.
  private var entries: [Entry]?

  /// Creates an archive.
  /// - Parameter source: A source that only this archive uses.
  package init(_ source: any KeyValueDataSource<[UInt8]>, limits: Limits = Limits()) {
    self.source = source
    self.limits = limits
  }

  /// Returns the stored answer, and the time when it was stored. Nil when no answer is stored, or
  /// when it cannot be read.
  package func answer(to document: QueryDocument) async -> (rows: ServedRows, saved: Int64)? {
    guard let object = await read(document.canonicalJSON),
      case .integer(let saved)? = object["saved"], let rows = ServedRows(json: object)
    else { return nil }
    return (rows, saved)
  }

  package func schema() async -> Schema? {
    guard let object = await read(Self.schemaKey), case .array(let items)? = object["attrs"] else {
      return nil
    }
    return Schema(items.compactMap { try? Attribute(json: $0) })
  }

  package func save(_ schema: Schema) async throws(DataSourceError) {
    let object: JSONObject = ["attrs": .array(schema.attributes.map(\.json))]
    try await source.apply([.set(Self.schemaKey, .one(Self.bytes(of: object)))])
  }

  /// Stores answers in place of earlier ones, and removes the oldest answers when the limits are
  /// exceeded.
  ///
  /// - Parameters:
  ///   - now: The current time in milliseconds since 1970.
  ///   - watched: Queries whose answers are never removed.
  package func save(
    _ answers: [QueryDocument: ServedRows], at now: Int64, watched: Set<QueryDocument>
  ) async throws(DataSourceError) {
    var entries = await index()
    var changes: [DataChange<[UInt8]>] = []
    for (document, rows) in answers {
      let key = document.canonicalJSON
      entries.removeAll { $0.key == key }
      entries.append(Entry(key: key, saved: now, triples: rows.rows.count))
      var object = rows.json
      object["saved"] = .integer(now)
      changes.append(.set(key, .one(Self.bytes(of: object))))
    }
    let kept = Set(watched.map(\.canonicalJSON))
    var triples = entries.reduce(0) { $0 + $1.triples }
    var count = entries.count
    entries.removeAll { entry in
      guard count > limits.answers || triples > limits.triples, !kept.contains(entry.key) else {
        return false
      }
      (count, triples) = (count - 1, triples - entry.triples)
      changes.append(.remove(entry.key))
      return true
    }
    let list = entries.map { entry -> Value in
      [
        "key": .text(entry.key), "saved": .integer(entry.saved),
        "triples": .integer(Int64(entry.triples)),
      ]
    }
    changes.append(.set(Self.indexKey, .one(Self.bytes(of: ["answers": .array(list)]))))
    try await source.apply(changes)
    self.entries = entries
  }

  /// Returns the index of the stored answers. If the index cannot be read, this method clears the
  /// archive.
  private func index() async -> [Entry] {
    if let entries { return entries }
    guard let object = await read(Self.indexKey), case .array(let items)? = object["answers"] else {
      let schema = await schema()
      do throws(DataSourceError) {
        try await source.apply([.removeAll])
        if let schema { try await save(schema) }
      } catch {
        // If clearing fails, the next write fails in the same way and reports the error.
      }
      return []
    }
    return items.compactMap { item in
      guard case .object(let item) = item, let key = item["key"]?.textValue,
        case .integer(let saved)? = item["saved"], case .integer(let triples)? = item["triples"],
        (0...Int64(Int32.max)).contains(triples)
      else { return nil }
      return Entry(key: key, saved: saved, triples: Int(triples))
    }
  }

  private func read(_ key: String) async -> JSONObject? {
    guard let entry = try? await source.entries(at: [key]).first, case .one(let bytes) = entry,
      case .object(let object)? = try? JSONReader.value(of: bytes),
      object["version"] == .integer(Int64(Self.version))
    else { return nil }
    return object
  }

  private static func bytes(of object: JSONObject) -> [UInt8] {
    var object = object
    object["version"] = .integer(Int64(version))
    return JSONWriter.bytes(.object(object))
  }
}
