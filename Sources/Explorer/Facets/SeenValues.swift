import InstaQL
import Triples
import Widgets

/// The values that a field has in the store, the most frequent ones first.
struct SeenValues: Sendable {
  struct Seen: Sendable, Equatable {
    /// The value as a user types it in a query.
    let text: String
    /// The lowercase text without its opening quote.
    fileprivate let content: [UInt8]
    fileprivate let count: Int

    var candidate: QueryCompletion.Candidate {
      QueryCompletion.Candidate(text: text, kind: .string, note: NumberText.count(count, "row"))
    }
  }

  private var values: [Seen] = []
  /// Whether these are the values of all entities.
  private(set) var areAll = true

  /// Collects the values of a field from some of the entities.
  ///
  /// It does not read all entities, so that typing stays fast in large stores.
  init(of field: QueryCompletion.Field, in store: TripleStore) {
    guard let (namespace, attribute) = Self.end(of: field, store.schema) else { return }
    // A sample from a server or a database ends at this number of entities.
    areAll = store.count(of: namespace) < Self.maxSampled
    values = store.sampledValues(of: attribute, in: namespace)
      .filter { ($0.value.textValue?.utf8.count ?? 0) <= Self.maxTextBytes }
      .map { value, count in
        let text = JSONWriter.text(value)
        let content = text.lowercased().utf8.drop { $0 == UInt8(ascii: "\"") }
        return Seen(text: text, content: Array(content), count: count)
      }
  }

  /// Returns the query for sample values of a remote store; nil if the field has no values to
  /// offer.
  static func sample(of field: QueryCompletion.Field, _ schema: Schema) -> QueryPlan? {
    end(of: field, schema).map { namespace, attribute in
      QueryPlan(namespace).fields([attribute.label]).limit(Self.maxSampled)
    }
  }

  /// Returns the attribute at the end of a field's path and its namespace; nil for links, ids and
  /// invalid paths.
  private static func end(
    of field: QueryCompletion.Field, _ schema: Schema
  ) -> (namespace: String, attribute: Attribute)? {
    guard let namespace = schema.namespace(from: field.namespace, along: field.path.links),
      let attribute = schema.attribute(namespace, field.path.label),
      attribute.valueType == .blob, !attribute.isIdentity
    else { return nil }
    return (namespace, attribute)
  }

  private static let maxSampled = 1_000
  private static let maxTextBytes = 100

  /// Returns up to `limit` values for completion: first those that begin with the word, then those
  /// that contain it.
  func values(matching word: String, limit: Int) -> [Seen] {
    let pattern = TextPattern(word.filter { $0 != "\"" && $0 != "'" })
    let typed = Array(pattern.text.utf8)
    var beginning: [Seen] = []
    var holding: [Seen] = []
    for value in values where beginning.count < limit {
      if typed.isEmpty || value.content.starts(with: typed) {
        if typed.isEmpty || value.text != word { beginning.append(value) }
      } else if holding.count < limit, pattern.isIn(value.text) {
        holding.append(value)
      }
    }
    return Array((beginning + holding).prefix(limit))
  }
}

extension TripleStore {
  /// Returns the values of an attribute in some of the entities, the most frequent ones first.
  ///
  /// It does not read all entities, so that typing stays fast in large stores.
  func sampledValues(of attribute: Attribute, in namespace: String) -> [(value: Value, count: Int)]
  {
    var counts: [Value: Int] = [:]
    for entity in rows(of: namespace).handles.prefix(2_000) {
      guard let value = value(entity, attribute.id) else { continue }
      switch value {
      case .array, .object, .null: continue
      case .bool, .integer, .double, .text: counts[value, default: 0] += 1
      }
    }
    return counts.map { (value: $0, count: $1, text: JSONWriter.text($0)) }
      .sorted { ($1.count, $0.text) < ($0.count, $1.text) }.map { ($0.value, $0.count) }
  }
}
