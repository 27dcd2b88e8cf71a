import InstaQL
import Testing
import Triples

struct NegationTests {
  @Test("a negated condition is true exactly where the condition is false", arguments: 0..<10)
  func law(batch: Int) throws {
    var tried = 0
    for seed in (batch * 6)..<(batch * 6 + 6) {
      var random = RandomWorld(seed: UInt64(seed))
      let store = random.world.store()
      for round in 0..<10 {
        let plan = random.plan()
        // An unknown name makes both answers empty, as in the reference.
        guard let condition = plan.condition else { continue }
        let isKnown =
          (try? ConditionNode(
            parsing: condition.text, of: plan.namespace, schema: store.schema)) != nil
        guard isKnown else { continue }
        let all = QueryPlan(plan.namespace)
        let these = try QueryEngine.answer(all.filter(condition), in: store).rows
        let others = try QueryEngine.answer(all.filter(.not(condition)), in: store).rows
        let comment = Comment(rawValue: "seed \(seed), round \(round): \(condition.text)")
        #expect(Set(these).isDisjoint(with: others), comment)
        #expect(these.count + others.count == store.count(of: plan.namespace), comment)
        tried += 1
      }
    }
    #expect(tried > 5)
  }
}
