import Triples

/// All entities at one level of an answer, each once however many lists it is in, with what is
/// needed to write them.
final class AnswerLevel {
  struct Field {
    /// The name with quotes and colon, as it stands in an object.
    let key: [UInt8]
    let column: Int
  }

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
  let fields: [Field]
  let relations: [Relation]

  /// - Parameter entities: distinct entities.
  init(
    _ plan: PreparedPlan, _ entities: [EntityHandle], in store: TripleStore
  ) throws(QueryError) {
    self.entities = entities
    fields = plan.fields.compactMap { attribute in
      store.column(of: attribute.id).map { Field(key: Self.key(attribute.label), column: $0) }
    }
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
    var output = JSONOutput()
    output.write(label)
    output.append(UInt8(ascii: ":"))
    return output.bytes
  }
}
