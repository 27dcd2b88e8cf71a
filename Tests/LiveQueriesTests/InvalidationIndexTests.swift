import DataSourcesTesting
import InstaQL
import LiveQueries
import TestSupport
import Testing
import Triples

@Suite("Finding the queries that a change affects")
struct InvalidationIndexTests {
  @Test(
    "queries without a new result after a random transaction have unchanged answers",
    arguments: 0..<4 as Range<UInt64>)
  func random(seed: UInt64) throws {
    var random = RandomGoals(seed: seed)
    var table = SubscriptionTableTests.whole()
    let documents = (0..<40).map { _ in QueryDocument(random.plan()) }
    for (number, document) in documents.enumerated() {
      _ = table.subscribe(SubscriptionID(number: number), to: document)
    }
    var snapshot = try Goals.snapshot(goals: 12)
    for todo in 0..<12 { snapshot = try snapshot.after(Goals.todo(todo, of: todo % 5)) }
    var shown: [Int: LiveAnswer] = [:]
    for delivery in table.settle(snapshot) {
      for id in delivery.ids { shown[id.number] = delivery.result.answer }
    }
    let looks = table.looks
    for round in 0..<40 {
      let transaction = random.transaction()
      // A rejected transaction changes nothing.
      guard let next = try? snapshot.after(transaction, at: Int64(10 + round)) else { continue }
      snapshot = next
      for delivery in table.settle(snapshot) {
        for id in delivery.ids {
          let answer = try #require(delivery.result.answer)
          #expect(answer.snapshot == snapshot)
          let changes = try #require(shown[id.number].flatMap { answer.changes(since: $0) })
          let rows = shown[id.number]?.ids ?? []
          #expect(changes.first?.applied(to: rows) == answer.ids)
          shown[id.number] = answer
        }
      }
      for (number, document) in documents.enumerated() {
        func comment() -> Comment { "seed \(seed), round \(round): \(document.canonicalJSON)" }
        let answer = try #require(shown[number], comment())
        let wanted = try QueryEngine.json(document, in: snapshot.store)
        try #require(try answer.json == wanted, comment())
      }
    }
    // Most transactions affect few of the queries.
    #expect(table.looks - looks < 40 * documents.count / 2)
  }

  @Test(
    "a query by id gets a new entity, however few the store contained before",
    arguments: [0, 1_023, 1_024])
  func firstOfItsID(known: Int) throws {
    var table = SubscriptionTableTests.whole()
    let id = Goals.id(known)
    _ = table.subscribe(
      SubscriptionID(number: 0),
      to: QueryDocument(QueryPlan("goals").filter(.compare("id", .equal, .text(id.text)))))
    let before = try Goals.snapshot(goals: known)
    #expect(table.settle(before).last?.result.answer?.ids == [])
    let after = try before.after(Goals.goal(known), at: 2)
    #expect(table.settle(after).last?.result.answer?.ids == [id])
  }

  @Test("a query by id gets all changes of the entity, in whichever namespaces")
  func changesOfAnID() throws {
    var table = SubscriptionTableTests.whole()
    let id = Goals.todoID(3)
    _ = table.subscribe(
      SubscriptionID(number: 0),
      to: QueryDocument(
        QueryPlan("todos").filter(.compare("id", .equal, .text(id.text))).with("goal")))
    var snapshot = try Goals.snapshot(goals: 5)
    for todo in 0..<5 { snapshot = try snapshot.after(Goals.todo(todo, of: 0)) }
    _ = table.settle(snapshot)
    let text = AttributeID("todos.text")
    snapshot = try snapshot.after(Transaction([.addTriple(.id(id), text, "Another")]), at: 30)
    var told = try #require(table.settle(snapshot).last?.result.answer)
    #expect(try told.json.contains("Another"))
    let goal = AttributeID("todos.goal")
    snapshot = try snapshot.after(
      Transaction([.addTriple(.id(id), goal, .text(Goals.id(4).text))]), at: 31)
    told = try #require(table.settle(snapshot).last?.result.answer)
    #expect(try told.json.contains(Goals.id(4).text))
  }
}

extension SubscriptionTable {
  fileprivate var looks: Int {
    watchedQueries.reduce(0) { $0 + ($1.work.evaluations + $1.work.updates) * $1.subscribers }
  }
}

extension LiveAnswer {
  fileprivate var ids: [EntityID] {
    answers.flatMap { answer in answer.rows.map { answer.store.id(of: $0) } }
  }

  fileprivate var json: String {
    get throws {
      var output = JSONOutput(capacity: 1_024)
      try QueryEngine.json(answers, into: &output)
      return output.text
    }
  }
}

/// Random queries and changes of goals and todos, reproducible by a seed.
private struct RandomGoals {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func plan() -> QueryPlan {
    let rank = Value.integer(Int64(random.below(12)))
    let goal = Value.text(Goals.id(random.below(12)).text)
    let all = QueryPlan("goals")
    switch random.below(12) {
    case 0: return all.filter(.compare("rank", .equal, rank)).with("todos")
    case 1: return all.filter(.compare("id", .equal, goal)).with("todos")
    case 2: return all.filter(.isIn("rank", [rank, 1.0, .null])).limit(2)
    case 3: return all.filter(.compare("rank", .greater, rank)).order("rank", .descending).limit(3)
    case 4: return all.filter(.compare("todos.text", .equal, .text("todo \(random.below(9))")))
    case 5: return QueryPlan("todos").filter(.compare("goal.rank", .equal, rank)).with("goal")
    case 6: return QueryPlan("todos").filter(.compare("goal", .equal, goal)).order("text").limit(2)
    case 7: return QueryPlan("todos").filter(.isNull("goal", true))
    case 8: return QueryPlan("todos").filter(.compare("goal.id", .equal, goal)).count()
    case 9: return all.filter(.compare("rank", .notEqual, rank)).offset(2).limit(3)
    case 10: return all.group(by: "rank").aggregate(Aggregation(.count))
    default: return all.order("title", .descending).limit(4).with("todos") { $0.limit(1) }
    }
  }

  mutating func transaction() -> Transaction {
    let goal = random.below(14)
    let todo = EntityReference.id(Goals.todoID(random.below(14)))
    let link = AttributeID("todos.goal")
    switch random.below(10) {
    case 0: return Goals.goal(goal)
    case 1: return Goals.delete(goal)
    case 2: return Goals.todo(random.below(14), of: goal)
    case 3: return Transaction([.deleteEntity(todo, namespace: "todos")])
    case 4: return Transaction([.addTriple(todo, link, .text(Goals.id(goal).text))])
    case 5: return Transaction([.retractTriple(todo, link, .text(Goals.id(goal).text))])
    case 6:
      let text = Value.text("todo \(random.below(9))")
      return Transaction([.addTriple(todo, AttributeID("todos.text"), text)])
    case 7: return Goals.set(goal, "rank", [.null, 2.0, "2"][random.below(3)])
    case 8: return Goals.set(goal, "title", .text("goal \(random.below(20))"))
    default: return Goals.set(goal, "rank", .integer(Int64(random.below(12))))
    }
  }
}
