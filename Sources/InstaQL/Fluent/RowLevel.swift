import Triples

/// One nesting level of an answer: the distinct entities of a query or of an included link.
///
/// Each `DataRow` reads its values from a level. A level follows the links of all its entities at
/// once.
final class RowLevel: Sendable {
  struct Relation: Sendable {
    let lists: RelationResult
    let level: RowLevel
    /// For each entity in `lists`, its index in the entities of `level`.
    let places: [Int]
  }

  let store: TripleStore
  let namespace: String
  let entities: [EntityHandle]
  /// The selected attributes by name.
  let attributes: [String: Attribute]
  private let relations: [String: Relation]

  init(
    _ plan: PreparedPlan, _ entities: [EntityHandle], in store: TripleStore
  ) throws(QueryError) {
    self.store = store
    namespace = plan.namespace
    self.entities = entities
    attributes = Dictionary(plan.fields.map { ($0.label, $0) }) { first, _ in first }
    var relations: [String: Relation] = [:]
    for relation in plan.relations {
      let lists = try RelationResult(relation, of: entities, in: store)
      let distinct = RowSet(lists.children).handles
      let known = Places(of: distinct)
      relations[relation.label] = Relation(
        lists: lists, level: try RowLevel(relation.plan, distinct, in: store),
        places: lists.children.map { known[$0] ?? 0 })
    }
    self.relations = relations
  }

  var relationLabels: Set<String> { Set(relations.keys) }

  func rows() -> [DataRow] { entities.indices.map { DataRow(level: self, place: $0) } }

  /// Returns the linked entities of a row; nil if the plan does not include the link.
  func related(_ label: String, of place: Int) -> [DataRow]? {
    guard let relation = relations[label] else { return nil }
    return relation.lists.list(place).map { child in
      DataRow(level: relation.level, place: relation.places[child])
    }
  }
}
