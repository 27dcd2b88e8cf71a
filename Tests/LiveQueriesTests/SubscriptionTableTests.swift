import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("Subscription table")
struct SubscriptionTableTests {
  typealias Action = SubscriptionTable.Action

  let first = SubscriptionID(number: 1)
  let second = SubscriptionID(number: 2)
  let third = SubscriptionID(number: 3)

  /// A table for a store that holds everything.
  static func whole() -> SubscriptionTable {
    var table = SubscriptionTable()
    _ = table.learn(holdsEverything: true)
    return table
  }

  // MARK: Subscribing

  @Test("nothing is watched before the kind of watch is known")
  func asking() {
    var table = SubscriptionTable()
    #expect(table.subscribe(first, to: Goals.all) == [.deliver(.loading, to: [first]), .askStore])
    #expect(table.subscribe(second, to: Goals.todos) == [.deliver(.loading, to: [second])])
    #expect(table.learn(holdsEverything: true) == [.startWatch(.everything)])
    #expect(table.learn(holdsEverything: true) == [])
  }

  @Test("a store that holds everything is watched once, any other once for each query")
  func sharing() {
    var table = Self.whole()
    #expect(
      table.subscribe(first, to: Goals.all) == [
        .deliver(.loading, to: [first]), .startWatch(.everything),
      ])
    #expect(table.subscribe(second, to: Goals.todos) == [.deliver(.loading, to: [second])])

    table = SubscriptionTable()
    _ = table.subscribe(first, to: Goals.all)
    let begun = table.learn(holdsEverything: false)
    #expect(begun.count == 1)
    let more = table.subscribe(second, to: Goals.todos)
    #expect(more.count == 2)
    #expect(more.last != begun.last)
    #expect(table.subscribe(third, to: Goals.all) == [.deliver(.loading, to: [third])])
  }

  @Test("queries are equal when their canonical JSON is, to the last scalar")
  func equality() throws {
    var table = SubscriptionTable()
    _ = table.learn(holdsEverything: false)
    let one = try QueryDocument(json: #"{"todos":{},"goals":{"$":{"where":{"a":1,"b":2}}}}"#)
    let two = try QueryDocument(json: #"{"goals":{"$":{"where":{"b":2,"a":1}}},"todos":{}}"#)
    _ = table.subscribe(first, to: one)
    #expect(table.subscribe(second, to: two) == [.deliver(.loading, to: [second])])

    let composed = QueryDocument(QueryPlan("caf\u{e9}"))
    let decomposed = QueryDocument(QueryPlan("cafe\u{301}"))
    _ = table.subscribe(SubscriptionID(number: 4), to: composed)
    #expect(table.subscribe(SubscriptionID(number: 5), to: decomposed).count == 2)
    #expect(table.watchedQueries.map(\.subscribers) == [2, 1, 1])
  }

  @Test("when the last subscriber leaves, the running evaluation stops")
  func leavingEarly() async throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    _ = table.subscribe(second, to: Goals.all)
    let begun = table.applySnapshot(try Goals.snapshot(goals: 1), from: .everything)
    guard case .evaluate(let evaluation)? = begun.last else {
      Issue.record("nothing is evaluated: \(begun)")
      return
    }
    #expect(table.unsubscribe(first) == [])
    let stopped = table.unsubscribe(second)
    #expect(stopped == [.stopEvaluating(evaluation.query), .stopWatch(.everything)])

    let cancelled = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return evaluation.run()
    }
    let outcome = await cancelled.value
    #expect(throws: LiveFailure.self) { try outcome.result.get() }
  }

  @Test("the watch continues for the other subscriber and ends with the last")
  func leaving() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    _ = table.subscribe(second, to: Goals.all)
    #expect(table.unsubscribe(first) == [])
    let told = table.settle(try Goals.snapshot(goals: 1))
    #expect(told.map(\.ids) == [[second]])
    #expect(table.unsubscribe(second) == [.stopWatch(.everything)])
    #expect(table.unsubscribe(second) == [])
    #expect(table.applySnapshot(try Goals.snapshot(goals: 2), from: .everything) == [])
    #expect(table.watchedQueries == [])
  }

  // MARK: Results

  @Test("a late subscriber receives the last answer in the newest snapshot")
  func lateSubscriber() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    let snapshot = try Goals.snapshot(goals: 1)
    _ = table.settle(snapshot)
    let next = try snapshot.after(Goals.todo(1, of: 0))
    #expect(table.settle(next).isEmpty)

    let heard = table.subscribe(second, to: Goals.all)
    guard case .deliver(.loaded(let answer), [second])? = heard.first, heard.count == 1 else {
      Issue.record("nothing was heard at once: \(heard)")
      return
    }
    #expect(answer.snapshot == next)
    #expect(answer.answers.first?.rows.count == 1)
  }

  @Test("a change is evaluated only for the queries that it may affect")
  func routing() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    _ = table.subscribe(second, to: Goals.todos)
    let snapshot = try Goals.snapshot(goals: 3)
    _ = table.settle(snapshot)
    let told = table.settle(try snapshot.after(Goals.todo(1, of: 0)))
    #expect(told.map(\.ids) == [[second]])
    #expect(table.watchedQueries.map(\.work.evaluations) == [1, 1])
    #expect(table.watchedQueries.map(\.work.updates) == [0, 1])
  }

  @Test("of many queries for one value each, only those for changed values are evaluated")
  func selecting() throws {
    var table = Self.whole()
    for number in 0..<50 {
      let plan = QueryPlan("goals").filter(.compare("rank", .equal, .integer(Int64(number))))
      _ = table.subscribe(SubscriptionID(number: number), to: QueryDocument(plan))
    }
    let snapshot = try Goals.snapshot(goals: 50)
    #expect(table.settle(snapshot).count == 50)
    let told = table.settle(try snapshot.after(Goals.set(7, "rank", 9.0)))
    #expect(told.flatMap(\.ids).map(\.number) == [7, 9])
    #expect(table.watchedQueries.map(\.work.updates).reduce(0, +) == 2)
    #expect(table.watchedQueries.map(\.work.evaluations) == [Int](repeating: 1, count: 50))
  }

  @Test("a change of an entity outside of the answer is not delivered")
  func unseen() throws {
    var table = Self.whole()
    let plan = QueryPlan("goals").filter(.compare("rank", .less, 2))
    _ = table.subscribe(first, to: QueryDocument(plan))
    let snapshot = try Goals.snapshot(goals: 5)
    _ = table.settle(snapshot)
    let next = try snapshot.after(Goals.set(3, "rank", 7))
    #expect(table.settle(next).isEmpty)
    #expect(table.settle(try next.after(Goals.set(3, "rank", 1))).map(\.ids) == [[first]])
  }

  @Test("a change deep in a relation is delivered to its subscribers")
  func nested() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.withTodos)
    let snapshot = try Goals.snapshot(goals: 2).after(Goals.todo(1, of: 1))
    _ = table.settle(snapshot)
    let text = Transaction([.addTriple(.id(Goals.todoID(1)), AttributeID("todos.text"), "other")])
    #expect(table.settle(try snapshot.after(text)).map(\.ids) == [[first]])
    // A todo of no goal is in no answer.
    let stray = Transaction(Goals.todo(2, of: 0).steps.dropLast())
    #expect(table.settle(try snapshot.after(text).after(stray)).isEmpty)
  }

  @Test("subscribers that display links get changes of them and of their targets")
  func neighbors() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    _ = table.subscribe(second, to: Goals.all, view: AnswerView(reach: .neighbors))
    let snapshot = try Goals.snapshot(goals: 2)
    _ = table.settle(snapshot)
    let linked = try snapshot.after(Goals.todo(1, of: 1))
    #expect(table.settle(linked).map(\.ids) == [[second]])
    let text = Transaction([.addTriple(.id(Goals.todoID(1)), AttributeID("todos.text"), "other")])
    let told = table.settle(try linked.after(text))
    #expect(told.map(\.ids) == [[second]])
    #expect(told.first?.result.answer?.answers.first?.relations == [])
  }

  @Test("the store's freshness reaches all subscribers without an evaluation")
  func freshness() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    let snapshot = try Goals.snapshot(goals: 1)
    _ = table.settle(snapshot)
    let stale = snapshot.standing(.archived(since: 5))
    let actions = table.applySnapshot(stale, from: .everything)
    guard case .deliver(.loaded(let answer), [first])? = actions.first, actions.count == 1 else {
      Issue.record("nothing was heard: \(actions)")
      return
    }
    #expect(answer.freshness == .archived(since: 5))
    #expect(table.applySnapshot(stale, from: .everything) == [])
    #expect(table.watchedQueries.first?.work.evaluations == 1)
  }

  @Test("a store becoming read-only reaches all subscribers without an evaluation")
  func readOnly() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    let snapshot = try Goals.snapshot(goals: 1)
    _ = table.settle(snapshot)
    let actions = table.applySnapshot(snapshot.readOnly(because: "moving house"), from: .everything)
    guard case .deliver(.loaded(let answer), [first])? = actions.first, actions.count == 1 else {
      Issue.record("nothing was heard: \(actions)")
      return
    }
    #expect(answer.snapshot.readOnlyReason == "moving house")
    #expect(table.watchedQueries.first?.work.evaluations == 1)
  }

  @Test("an empty result is an answer only after the server has answered")
  func unanswered() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    var served = ServedAnswer()
    served.isAwaited = true
    let empty = try Goals.snapshot(goals: 0)
    let offline = StoreSnapshot.Freshness.offline(since: 1, nextTry: 2, reason: "It is away")
    let told = table.settle(
      StoreSnapshot(empty.store, history: empty.history, freshness: offline, served: served))
    guard case .failed(let failure)? = told.first?.result, told.count == 1 else {
      Issue.record("what is not known was told: \(told)")
      return
    }
    #expect(
      failure.kind == .notAsked
        && failure.hint?.hasPrefix("It is away") == true)
    served.isAwaited = false
    let answered = table.settle(
      StoreSnapshot(empty.store, history: empty.history, freshness: .live, served: served))
    #expect(answered.first?.result.answer?.answers.first?.rows == [])
  }

  @Test(
    "a snapshot during an evaluation is evaluated next, and answers never go back in time")
  func overtaken() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    let snapshot = try Goals.snapshot(goals: 1)
    guard case .evaluate(let slow)? = table.applySnapshot(snapshot, from: .everything).first else {
      Issue.record("no evaluation")
      return
    }
    let second = try snapshot.after(Goals.goal(1))
    let third = try second.after(Goals.goal(2))
    #expect(table.applySnapshot(second, from: .everything) == [])
    #expect(table.applySnapshot(third, from: .everything) == [])

    let actions = table.applyOutcome(slow.run())
    guard case .deliver(let old, _)? = actions.first, case .evaluate(let next)? = actions.last
    else {
      Issue.record("no follow-up: \(actions)")
      return
    }
    #expect(old.titles?.count == 1)
    #expect(next.snapshot == third)
    let outcome = next.run()
    #expect(!outcome.isFullEvaluation)
    #expect(table.deliveries(table.applyOutcome(outcome)).first?.result.titles?.count == 3)
    #expect(table.applyOutcome(slow.run()) == [])
  }

  // MARK: Failures

  @Test("a failed watch is reported once and restarted by the next subscriber")
  func failing() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: Goals.all)
    let failure = LiveFailure(message: "no", hint: "yes", type: "refused")
    #expect(
      table.fail(.everything, failure) == [.deliver(.failed(failure), to: [first])])
    #expect(
      table.subscribe(second, to: Goals.all) == [
        .deliver(.failed(failure), to: [second]), .startWatch(.everything),
      ])
    #expect(table.settle(try Goals.snapshot(goals: 1)).map(\.ids) == [[first, second]])
  }

  @Test("a query that the schema rejects fails, and is answered once the schema allows it")
  func refused() throws {
    var table = Self.whole()
    _ = table.subscribe(first, to: QueryDocument(QueryPlan("goals").with("title")))
    let snapshot = try Goals.snapshot(goals: 1)
    #expect(table.settle(snapshot).first?.result.failure?.message.contains("title") == true)
    #expect(table.settle(try snapshot.after(Goals.goal(1))).isEmpty)
    let removed = try snapshot.after(Goals.goal(1)).after(
      Transaction([.deleteAttribute(AttributeID("goals.title"))]))
    #expect(table.settle(removed).first?.result.answer != nil)
  }
}

struct Delivery {
  let result: LiveResult
  let ids: [SubscriptionID]
}

extension SubscriptionTable {
  func deliveries(_ actions: [Action]) -> [Delivery] {
    actions.compactMap {
      if case .deliver(let result, let ids) = $0 { Delivery(result: result, ids: ids) } else { nil }
    }
  }

  /// Processes a snapshot and all resulting evaluations; returns the deliveries.
  mutating func settle(
    _ snapshot: StoreSnapshot, from subject: WatchSubject = .everything
  ) -> [Delivery] {
    var todo = applySnapshot(snapshot, from: subject)
    var told: [Delivery] = []
    while !todo.isEmpty {
      told += deliveries(todo)
      todo = todo.flatMap { action -> [Action] in
        if case .evaluate(let evaluation) = action { return applyOutcome(evaluation.run()) }
        return []
      }
    }
    return told
  }
}
