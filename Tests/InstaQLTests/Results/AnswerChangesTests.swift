import InstaQL
import Testing
import Triples

@Suite("Changes of an answer")
struct AnswerChangesTests {
  @Test(
    "applying them to the earlier rows and values gives the later ones",
    arguments: 0..<10)
  func random(batch: Int) throws {
    var seen = 0
    for seed in (batch * 4)..<(batch * 4 + 4) {
      var random = RandomWorld(seed: UInt64(seed))
      var store = random.world.store()
      let plans = (0..<8).map { _ in random.plan() }
      for round in 0..<8 {
        let old = store
        var known = ChangeSet()
        // A reader may have skipped some.
        for _ in 0..<Int.random(in: 1...3, using: &random.random) {
          let transaction = random.transaction(in: store)
          if let changes = try? store.transact(transaction, at: Int64(20 + round)) {
            known.changes += changes.changes
          }
        }
        for plan in plans {
          func comment() -> Comment { "seed \(seed), round \(round): \(plan)" }
          let before = try QueryEngine.answer(plan, in: old)
          let after = try QueryEngine.answer(plan, in: store)
          for by in [known, nil] {
            let changes = after.changes(since: before, by: by)
            try #require(changes.applied(to: before.ids) == after.ids, comment())
            let stayed = Set(before.ids).intersection(after.ids)
            try #require(
              Self.patched(before, of: stayed, by: changes) == Self.cells(after, of: stayed),
              comment())
            if !changes.isEmpty { seen += 1 }
          }
          #expect(after.changes(since: after, by: ChangeSet()).isEmpty, comment())
        }
      }
    }
    #expect(seen > 50)
  }

  @Test("an entity that overtakes others moves, and the others do not")
  func maxSingleMoves() throws {
    let attributes = ["id", "n"].map {
      Attribute(
        id: AttributeID($0), namespace: "runs", label: $0,
        constraints: $0 == "id" ? .unique : [])
    }
    var store = TripleStore()
    try store.transact(Transaction(attributes.map { .addAttribute($0) }))
    let ids = (0..<9).map { EntityID(high: 7, low: UInt64($0)) }
    for (place, id) in ids.enumerated() {
      try store.transact(
        Transaction([
          .addTriple(.id(id), AttributeID("id"), .text(id.text)),
          .addTriple(.id(id), AttributeID("n"), .integer(Int64(place))),
        ]))
    }
    let plan = QueryPlan("runs").order("n")
    let before = try QueryEngine.answer(plan, in: store)
    let changed = try store.transact(
      Transaction([.addTriple(.id(ids[8]), AttributeID("n"), -1)]))
    let after = try QueryEngine.answer(plan, in: store)
    #expect(
      after.changes(since: before, by: changed)
        == AnswerChanges(
          moved: [.init(entity: ids[8], row: 0)],
          cells: [.init(entity: ids[8], namespace: "runs", label: "n", old: 8, new: -1)]))
  }

  /// The displayed values of some rows, single-valued attributes only.
  private static func cells(_ answer: Answer, of ids: Set<EntityID>) -> [CellName: Value] {
    var cells: [CellName: Value] = [:]
    for entity in answer.rows where ids.contains(answer.store.id(of: entity)) {
      for field in answer.fields where field.cardinality == .one {
        cells[CellName(entity: answer.store.id(of: entity), label: field.label)] =
          answer.value(entity, field.label)
      }
    }
    return cells
  }

  private struct CellName: Hashable {
    let entity: EntityID
    let label: String
  }

  /// The cells of remaining rows, with the changes applied.
  private static func patched(
    _ answer: Answer, of ids: Set<EntityID>, by changes: AnswerChanges
  ) -> [CellName: Value] {
    var cells = cells(answer, of: ids)
    let labels = Set(answer.fields.filter { $0.cardinality == .one }.map(\.label))
    for cell in changes.cells
    where ids.contains(cell.entity)
      && cell.namespace == answer.namespace && labels.contains(cell.label)
    {
      cells[CellName(entity: cell.entity, label: cell.label)] = cell.new
    }
    return cells
  }
}

extension Answer {
  fileprivate var ids: [EntityID] { rows.map { store.id(of: $0) } }
}
