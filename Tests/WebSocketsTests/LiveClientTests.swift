import InstaQL
import LiveQueries
import Stores
import Sync
import Synchronization
import Testing
import Triples
import WebSockets

private let beds = QueryDocument(QueryPlan("beds"))
private let plants = QueryDocument(QueryPlan("plants"))
private let bedsWithPlants = QueryDocument(
  QueryPlan("beds", relations: [QueryPlan.Relation("plants")]))

/// What a client says over a socket, kept for the test.
private final class Spoken: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  /// What was said of one kind.
  func all(_ operation: String) -> [String] {
    texts.withLock { $0.filter { $0.hasPrefix("{\"op\":\"\(operation)\"") } }
  }
}

private struct RecordedChannel: MessageChannel {
  let base: any MessageChannel
  let spoken: Spoken

  var incoming: AsyncStream<String> { base.incoming }
  var endReason: String? { base.endReason }

  func send(_ text: String) async throws(ChannelClosed) {
    spoken.add(text)
    try await base.send(text)
  }

  func offer(_ text: String) -> Bool {
    spoken.add(text)
    return base.offer(text)
  }

  func close() async { await base.close() }
}

/// A client as a program has it: live queries over a store behind a socket.
private struct LiveClient {
  let store: RemoteStore
  let manager: QueryManager
  let spoken = Spoken()

  init(_ address: ServerAddress) {
    let client = WebSocketClient(address)
    store = RemoteStore(Opening(appID: "garden"), random: { 0 }) { [spoken] in
      RecordedChannel(base: try await client.connect(), spoken: spoken)
    }
    manager = QueryManager(store: store)
  }

  func watch(_ document: QueryDocument) async -> Results {
    Results(await manager.subscribe(to: document))
  }
}

/// The results of one subscription, as they come.
private final class Results {
  let id: SubscriptionID
  private var results: LiveResults.Iterator

  init(_ subscription: Subscription) {
    id = subscription.id
    results = subscription.results.makeAsyncIterator()
  }

  func next() async -> LiveResult? { await results.next(isolation: #isolation) }

  /// The next answer of which this holds.
  func answer(where isWanted: (LiveAnswer) -> Bool = { _ in true }) async throws -> LiveAnswer {
    while let result = await next() {
      switch result {
      case .loading: continue
      case .loaded(let answer) where isWanted(answer): return answer
      case .loaded: continue
      case .failed(let failure): throw failure
      }
    }
    throw Unexpected(what: "the subscription ended")
  }
}

extension LiveAnswer {
  /// The names of all rows.
  fileprivate var names: [String] { answers.flatMap { answer in answer.names(answer.rows) } }
}

extension Answer {
  fileprivate func names(_ rows: [EntityHandle]) -> [String] {
    rows.map { row in
      if case .text(let name)? = value(row, "name") { return name }
      return "nothing"
    }
  }
}

/// Serves the garden and gives a client of it.
private func withClient(
  _ body: (LiveClient, Served) async throws -> Void
) async throws {
  try await Wire.socket.serveGarden { served in
    let client = LiveClient(try #require(served.listener).address)
    do { try await body(client, served) } catch {
      await client.store.close()
      throw error
    }
    await client.store.close()
  }
}

@Suite("Live queries over a socket", .timeLimit(.minutes(1)))
struct LiveClientTests {
  @Test("a query is sent as its canonical JSON")
  func canonical() async throws {
    try await withClient { client, _ in
      let document = try QueryDocument(text: "plants filter height > 25 order name limit 2")
      _ = try await client.watch(document).answer()
      let asked = client.spoken.all("add-query").filter { $0.contains("plants") }
      #expect(asked.count == 1)
      let wire = try document.wireJSON()
      #expect(asked.first?.contains("\"q\":" + wire) == true)
    }
  }

  @Test("a subscription is loading, then holds the data")
  func loading() async throws {
    try await withClient { client, _ in
      let results = await client.watch(beds)
      #expect(await results.next() == .loading)
      let told = try await results.answer { $0.freshness == .live }
      #expect(told.names == ["North", "South"])
    }
  }

  @Test("a cursor of another order fails with the reason, and others go on")
  func failure() async throws {
    try await withClient { client, _ in
      let wrong = QueryDocument(
        QueryPlan(
          "plants",
          page: Page(
            after: Cursor(
              entity: Garden.id(1), attribute: Garden.height, value: 30, createdAt: 2))))
      let results = await client.watch(wrong)
      var failure: LiveFailure?
      while failure == nil, let result = await results.next() {
        if case .failed(let told) = result { failure = told }
      }
      #expect(failure?.message.contains("cursor") == true)
      let told = try await client.watch(beds).answer()
      #expect(told.names.count == 2)
    }
  }

  @Test("relations are followed, in order")
  func relations() async throws {
    try await withClient { client, _ in
      let answer = try await client.watch(bedsWithPlants).answer { $0.freshness == .live }
      let first = try #require(answer.answers.first)
      let lists = try first.rows.map { row -> [String] in
        let related = try first.related("plants", of: row)
        return related.names(related.rows)
      }
      #expect(lists == [["Aster", "Borage"], ["Chive"]])
    }
  }

  @Test("an id is found, and nothing else")
  func byID() async throws {
    try await withClient { client, _ in
      let document = try QueryDocument(
        instaQL: ["plants": ["$": ["where": ["id": .text(Garden.id(2).text)]]]])
      let told = try await client.watch(document).answer { $0.freshness == .live }
      #expect(told.names == ["Borage"])
    }
  }

  @Test(
    "two subscribers of equal queries send one message, and both hear; so does a late one at once")
  func sharing() async throws {
    try await withClient { client, _ in
      let one = try QueryDocument(
        instaQL: ["plants": ["$": ["limit": 2, "order": ["name": "asc"]]]])
      let other = try QueryDocument(
        instaQL: ["plants": ["$": ["order": ["name": "asc"], "limit": 2]]])
      let (first, second) = (await client.watch(one), await client.watch(other))
      let here = try await first.answer { $0.freshness == .live }
      let there = try await second.answer { $0.freshness == .live }
      #expect(here.names == ["Aster", "Borage"] && there.names == here.names)
      let late = await client.watch(one)
      guard case .loaded(let known)? = await late.next() else {
        Issue.record("a late subscriber waits")
        return
      }
      #expect(known.names == here.names)
      #expect(client.spoken.all("add-query").filter { $0.contains("plants") }.count == 1)
    }
  }

  @Test("a change by a second client appears by itself, and only where it belongs")
  func refresh() async throws {
    try await withClient { client, served in
      let other = LiveClient(try #require(served.listener).address)
      let (mine, theirs) = (await client.watch(plants), await other.watch(plants))
      let untouched = await client.watch(beds)
      _ = try await mine.answer { $0.freshness == .live }
      _ = try await theirs.answer { $0.freshness == .live }
      let before = try await untouched.answer { $0.freshness == .live }
      try await other.manager.transact(Transaction(Garden.plant(4, "Dill", height: 9)))
      let told = try await mine.answer { $0.names.contains("Dill") }
      #expect(told.names.count == 4)
      try await client.manager.transact(Transaction(Garden.plant(5, "Endive", height: 9)))
      let later = try await theirs.answer { $0.names.contains("Endive") }
      #expect(later.names.count == 5)
      #expect(before.names == ["North", "South"])
      await other.store.close()
    }
  }

  @Test("one of two unsubscribes and the other hears on; the server is told after the last")
  func unsubscribing() async throws {
    try await withClient { client, served in
      let (first, second) = (await client.watch(plants), await client.watch(plants))
      _ = try await first.answer { $0.freshness == .live }
      await client.manager.unsubscribe(first.id)
      #expect(client.spoken.all("remove-query").filter { $0.contains("plants") }.isEmpty)
      let writer = try await served.open()
      try await writer.change(Transaction(Garden.plant(4, "Dill", height: 9)))
      _ = try await second.answer { $0.names.contains("Dill") }
      await client.manager.unsubscribe(second.id)
      while client.spoken.all("remove-query").filter({ $0.contains("plants") }).isEmpty {
        await Task.yield()
      }
      try await writer.change(Transaction(Garden.plant(5, "Endive", height: 9)))
      while case .loaded(let answer)? = await second.next() {
        #expect(!answer.names.contains("Endive"))
      }
      #expect(await first.next() == nil)
    }
  }

  @Test("a refused change fails with the server's reason, and others go on")
  func refused() async throws {
    try await withClient { client, _ in
      let results = await client.watch(plants)
      _ = try await results.answer { $0.freshness == .live }
      // What is not there cannot be updated, which a client that sees a part cannot know.
      let error = await #expect(throws: (any Error).self) {
        try await client.manager.transact(
          Transaction([.addTriple(.id(Garden.id(9)), Garden.height, "tall", .update)]))
      }
      #expect("\(String(describing: error))".contains("exist"))
      let writer = try await client.manager.transact(
        Transaction(Garden.plant(4, "Dill", height: 9)))
      #expect(writer.transactionID > 0)
      let told = try await results.answer { $0.names.contains("Dill") }
      #expect(told.names.count == 4)
    }
  }

  @Test("what was written while the server was away arrives once, and the screen says what goes on")
  func away() async throws {
    let kept = MemoryStore(try Garden.store())
    let first = try await WebSocketListener.open(SyncServer(store: kept), access: AccessRule())
    let client = LiveClient(first.address)
    let results = await client.watch(plants)
    _ = try await results.answer { $0.freshness == .live }
    await first.close()
    let away = try await results.answer {
      if case .offline = $0.freshness { true } else { false }
    }
    #expect(away.names.count == 3)
    async let written = client.manager.transact(Transaction(Garden.plant(4, "Dill", height: 9)))
    let shown = try await results.answer { $0.names.contains("Dill") }
    #expect(shown.snapshot.pending.count == 1)

    let second = try await WebSocketListener.open(
      SyncServer(store: kept), access: AccessRule(), .init(port: first.port))
    let back = try await results.answer {
      $0.freshness == .live && $0.snapshot.pending.count == 0
    }
    #expect(back.names.contains("Dill"))
    _ = try await written
    let there = await kept.snapshot()
    #expect(there.transactionID == 3)
    #expect(there.store.count(of: "plants") == 4)
    await client.store.close()
    await second.close()
  }

  @Test("a store behind a server can be served again, to others who watch and write")
  func proxy() async throws {
    try await withClient { near, _ in
      let proxy = try await WebSocketListener.open(
        SyncServer(store: near.store), access: AccessRule())
      let far = LiveClient(proxy.address)
      let (seenHere, seenThere) = (await near.watch(plants), await far.watch(plants))
      _ = try await seenHere.answer { $0.freshness == .live }
      let told = try await seenThere.answer { $0.freshness == .live }
      #expect(told.names.count == 3)
      try await far.manager.transact(Transaction(Garden.plant(4, "Dill", height: 9)))
      let later = try await seenHere.answer { $0.names.contains("Dill") }
      #expect(later.names.count == 4)
      let last = try await seenThere.answer { $0.names.contains("Dill") }
      #expect(last.names.count == 4)
      await far.store.close()
      await proxy.close()
    }
  }
}
