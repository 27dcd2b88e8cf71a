import Triples

/// One nesting level of a JSON answer: the distinct entities of a query or relation, and the data
/// for writing them.
final class AnswerLevel {
  final class Relation {
    let key: [UInt8]
    let isSingular: Bool
    /// Whether the relation is only counted. If so, only the lengths of the lists are written.
    let isCount: Bool
    let lists: RelationResult
    /// The level that has the entities of all lists. Nil if there are no entities, or if they are
    /// only counted.
    let level: AnswerLevel?
    /// For each entity in `lists`, its index in the entities of `level`.
    let places: [Int32]

    init(
      _ relation: PreparedRelation, of entities: [EntityHandle], in store: TripleStore
    ) throws(QueryError) {
      key = AnswerLevel.key(relation.label)
      isSingular = relation.isSingular
      isCount = relation.plan.plan.isCount
      lists = try RelationResult(relation, of: entities, in: store)
      let children = lists.children
      if children.isEmpty || isCount {
        level = nil
        places = []
      } else if lists.isDisjoint {
        level = try AnswerLevel(relation.plan, children, in: store)
        places = Array(0..<Int32(children.count))
      } else {
        let distinct = RowSet(children).handles
        let known = Places(of: distinct)
        level = try AnswerLevel(relation.plan, distinct, in: store)
        places = children.map { Int32(known[$0] ?? 0) }
      }
    }
  }

  /// Members of the objects.
  enum Member {
    case fields(FieldWriter)
    /// A computed column, with its key in the output.
    case computed(key: [UInt8], column: PreparedColumn)
    case relation(Relation)
  }

  let entities: [EntityHandle]
  let store: TripleStore
  /// The members of each object, in their order.
  let members: [Member]

  /// Creates the level for entities and, recursively, for their included relations.
  ///
  /// - Parameter entities: Distinct entities.
  init(
    _ plan: PreparedPlan, _ entities: [EntityHandle], in store: TripleStore
  ) throws(QueryError) {
    self.entities = entities
    self.store = store
    var members: [Member] = []
    for member in plan.members {
      switch member {
      case .fields(let keys):
        members.append(.fields(FieldWriter(store, keys, entities: entities.count)))
      case .computed(let column):
        members.append(.computed(key: Self.key(column.name), column: column))
      case .relation(let relation):
        members.append(.relation(try Relation(relation, of: entities, in: store)))
      }
    }
    self.members = members
  }

  private static func key(_ label: String) -> [UInt8] {
    var output = JSONOutput(capacity: 64)
    output.write(label)
    output.append(UInt8(ascii: ":"))
    return output.bytes
  }
}
