import Triples

/// All entities at one level of an answer, each once however many lists it is in, with what is
/// needed to write them.
final class AnswerLevel {
  struct Relation {
    let key: [UInt8]
    let isSingular: Bool
    let lists: RelationResult
    /// The level of the entities in the lists; nil when there are none.
    let level: AnswerLevel?
    /// For each entity in the lists, its place in that level.
    let places: [Int32]
  }

  let entities: [EntityHandle]
  let fields: FieldWriter
  let relations: [Relation]

  /// - Parameter entities: distinct entities.
  init(
    _ plan: PreparedPlan, _ entities: [EntityHandle], in store: TripleStore
  ) throws(QueryError) {
    self.entities = entities
    fields = FieldWriter(store, plan.fields, entities: entities.count)
    var relations: [Relation] = []
    for relation in plan.relations {
      let lists = try RelationResult(relation, of: entities, in: store)
      let distinct = RowSet(lists.children).handles
      let places = Places(of: distinct)
      relations.append(
        Relation(
          key: Self.key(relation.label), isSingular: relation.isSingular, lists: lists,
          level: distinct.isEmpty ? nil : try AnswerLevel(relation.plan, distinct, in: store),
          places: lists.children.map { Int32(places[$0] ?? 0) }))
    }
    self.relations = relations
  }

  private static func key(_ label: String) -> [UInt8] {
    var output = JSONOutput(capacity: 64)
    output.write(label)
    output.append(UInt8(ascii: ":"))
    return output.bytes
  }
}
