import InstaQL
import LiveQueries
import Testing

@Suite("Who watches what")
struct SubscriptionTableTests {
  let goals = QueryDocument(QueryPlan("goals"))
  let todos = QueryDocument(QueryPlan("todos"))
  let first = SubscriptionID(number: 1)
  let second = SubscriptionID(number: 2)
  let failed = LiveResult.failed(LiveFailure(message: "no"))

  @Test("the first subscriber starts the watch, an equal query does not")
  func sharing() {
    var table = SubscriptionTable()
    #expect(
      table.subscribe(first, to: goals) == [
        .startWatch(goals), .deliver(.loading, to: [first]),
      ])
    #expect(table.subscribe(second, to: goals) == [.deliver(.loading, to: [second])])
  }

  @Test("a late subscriber hears the last result at once")
  func lateSubscriber() {
    var table = SubscriptionTable()
    _ = table.subscribe(first, to: goals)
    _ = table.receive(failed, for: goals)
    #expect(table.subscribe(second, to: goals) == [.deliver(failed, to: [second])])
  }

  @Test("a result reaches the subscribers of its query and no others")
  func routing() {
    var table = SubscriptionTable()
    _ = table.subscribe(first, to: goals)
    _ = table.subscribe(second, to: todos)
    #expect(table.receive(failed, for: todos) == [.deliver(failed, to: [second])])
  }

  @Test("a result that repeats the last one is not told")
  func repetition() {
    var table = SubscriptionTable()
    _ = table.subscribe(first, to: goals)
    _ = table.receive(failed, for: goals)
    #expect(table.receive(failed, for: goals) == [])
  }

  @Test("one of two leaves the other watching, the last one ends the watch")
  func leaving() {
    var table = SubscriptionTable()
    _ = table.subscribe(first, to: goals)
    _ = table.subscribe(second, to: goals)
    #expect(table.unsubscribe(first) == [])
    #expect(table.receive(failed, for: goals) == [.deliver(failed, to: [second])])
    #expect(table.unsubscribe(second) == [.stopWatch(goals)])
    #expect(table.unsubscribe(second) == [])
    #expect(table.receive(failed, for: goals) == [])
  }
}
