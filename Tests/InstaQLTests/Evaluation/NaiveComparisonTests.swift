import ConformanceSupport
import InstaQL
import Testing
import Triples

struct NaiveComparisonTests {
  @Test(
    "the engine answers random queries on random data like plain dictionaries",
    arguments: 0..<20)
  func random(batch: Int) throws {
    for seed in (batch * 8)..<(batch * 8 + 8) {
      var random = RandomWorld(seed: UInt64(seed))
      let world = random.world
      let store = world.store()
      for round in 0..<12 {
        let plan = random.plan()
        func comment() -> Comment { "seed \(seed), round \(round): \(plan)" }
        let answer = try QueryEngine.answer(plan, in: store)
        let wanted = world.answer(plan)
        #expect(answer.total == world.matches(plan).count, comment())
        try #require(try objects(answer) == wanted, comment())
        let json = try JSONReader.value(of: try QueryEngine.json(QueryDocument(plan), in: store))
        let rows = try #require(json.object?["data"]?.object?[plan.namespace])
        #expect(rows.isAnswer(.array(wanted.map(\.json))), comment())
        #expect((json.object?["pageInfo"] == nil) == (answer.pageInfo == nil), comment())
      }
    }
  }

  @Test(
    "answers stay correct while the data changes, and old snapshots keep theirs", arguments: 0..<8)
  func changes(batch: Int) throws {
    for seed in (batch * 6)..<(batch * 6 + 6) {
      var random = RandomWorld(seed: UInt64(seed))
      let plans = (0..<6).map { _ in random.plan() }
      var store = random.world.store()
      var answers = plans.map { random.world.answer($0) }
      for round in 0..<6 {
        let before = store
        for _ in 0..<5 { random.change(&store) }
        for (place, plan) in plans.enumerated() {
          func comment() -> Comment { "seed \(seed), round \(round): \(plan)" }
          let then = try objects(try QueryEngine.answer(plan, in: before))
          try #require(then == answers[place], comment())
          answers[place] = random.world.answer(plan)
          let now = try objects(try QueryEngine.answer(plan, in: store))
          try #require(now == answers[place], comment())
        }
      }
    }
  }

  @Test(
    "paging by cursors visits each entity once, in either direction, whatever the order",
    arguments: 0..<20)
  func cursors(batch: Int) throws {
    for seed in (batch * 4)..<(batch * 4 + 4) {
      var random = RandomWorld(seed: UInt64(seed))
      let store = random.world.store()
      var plan = random.plan()
      plan.page = .whole
      let all = try QueryEngine.answer(plan, in: store).rows
      let comment = Comment(rawValue: "seed \(seed): \(plan)")
      #expect(try pages(plan, store, forward: true) == all, comment)
      #expect(try pages(plan, store, forward: false) == all, comment)
    }
  }

  private func pages(
    _ plan: QueryPlan, _ store: TripleStore, forward: Bool
  ) throws -> [EntityHandle] {
    var plan = forward ? plan.page(first: 3) : plan.page(last: 3)
    var found: [EntityHandle] = []
    for _ in 0..<100 {
      let answer = try QueryEngine.answer(plan, in: store)
      found = forward ? found + answer.rows : answer.rows + found
      guard let info = answer.pageInfo else { break }
      if forward {
        guard info.hasNext, let end = info.end else { break }
        plan = plan.page(first: 3, after: end)
      } else {
        guard info.hasPrevious, let start = info.start else { break }
        plan = plan.page(last: 3, before: start)
      }
    }
    return found
  }

  private func objects(_ answer: Answer) throws -> [NaiveObject] {
    try answer.rows.map { entity in
      var values: [String: Value] = [:]
      for field in answer.fields { values[field.label] = answer.value(entity, field.label) }
      var relations: [String: [NaiveObject]] = [:]
      for label in answer.relations {
        relations[label] = try objects(try answer.related(label, of: entity))
      }
      return NaiveObject(id: answer.store.id(of: entity).text, values: values, relations: relations)
    }
  }
}
