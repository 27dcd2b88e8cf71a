import InstaQL
import Triples

/// The entities that were marked, by namespace.
///
/// A mark belongs to an entity, not to a row: it stays while rows come and go and while the query
/// changes, and an entity that is deleted has its mark again when it comes back.
struct Marks: Sendable, Equatable {
  private var entities: [String: Set<EntityID>] = [:]

  /// More than this are no longer marked one by one.
  static let most = 100_000

  /// Those of a namespace, whether or not they are still in the store.
  subscript(namespace: String) -> Set<EntityID> {
    get { entities[namespace] ?? [] }
    set { entities[namespace] = newValue.isEmpty ? nil : newValue }
  }

  /// What is remembered of them: ids by namespace; no more than so many, and of more than that none.
  func kept(most: Int) -> [String: [String]]? {
    let count = entities.values.reduce(0) { $0 + $1.count }
    guard !isEmpty, count <= most else { return nil }
    return entities.mapValues { $0.map(\.text).sorted() }
  }

  init(kept: [String: [String]] = [:]) {
    entities = kept.mapValues { Set($0.map { EntityID($0) }) }.filter { !$0.value.isEmpty }
  }

  var isEmpty: Bool { entities.isEmpty }

  mutating func toggle(_ entity: EntityID, in namespace: String) {
    if entities[namespace]?.remove(entity) == nil {
      entities[namespace, default: []].insert(entity)
    } else if entities[namespace]?.isEmpty == true {
      entities[namespace] = nil
    }
  }

  /// Those of a namespace that the store has: in the order of the answer first, then the others.
  /// - Complexity: O(rows of the answer + marks).
  func living(in table: ResultTable) -> [EntityHandle] {
    let namespace = table.answer.namespace
    let marked = self[namespace]
    guard !marked.isEmpty else { return [] }
    let store = table.catalog.store
    var rest = Set(
      marked.compactMap { store.handle(of: $0) }.filter { store.contains($0, in: namespace) })
    let shown = table.answer.rows.filter { rest.remove($0) != nil }
    return shown + rest.sorted { store.id(of: $0) < store.id(of: $1) }
  }
}
