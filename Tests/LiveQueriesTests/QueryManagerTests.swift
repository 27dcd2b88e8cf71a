import DataSources
import InstaQL
import LiveQueries
import TestSupport
import Testing
import Triples

@Suite("A query manager", .timeLimit(.minutes(10)))
struct QueryManagerTests {
  @Test("a subscriber receives loading, a failure and an answer, each once")
  func states() async throws {
    let store = ManualStore()
    let manager = QueryManager(store: store)
    var results = await manager.subscribe(to: Goals.all).results.iterator()
    #expect(try await results.next() == .loading)
    store.publish(try Goals.store(goals: 2))
    #expect(try await results.next()?.titles == ["goal 0", "goal 1"])
    store.fail(.failed("gone"))
    #expect(try await results.next() == .failed(LiveFailure(message: "gone")))
    _ = await manager.subscribe(to: Goals.todos)
    #expect(try await results.next()?.titles?.count == 2)
  }

  @Test("subscribing to {\"goals\": {}} delivers loading and then all goals")
  func goals() async throws {
    let store = ManualStore()
    let manager = QueryManager(store: store)
    let document = try QueryDocument(json: #"{"goals": {}}"#)
    var results = await manager.subscribe(to: document).results.iterator()
    #expect(try await results.next() == .loading)
    store.publish(try Goals.store(goals: 3))
    let answer = try #require(try await results.nextAnswer())
    #expect(answer["goals"]?.rows.count == 3)
    #expect(answer["todos"] == nil)
  }

  @Test("a subscriber receives each new answer with its page and freshness")
  func answers() async throws {
    let store = ManualStore(try Goals.store(goals: 5))
    let manager = QueryManager(store: store)
    let plan = QueryPlan("goals").order("rank", .descending).limit(2)
    var results = await manager.subscribe(to: QueryDocument(plan)).results.iterator()
    var answer = try #require(try await results.nextAnswer())
    #expect(answer.answers[0].pageInfo?.hasNext == true)
    #expect(answer.freshness == .live)
    #expect(LiveResult.loaded(answer).titles == ["goal 4", "goal 3"])
    try await manager.transact(Goals.set(0, "rank", 9))
    answer = try #require(try await results.nextAnswer())
    #expect(LiveResult.loaded(answer).titles == ["goal 0", "goal 4"])
    store.publish(
      try #require(store.snapshot).standing(.offline(since: 1, nextTry: 2, reason: "no")))
    #expect(
      try await results.nextAnswer()?.freshness == .offline(since: 1, nextTry: 2, reason: "no"))
  }

  @Test("the beginning of a store answers a query for all rows; other queries wait for the rest")
  func beginning() async throws {
    let store = ManualStore(try Goals.store(goals: 2))
    store.publish(try #require(store.snapshot).standing(.loading))
    let manager = QueryManager(store: store)
    let sorted = QueryDocument(QueryPlan("goals").order("rank", .descending))
    var all = await manager.subscribe(to: Goals.all).results.iterator()
    var top = await manager.subscribe(to: sorted).results.iterator()
    let first = try #require(try await all.nextAnswer())
    #expect(first.freshness == .loading && first.answers[0].rows.count == 2)
    async let single = manager.snapshot(of: Goals.all, showing: AnswerView())
    store.publish(try Goals.store(goals: 3))
    #expect(try await all.nextAnswer()?.answers[0].rows.count == 3)
    #expect(
      try await top.nextAnswer().map(LiveResult.loaded)?.titles == ["goal 2", "goal 1", "goal 0"])
    #expect(try await single.freshness == .live)
  }

  @Test("each goal contains its todos, and a new todo appears without another call")
  func relations() async throws {
    let store = ManualStore(try Goals.store(goals: 2))
    let manager = QueryManager(store: store)
    var results = await manager.subscribe(to: Goals.withTodos).results.iterator()
    _ = try await results.nextAnswer()
    _ = try await manager.transact(Goals.todo(1, of: 1))
    let answer = try #require(try await results.nextAnswer()?.answers.first)
    let todos = try answer.rows.map { try answer.related("todos", of: $0).rows.count }
    #expect(todos == [0, 1])
  }

  @Test("a query for one id has exactly that goal")
  func byID() async throws {
    let manager = QueryManager(store: ManualStore(try Goals.store(goals: 5)))
    let query = try QueryDocument(
      json: #"{"goals":{"$":{"where":{"id":"\#(Goals.id(3).text)"}}}}"#)
    var results = await manager.subscribe(to: query).results.iterator()
    #expect(try await results.nextAnswer().map(LiveResult.loaded)?.titles == ["goal 3"])
  }

  @Test("a callback receives the results of its subscription until it ends")
  func callback() async throws {
    let store = ManualStore(try Goals.store(goals: 1))
    let manager = QueryManager(store: store)
    let (received, continuation) = AsyncStream.makeStream(of: LiveResult.self)
    let id = await manager.subscribe(
      to: Goals.all, reach: .answer, receive: { continuation.yield($0) })
    var results = received.awaited("a call").makeAsyncIterator()
    #expect(try await results.next() == .loading)
    #expect(try await results.next()?.titles == ["goal 0"])
    await manager.unsubscribe(id)
    var others = await manager.subscribe(to: Goals.all).results.iterator()
    _ = try await others.nextAnswer()
    try await manager.transact(Goals.set(0, "title", "changed"))
    #expect(try await others.nextAnswer().map(LiveResult.loaded)?.titles == ["changed"])
    continuation.finish()
    #expect(try await results.next() == nil)
  }

  // MARK: Sharing

  @Test("a remote store is queried once for queries with equal canonical JSON")
  func oneMessage() async throws {
    let store = ManualStore(try Goals.store(goals: 1), holdsEverything: false)
    let manager = QueryManager(store: store)
    let one = try QueryDocument(
      json: #"{"goals":{"todos":{},"$":{"where":{"rank":0,"title":"goal 0"}}}}"#)
    let two = try QueryDocument(
      json: #"{"goals":{"$":{"where":{"title":"goal 0","rank":0}},"todos":{}}}"#)
    let first = await manager.subscribe(to: one)
    let second = await manager.subscribe(to: two)
    for subscription in [first, second] {
      var results = subscription.results.iterator()
      #expect(try await results.nextAnswer().map(LiveResult.loaded)?.titles == ["goal 0"])
    }
    #expect(store.keys == [one.canonicalJSON])

    await manager.unsubscribe(first.id)
    var results = second.results.iterator()
    _ = try await manager.transact(Goals.todo(1, of: 0))
    #expect(try await results.nextAnswer() != nil)
    await manager.unsubscribe(second.id)
    try await store.ended()
  }

  @Test("a store that holds everything is watched once, however many queries there are")
  func oneWatch() async throws {
    let store = ManualStore(try Goals.store(goals: 20))
    let manager = QueryManager(store: store)
    var subscriptions: [Subscription] = []
    for number in 0..<20 {
      let plan = QueryPlan("goals").filter(.compare("rank", .equal, .integer(Int64(number))))
      subscriptions.append(await manager.subscribe(to: QueryDocument(plan)))
    }
    for (number, subscription) in subscriptions.enumerated() {
      var results = subscription.results.iterator()
      #expect(try await results.nextAnswer().map(LiveResult.loaded)?.titles == ["goal \(number)"])
    }
    #expect(store.watchCount == 1)
  }

  @Test("a late subscriber receives the current result first")
  func late() async throws {
    let manager = QueryManager(store: ManualStore(try Goals.store(goals: 3)))
    var early = await manager.subscribe(to: Goals.all).results.iterator()
    _ = try await early.nextAnswer()
    var late = await manager.subscribe(to: Goals.all).results.iterator()
    #expect(try await late.next()?.titles?.count == 3)
    withExtendedLifetime(early) {}
  }

  @Test("a change reaches exactly the subscribers of affected queries")
  func routing() async throws {
    let store = ManualStore(try Goals.store(goals: 1))
    let manager = QueryManager(store: store)
    var goals = await manager.subscribe(to: Goals.all).results.iterator()
    var todos = await manager.subscribe(to: Goals.todos).results.iterator()
    _ = try await goals.nextAnswer()
    _ = try await todos.nextAnswer()
    _ = try await manager.transact(Goals.todo(1, of: 0))
    #expect(try await todos.nextAnswer()?.answers.first?.rows.count == 1)
    _ = try await manager.transact(Goals.goal(7))
    #expect(try await goals.nextAnswer()?.answers.first?.rows.count == 2)
    // One evaluation at the start, then one update for the one change that affected each.
    #expect(await manager.watchedQueries.map(\.work.evaluations) == [1, 1])
    #expect(await manager.watchedQueries.map(\.work.updates) == [1, 1])
  }

  // MARK: Ending

  @Test("the watch of two equal subscribers ends when the second one leaves")
  func leaving() async throws {
    let store = ManualStore(try Goals.store(goals: 1))
    let manager = QueryManager(store: store)
    let first = await manager.subscribe(to: Goals.all)
    let second = await manager.subscribe(to: Goals.all)
    var results = second.results.iterator()
    _ = try await results.nextAnswer()
    await manager.unsubscribe(first.id)
    _ = try await manager.transact(Goals.goal(5))
    #expect(try await results.nextAnswer()?.answers.first?.rows.count == 2)
    await manager.unsubscribe(second.id)
    try await store.ended()
    #expect(try await results.next() == nil)
  }

  @Test("a canceled subscriber receives nothing more, not even a pending result")
  func cancelled() async throws {
    let store = ManualStore(try Goals.store(goals: 1))
    let manager = QueryManager(store: store)
    let leaving = await manager.subscribe(to: Goals.all)
    var staying = await manager.subscribe(to: Goals.all).results.iterator()
    _ = try await staying.nextAnswer()
    await manager.unsubscribe(leaving.id)
    _ = try await manager.transact(Goals.goal(5))
    _ = try await staying.nextAnswer()
    var results = leaving.results.iterator()
    #expect(try await results.next() == nil)
  }

  @Test("dropping the results ends the subscription")
  func dropping() async throws {
    let store = ManualStore(try Goals.store(goals: 1))
    let manager = QueryManager(store: store)
    do {
      var results = await manager.subscribe(to: Goals.all).results.iterator()
      _ = try await results.nextAnswer()
    }
    try await store.ended()
    #expect(await manager.watchedQueries == [])
  }

  // MARK: Errors

  @Test("a query that a server rejects fails with its message, hint and type")
  func refusedQuery() async throws {
    let store = ManualStore(holdsEverything: false)
    let manager = QueryManager(store: store)
    var results = await manager.subscribe(to: Goals.all).results.iterator()
    #expect(try await results.next() == .loading)
    try await waitUntil("the store is watched") { store.watchCount > 0 }
    store.fail(
      DataSourceError(
        .refused(type: "validation-failed"), "No such thing", hint: #"{"at":"goals"}"#))
    #expect(
      try await results.next()
        == .failed(
          LiveFailure(
            message: "No such thing", hint: #"{"at":"goals"}"#, type: "validation-failed")))
  }

  @Test("a query that cannot be answered fails with a message")
  func impossible() async throws {
    let manager = QueryManager(store: ManualStore(try Goals.store(goals: 1)))
    let wrong = QueryDocument(QueryPlan("goals").with("title"))
    var results = await manager.subscribe(to: wrong).results.iterator()
    while let result = try await results.next() {
      if result == .loading { continue }
      #expect(result.failure?.message.contains("title") == true)
      break
    }
  }

  @Test("a rejected transaction throws the store's message and changes nothing")
  func refusedTransaction() async throws {
    let manager = QueryManager(store: ManualStore(try Goals.store(goals: 1)))
    let failure = await #expect(throws: LiveFailure.self) {
      try await manager.transact(Goals.set(0, "nobody", 1))
    }
    #expect(failure?.type == "record-not-found")
    #expect(failure?.message.contains("nobody") == true)
  }

  @Test("a transaction returns the changed store and its changes")
  func transacting() async throws {
    let manager = QueryManager(store: ManualStore(try Goals.store(goals: 1)))
    let snapshot = try await manager.transact(Goals.set(0, "rank", 4))
    #expect(snapshot.changes?.changes.map(\.new) == [4])
  }

  // MARK: The list

  @Test("the list of watched queries contains subscriber counts and costs")
  func list() async throws {
    let store = ManualStore(try Goals.store(goals: 3))
    let manager = QueryManager(store: store)
    let first = await manager.subscribe(to: Goals.all)
    let second = await manager.subscribe(to: Goals.all)
    var lists = await manager.watchedQueryLists().awaited("a list").makeAsyncIterator()
    let loaded = try await lists.next("a loaded query") { $0.first?.state == .loaded }
    let list = try #require(loaded)
    #expect(list.count == 1)
    #expect(list.first?.document == Goals.all)
    #expect(list.first?.subscribers == 2)
    #expect(list.first?.rows == 3)
    #expect(list.first?.freshness == .live)
    #expect(list.first?.deliveredTransaction == store.snapshot?.transactionID)
    await manager.unsubscribe(first.id)
    _ = try await lists.next("one subscriber") { $0.first?.subscribers == 1 }
    await manager.unsubscribe(second.id)
    _ = try await lists.next("an empty list") { $0.isEmpty }
  }
}

extension LiveResults {
  /// An iterator that waits a minute for each result.
  func iterator(
    file: String = #fileID, line: Int = #line
  ) -> AwaitedSequence<LiveResults>.Iterator {
    awaited("a result", file: file, line: line).makeAsyncIterator()
  }
}

extension AsyncIteratorProtocol where Element == LiveResult {
  /// The next answer; nil when the subscription ends or fails first.
  mutating func nextAnswer() async throws -> LiveAnswer? {
    while let result = try await next(isolation: #isolation) {
      switch result {
      case .loading: continue
      case .loaded(let answer): return answer
      case .failed: return nil
      }
    }
    return nil
  }
}
