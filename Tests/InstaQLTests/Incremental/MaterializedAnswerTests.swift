import DataSourcesTesting
import InstaQL
import Testing
import Triples
import TestSupport

@Suite("A materialized answer")
struct MaterializedAnswerTests {
  @Test(
    "equals a full evaluation after each of many random transactions",
    arguments: 0..<20)
  func random(batch: Int) throws {
    var count = Count()
    for seed in (batch * 4)..<(batch * 4 + 4) {
      var random = RandomWorld(seed: UInt64(seed))
      var store = random.world.store()
      var plans = (0..<10).map { _ in random.plan() }
      for place in plans.indices { plans[place].isCount = random.random.oneIn(8) }
      plans += plans.prefix(4).map { Self.summary($0, &random.random) }
      plans += plans.prefix(4).map { Self.computed($0, &random.random) }
      plans += try plans.prefix(3).map { try Self.later($0, in: store) }
      var kept = try plans.map { try MaterializedAnswer($0, in: store, options: .standard) }
      // As long as they are the same.
      var texts = [String?](repeating: nil, count: plans.count)
      for round in 0..<15 {
        let old = store
        let transaction = random.transaction(in: store)
        // A rejected transaction changes nothing; the next one will.
        guard
          let changes = try? store.transact(
            transaction, at: Int64.random(in: 1...20, using: &random.random))
        else { continue }
        for (place, plan) in plans.enumerated() {
          func comment() -> Comment { "seed \(seed), round \(round): \(plan)" }
          let update = try kept[place].update(from: old, to: store, changes.byAttribute)
          let wanted = try QueryEngine.answer(plan, in: store)
          try #require(kept[place].rows == wanted.rows, comment())
          try #require(kept[place].total == wanted.total, comment())
          try #require(kept[place].pageInfo == wanted.pageInfo, comment())
          try #require(kept[place].answer(in: store).table == wanted.table, comment())
          if update.isVisible {
            texts[place] = nil
          } else {
            let before = try texts[place] ?? QueryEngine.json(QueryDocument(plan), in: old)
            let after = try QueryEngine.json(QueryDocument(plan), in: store)
            try #require(before == after, comment())
            texts[place] = after
          }
          count.add(update)
        }
      }
    }
    #expect(count.visible > 30)
    #expect(count.kept > 20, "the rest was asked afresh")
  }

  @Test("a server's count is unaffected by local changes")
  func served() throws {
    var random = RandomWorld(seed: 2)
    var store = random.world.store()
    let options = QueryOptions.standard.serving(ServedAnswer(counts: ["people": 500]))
    let plan = QueryPlan("people").count()
    var kept = try MaterializedAnswer(plan, in: store, options: options)
    for round in 0..<40 {
      let old = store
      let transaction = random.transaction(in: store)
      guard let changes = try? store.transact(transaction, at: Int64(20 + round)) else { continue }
      _ = try kept.update(from: old, to: store, changes.byAttribute)
      #expect(kept.total == 500)
    }
  }

  struct Count {
    var visible = 0
    var kept = 0

    mutating func add(_ update: MaterializedAnswer.Update) {
      if update.isVisible { visible += 1 }
      if update.isVisible && !update.isFullEvaluation { kept += 1 }
    }
  }

  /// A table for the plan.
  private static func summary(_ plan: QueryPlan, _ random: inout SeededGenerator) -> QueryPlan {
    let all = QueryPlan(plan.namespace, condition: plan.condition)
    switch random.next() % 3 {
    case 0: return all.group(by: "a").aggregate(Aggregation(.count), Aggregation(.min, "b"))
    case 1: return all.aggregate(Aggregation(.max, "c"))
    default: return all.fields(["a", "b"]).distinct()
    }
  }

  /// The plan with computed columns, conditions, orders or groups.
  private static func computed(_ plan: QueryPlan, _ random: inout SeededGenerator) -> QueryPlan {
    let sum = ValueExpression.arithmetic(.path("a"), .plus, .path("b"))
    let text = ValueExpression.call(.concat, [.path("a"), .constant("-"), .path("c")])
    var all = QueryPlan(plan.namespace, condition: plan.condition)
    switch random.next() % 4 {
    case 0:
      all.setComputed(AttributePath(column: "text", computing: text))
      all.fields = [QueryPlan.allFields, "text"]
      return all
    case 1: return all.order(AttributePath(computing: sum), .descending).limit(3)
    case 2: return all.filter(.compare(AttributePath(computing: sum), .greater, 1))
    default: return all.group(by: AttributePath(computing: text))
    }
  }

  /// The plan from its second row on.
  private static func later(_ plan: QueryPlan, in store: TripleStore) throws -> QueryPlan {
    var later = plan
    later.isCount = false
    later.page = Page(limit: 2)
    if let cursor = try QueryEngine.answer(later, in: store).pageInfo?.end {
      later.page.after = cursor
    }
    return later
  }
}
