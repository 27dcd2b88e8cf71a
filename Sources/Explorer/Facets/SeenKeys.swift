import InstaQL
import Triples

/// The keys of the JSON objects that a field contains, the most frequent ones first.
struct SeenKeys: Sendable {
  let candidates: [QueryCompletion.Candidate]

  /// The maximum number of rows to read, so that typing stays fast in large stores.
  private static let maxRows = 1_000
  /// The maximum number of different keys.
  private static let maxKeys = 500

  /// Collects the keys of the objects at a path from some of the entities.
  init(of field: QueryCompletion.Field, in store: TripleStore) {
    guard let path = store.schema.jsonPath(field.path.labels, from: field.namespace) else {
      candidates = []
      return
    }
    let namespace = path.links.last?.target ?? field.namespace
    let part = DocumentPath(path.labels)
    var counts: [String: Int] = [:]
    var keys: [String] = []
    for entity in store.rows(of: namespace).handles.prefix(Self.maxRows) {
      guard let value = store.value(entity, path.attribute.id),
        case .object(let object) = part.part(of: value)
      else { continue }
      for member in object.members.prefix(Self.maxKeys) where Self.isUsable(member.key) {
        if counts[member.key] == nil {
          guard keys.count < Self.maxKeys else { continue }
          keys.append(member.key)
        }
        counts[member.key, default: 0] += 1
      }
    }
    let order = keys.enumerated().sorted {
      let (a, b) = (counts[$0.element] ?? 0, counts[$1.element] ?? 0)
      return a == b ? $0.offset < $1.offset : a > b
    }
    candidates = order.map {
      QueryCompletion.Candidate(
        key: $0.element, note: NumberText.count(counts[$0.element] ?? 0, "row"))
    }
  }

  /// Returns whether a path can name a key. A dot in a path separates two keys.
  private static func isUsable(_ key: String) -> Bool { !key.isEmpty && !key.contains(".") }

  /// Returns the field with the JSON of a path; nil if the path leads elsewhere.
  static func column(
    of field: QueryCompletion.Field, _ schema: Schema
  ) -> QueryCompletion.Field? {
    schema.jsonPath(field.path.labels, from: field.namespace).map {
      QueryCompletion.Field(
        namespace: field.namespace,
        path: AttributePath(Array(field.path.labels[...$0.links.count])))
    }
  }
}
