import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples

@Suite("Remote store", .timeLimit(.minutes(10)))
struct RemoteStoreTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  @Test("an answer follows changes of others")
  func following() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(tasks))
    #expect(try await snapshots.next { $0.freshness == .live }.titles == ["one"])
    try await server.store.transact(Sample.task(2, title: "two"))
    let later = try await snapshots.next { $0.titles.count == 2 }
    #expect(later.titles == ["one", "two"])
    #expect(later.freshness == .live)
    #expect(later.store.checkInvariants() == [])
  }

  @Test("a change is confirmed when the call returns, with its effects")
  func writing() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    let written = try await remote.transact(Sample.title(1, "uno"))
    let change = try #require(written.changes?.changes.first)
    #expect((change.old, change.new) == ("one", "uno"))
    let there = try await server.store.get(AllObjectsQuery())
    #expect(there.transactionID == written.transactionID)
    #expect(there.titles == ["uno"])
    let undoing = Transaction(undoing: try #require(written.changes), in: written.store)
    try await remote.transact(undoing)
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
    #expect(try await remote.get(tasks).titles == ["one"])
  }

  @Test("an addition is reported with the entity it changes")
  func adding() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    try await server.store.transact(Sample.task(1, title: "one"))
    try await server.store.transact(Sample.link(1, to: 8))
    let remote = RemoteStore(server)
    var all = Snapshots(remote.watch(Sample.everything))
    _ = try await all.next { $0.freshness == .live }
    var none = Snapshots(
      remote.watch(
        QueryDocument(
          QueryPlan("tasks").filter(.compare(AttributePath(["title"]), .equal, "none")))))
    _ = try await none.next { $0.freshness == .live }
    let link = TransactionStep.addTriple(
      .id(Sample.id(1)), Sample.projectID, .text(Sample.id(9).text), .update)
    try await server.store.transact(
      Transaction([
        .addTriple(.id(Sample.id(9)), Sample.projectIDID, .text(Sample.id(9).text))
      ]))
    let written = try await remote.transact(Transaction([link]))
    let changes = try #require(written.changes)
    #expect(changes.changes.map(\.new) == [.text(Sample.id(9).text)])
    try await remote.transact(Transaction(undoing: changes, in: written.store))
    let left = try await server.store.get(AllObjectsQuery()).store
    let task = try #require(left.handle(of: Sample.id(1)))
    #expect(left.values(task, Sample.projectID).map(\.textValue) == [Sample.id(8).text])
  }

  @Test("a change of entities in several queries can be undone completely")
  func severalQueries() async throws {
    let server = LoopbackServer()
    try await server.store.transact(Sample.schema)
    for (number, title) in [(1, "one"), (2, "two")] {
      try await server.store.transact(Sample.task(number, title: title))
    }
    let remote = RemoteStore(server)
    var watched: [Snapshots] = []
    for title in ["one", "two"] {
      var snapshots = Snapshots(
        remote.watch(
          QueryDocument(
            QueryPlan("tasks").filter(.compare(AttributePath(["title"]), .equal, .text(title))))))
      _ = try await snapshots.next { $0.freshness == .live }
      watched.append(snapshots)
    }
    let written = try await remote.transact(
      Transaction(Sample.title(1, "uno").steps + Sample.title(2, "dos").steps))
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["dos", "uno"])
    let changes = try #require(written.changes)
    #expect(changes.changes.map(\.old) == ["one", "two"])
    try await remote.transact(
      Transaction(undoing: changes, in: written.store))
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one", "two"])
    #expect(watched.count == 2)
  }

  @Test("an optimistic change is shown at once, and undone if rejected")
  func optimistic() async throws {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks)
    var snapshots = watched
    try await client.answer(try await client.hear("add-query"), [1: "one"], processed: 7)
    let before = try await snapshots.next { $0.freshness == .live }
    let refused = Task { () async throws -> Void in
      try await remote.transact(Sample.title(1, "uno"))
    }
    let message = try await client.hear("transact")
    let shown = try await snapshots.next { $0.freshness == .optimistic }
    #expect(shown.titles == ["uno"])
    #expect(shown.pending.count == 1 && shown.pending.entities == [Sample.id(1)])
    #expect(shown.history.changes(since: before.transactionID)?.changes.map(\.new) == ["uno"])
    try await client.say([
      "op": "error", "status": 400, "type": "permission-denied",
      "client-event-id": message["client-event-id"] ?? .null, "message": "Not yours to change.",
      "hint": ["expected": "perms-pass?"],
    ])
    let error = await #expect(throws: DataSourceError.self) {
      try await refused.awaited("a rejection")
    }
    #expect(error?.code == .refused(type: "permission-denied"))
    #expect(error?.message == "Not yours to change.")
    #expect(error?.hint == #"{"expected":"perms-pass?"}"#)
    let after = try await snapshots.next { $0.freshness == .live }
    #expect(after.titles == ["one"])
    #expect(after.pending.count == 0)
    #expect(after.history.changes(since: shown.transactionID)?.changes.map(\.new) == ["one"])
  }

  @Test("a confirmed change stays shown until the answer contains it")
  func confirmedEarly() async throws {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks)
    var snapshots = watched
    let question = try await client.hear("add-query")
    try await client.answer(question, [1: "one"], processed: 7)
    _ = try await snapshots.next { $0.freshness == .live }
    async let written = remote.transact(Sample.title(1, "uno"))
    let message = try await client.hear("transact")
    try await client.say([
      "op": "transact-ok", "tx-id": 9, "client-event-id": message["client-event-id"] ?? .null,
    ])
    #expect(try await written.transactionID == 9)
    #expect(try await snapshots.next { $0.freshness == .live }.titles == ["uno"])
    // An answer from before the change does not take it away, one from after it is the truth.
    try await client.answer(question, [1: "one", 2: "two"], processed: 8)
    #expect(try await snapshots.next { $0.titles.count == 2 }.titles == ["two", "uno"])
    try await client.answer(question, [1: "UNO", 2: "two"], processed: 9)
    #expect(try await snapshots.next { $0.titles.contains("UNO") }.titles == ["UNO", "two"])
  }

  @Test("an invalid query fails with the server's message, and others continue")
  func wrongQuestion() async throws {
    let (remote, client, watched) = try await ScriptedServer.meeting(tasks)
    var snapshots = watched
    let question = try await client.hear("add-query")
    try await client.say([
      "op": "error", "status": 400, "type": "validation-failed",
      "client-event-id": question["client-event-id"] ?? .null, "message": "No such thing.",
      "hint": ["in": ["tasks"]],
    ])
    let error = await #expect(throws: DataSourceError.self) {
      _ = try await snapshots.next { $0.freshness == .live }
    }
    #expect(error?.message == "No such thing.")
    #expect(error?.hint == #"{"in":["tasks"]}"#)
    var others = Snapshots(remote.watch(AllObjectsQuery()))
    #expect(try await others.next { $0.freshness == .live }.store.schema.namespaces.count == 2)
  }

  @Test("the server's count and page info take precedence over local data")
  func served() async throws {
    var plan = QueryPlan("tasks")
    plan.page.limit = 1
    let (remote, client, watched) = try await ScriptedServer.meeting(QueryDocument(plan))
    defer { withExtendedLifetime(remote) {} }
    var snapshots = watched
    let page: Value = [
      "tasks": [
        "start-cursor": nil, "end-cursor": nil, "has-next-page?": true,
        "has-previous-page?": false,
      ]
    ]
    try await client.answer(
      try await client.hear("add-query"), [1: "one"], processed: 7,
      more: ["page-info": page, "aggregate": ["tasks": ["count": 41]]])
    let snapshot = try await snapshots.next { $0.freshness == .live }
    #expect(snapshot.served?.pages["tasks"]?.hasNext == true)
    #expect(snapshot.served?.counts == ["tasks": 41])
    let options = QueryOptions.standard.serving(try #require(snapshot.served))
    let answer = try QueryEngine.answer(plan, in: snapshot.store, options: options)
    #expect(answer.pageInfo?.hasNext == true)
  }

  @Test("a tree answer becomes the same triples")
  func tree() async throws {
    var plan = QueryPlan("projects")
    plan.setRelation("tasks", QueryPlan("tasks"))
    let (remote, client, watched) = try await ScriptedServer.meeting(QueryDocument(plan))
    defer { withExtendedLifetime(remote) {} }
    var snapshots = watched
    let question = try await client.hear("add-query")
    func task(_ number: Int, _ title: Value) -> Value {
      ["id": .text(Sample.id(number).text), "title": title]
    }
    try await client.say([
      "op": "add-query-ok", "q": question["q"] ?? .null, "processed-tx-id": 7,
      "client-event-id": question["client-event-id"] ?? .null,
      "result": [
        "projects": [["id": .text(Sample.id(9).text), "tasks": [task(2, "b"), task(1, "a")]]]
      ],
      "result-meta": ["page-info": [:], "aggregate": [:]],
    ])
    let snapshot = try await snapshots.next { $0.freshness == .live }
    let answer = try QueryEngine.answer(plan, in: snapshot.store)
    #expect(answer.rows.count == 1)
    let nested = try answer.related("tasks", of: try #require(answer.rows.first))
    #expect(nested.rows.map { nested.value($0, "title") } == ["b", "a"])
  }

  @Test("attributes are known without queries, and follow the server")
  func schema() async throws {
    let server = LoopbackServer()
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(AllObjectsQuery()))
    #expect(try await snapshots.next { $0.freshness == .live }.store.schema.namespaces == [])
    try await server.store.transact(Sample.schema)
    let later = try await snapshots.next { !$0.store.schema.namespaces.isEmpty }
    #expect(later.store.schema.namespaces.sorted() == ["projects", "tasks"])
    #expect(later.store.count(of: "tasks") == 0)
  }

  @Test("new attributes can be created and are the same on the server")
  func newAttributes() async throws {
    let server = LoopbackServer()
    let remote = RemoteStore(server)
    var snapshots = Snapshots(remote.watch(tasks))
    _ = try await snapshots.next { $0.freshness == .live }
    try await remote.transact(Transaction(Sample.schema.steps + Sample.task(1, title: "one").steps))
    #expect(
      try await snapshots.next { $0.freshness == .live && !$0.titles.isEmpty }.titles == ["one"])
    #expect(try await server.store.get(AllObjectsQuery()).titles == ["one"])
  }
}

/// Snapshots one after the other, until one is as wanted.
struct Snapshots {
  private var iterator: DataStream<StoreSnapshot>.Iterator

  init(_ stream: DataStream<StoreSnapshot>) { iterator = stream.makeAsyncIterator() }

  /// Waits for a snapshot, and names the last other one if that takes too long.
  mutating func next(
    file: String = #fileID, line: Int = #line, where isWanted: (StoreSnapshot) -> Bool
  ) async throws -> StoreSnapshot {
    var last: StoreSnapshot?
    return try await awaiting(
      "a snapshot", instead: last?.summary ?? "there was none", file: file, line: line
    ) {
      while let snapshot = try await iterator.next(isolation: nil) {
        if isWanted(snapshot) { return snapshot }
        last = snapshot
      }
      throw DataSourceError(.cancelled, "the stream ended")
    }
  }
}

extension StoreSnapshot {
  /// What a test reports of a snapshot that it did not wait for.
  var summary: String {
    let titles = self.titles.prefix(20)
    return "the last was \(freshness), with \(pending.count) pending changes and titles \(titles)"
  }

  /// The titles of all tasks, sorted.
  var titles: [String] {
    store.rows(of: "tasks").handles.compactMap { store.value($0, Sample.titleID)?.textValue }
      .sorted()
  }
}
