import InstaQL
import Triples

/// The entities that the user selected, by namespace.
///
/// The selection refers to entities rather than rows, so it survives changes of the rows and of the
/// query. A deleted entity is selected again when it is restored.
struct EntitySelection: Sendable, Equatable {
  private var entities: [String: Set<EntityID>] = [:]
  /// The selected entities that the user deleted. They count only if they exist again.
  private var deleted: [String: Set<EntityID>] = [:]

  static let maxCount = 100_000

  /// The selected entities of a namespace, including deleted ones.
  subscript(namespace: String) -> Set<EntityID> {
    get { entities[namespace] ?? [] }
    set { entities[namespace] = newValue.isEmpty ? nil : newValue }
  }

  /// Returns the selection in the form in which it is saved: ids by namespace. Nil if it is empty
  /// or larger than `limit`.
  func kept(limit: Int) -> [String: [String]]? {
    let kept = entities.map { ($0, $1.subtracting(deleted[$0] ?? [])) }.filter { !$1.isEmpty }
    guard !kept.isEmpty, kept.reduce(0, { $0 + $1.1.count }) <= limit else { return nil }
    return Dictionary(uniqueKeysWithValues: kept).mapValues { $0.map(\.text).sorted() }
  }

  init(kept: [String: [String]] = [:]) {
    entities = kept.mapValues { Set($0.map { EntityID($0) }) }.filter { !$0.value.isEmpty }
  }

  /// Records that the user deleted entities of a namespace.
  mutating func recordDeletion(of gone: [EntityID], in namespace: String) {
    let marked = self[namespace].intersection(gone)
    if !marked.isEmpty { deleted[namespace, default: []].formUnion(marked) }
  }

  /// Returns the number of selected entities, without those that the user deleted.
  ///
  /// - Complexity: O(deleted entities).
  func count(of namespace: String, in store: TripleStore?) -> Int {
    let marked = self[namespace]
    let gone = (deleted[namespace] ?? []).count { id in
      marked.contains(id)
        && store?.handle(of: id).map { store?.contains($0, in: namespace) == true } != true
    }
    return marked.count - gone
  }

  /// Returns the selected entities of a namespace that a store does not contain, without those that
  /// the user deleted.
  ///
  /// - Complexity: O(selected entities).
  func missing(of namespace: String, in store: TripleStore) -> [EntityID] {
    let gone = deleted[namespace] ?? []
    return self[namespace].filter { id in
      !gone.contains(id) && store.handle(of: id).map { store.contains($0, in: namespace) } != true
    }.sorted()
  }

  mutating func toggle(_ entity: EntityID, in namespace: String) {
    if entities[namespace]?.remove(entity) == nil {
      entities[namespace, default: []].insert(entity)
    } else if entities[namespace]?.isEmpty == true {
      entities[namespace] = nil
    }
  }

  /// Returns the selected entities of a namespace that exist: first the rows of the answer in their
  /// order, then the others.
  ///
  /// - Complexity: O(rows of the answer + selected entities).
  func living(of namespace: String, in table: ResultTable) -> [EntityHandle] {
    let marked = self[namespace]
    guard !marked.isEmpty else { return [] }
    let store = table.catalog.store
    var rest = Set(
      marked.compactMap { store.handle(of: $0) }.filter { store.contains($0, in: namespace) })
    let shown = table.answer.rows.filter { rest.remove($0) != nil }
    return shown + rest.sorted { store.id(of: $0) < store.id(of: $1) }
  }
}

/// The rows of the answer to select: all, none, or those that were not selected.
package enum BulkSelection: Sendable, Hashable {
  case nothing, everything
  /// The rows of the answer that were not selected before.
  case others
}
