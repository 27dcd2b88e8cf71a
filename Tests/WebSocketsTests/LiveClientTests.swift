import ConformanceSupport
import DataSourcesTesting
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

private let beds = QueryDocument(QueryPlan("beds"))
private let plants = QueryDocument(QueryPlan("plants"))
private let bedsWithPlants = QueryDocument(
  QueryPlan("beds").with("plants"))

@Suite("Live queries over a socket", .timeLimit(.minutes(10)))
struct LiveClientTests {
  @Test("a subscription delivers loading at most once, and then data or a failure")
  func states() async throws {
    try await withClient { client, _ in
      let good = await client.watch(QueryDocument([QueryPlan("beds"), QueryPlan("plants")]))
      var seen = [try #require(try await good.next())]
      // A slow reader gets only the newest result.
      if seen == [.loading] { seen.append(try #require(try await good.next())) }
      guard case .loaded(let answer) = seen.last else {
        Issue.record("\(seen)")
        return
      }
      let plants = try #require(answer.answers.first { $0.namespace == "plants" })
      #expect(plants.names(plants.rows) == ["Aster", "Borage", "Chive"])

      let bad = await client.watch(QueryDocument(QueryPlan("plants", page: Page(limit: 0))))
      var last = try await bad.next()
      if last == .loading { last = try await bad.next() }
      guard case .failed? = last else {
        Issue.record("a query that cannot be answered does not fail")
        return
      }
    }
  }

  @Test("of two queries only the one with a changed answer is notified")
  func routing() async throws {
    try await withClient { client, served in
      let (first, second) = (await client.watch(beds), await client.watch(plants))
      _ = try await first.answer { $0.freshness == .live }
      _ = try await second.answer { $0.freshness == .live }
      let writer = try await served.open()
      try await writer.change(
        Transaction([.addTriple(.id(PlantData.id(50)), PlantData.bedName, "Up north", .update)]))
      #expect(try await first.answer().names == ["Up north", "South"])
      try await writer.change(PlantData.grow(3, to: 77))
      // The first result after the plants' first answer is this change.
      let told = try await second.answer()
      let row = try #require(told.answers.first?.rows.last)
      #expect(told.answers.first?.value(row, "height") == 77)
    }
  }

  @Test("a client's data is consistent with the server's")
  func indexes() async throws {
    try await withClient { client, served in
      let writer = try await served.open()
      for seed: UInt64 in 1...3 {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
          let plant = 1 + random.below(9)
          try await writer.change(
            Transaction(
              PlantData.plant(
                plant, "p\(plant)", height: random.below(90), bed: 50 + random.below(2))))
        }
      }
      try await writer.change(PlantData.grow(1, to: 1_000))
      let document = QueryDocument(
        QueryPlan("plants").with("bed"))
      let isLast = { (answer: LiveAnswer) in
        answer.answers[0].rows.contains { answer.answers[0].value($0, "height") == 1_000 }
      }
      let told = try await client.watch(document).answer(where: isLast)
      let store = told.snapshot.store
      #expect(store.checkInvariants() == [])
      #expect(told.answers[0].rows.count == 9)
      let link = try #require(store.schema.link("plants", "bed"))
      for plant in told.answers[0].rows {
        let beds = store.targets(plant, link)
        #expect(beds.count == 1)
        #expect(store.sources(PlantData.bed, pointingTo: RowSet(beds)).contains(plant))
        #expect(
          store.value(plant, PlantData.bed)
            == beds.first.map { .text(store.id(of: $0).text) })
      }
    }
  }

  @Test("a change is displayed immediately, and undone if the server rejects it")
  func optimistic() async throws {
    let gate = Gate()
    let held = BlockingStore(base: MemoryStore(try PlantData.store()), gate: gate)
    try await Wire.socket.serve(held) { served in
      let client = LiveClient(try #require(served.listener).address)
      let results = await client.watch(plants)
      _ = try await results.answer { $0.freshness == .live }

      // No other plant may be named Aster, which a client with partial data cannot know.
      async let change = client.manager.transact(
        Transaction(PlantData.plant(9, "Aster", height: 1)))
      let shown = try await results.answer { $0.names.count == 4 }
      #expect(shown.freshness == .optimistic)
      #expect(shown.snapshot.pending.count == 1)
      #expect(await held.base.snapshot().store.count(of: "plants") == 3)

      await gate.open()
      let undone = try await results.answer { $0.names.count == 3 }
      #expect(undone.names == ["Aster", "Borage", "Chive"])
      do {
        _ = try await change
        Issue.record("the change was not refused")
      } catch { #expect("\(error)".contains("unique")) }
      await client.store.close()
    }
  }

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

  @Test("a subscription holds the data")
  func loading() async throws {
    try await withClient { client, _ in
      let results = await client.watch(beds)
      let told = try await results.answer { $0.freshness == .live }
      #expect(told.names == ["North", "South"])
    }
  }

  @Test("a query that the server rejects fails with its message and hint, and others continue")
  func refusedQuery() async throws {
    try await withClient { client, _ in
      // A cursor of another order is only detected with all data.
      let cursor = Cursor(
        entity: PlantData.id(1), attribute: PlantData.height, value: 30, createdAt: 2)
      let wrong = QueryDocument(QueryPlan("plants", page: Page(after: cursor)))
      let results = await client.watch(wrong)
      let failure = try #require(
        await #expect(throws: LiveFailure.self) { try await results.answer() })
      #expect(failure.message.hasPrefix("Validation failed for query: "))
      #expect(failure.message.contains("cursor"))
      let hint = try JSONReader.value(of: try #require(failure.hint))
      guard case .object(let hint) = hint, case .array(let faults)? = hint["errors"] else {
        Issue.record("\(hint)")
        return
      }
      #expect(hint["input"] == (try wrong.instaQL()))
      #expect(faults.count == 1)
      let told = try await client.watch(beds).answer()
      #expect(told.names.count == 2)
    }
  }

  @Test("relations are included, in order")
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

  @Test("a query by id finds exactly that entity")
  func byID() async throws {
    try await withClient { client, _ in
      let document = try QueryDocument(
        instaQL: ["plants": ["$": ["where": ["id": .text(PlantData.id(2).text)]]]])
      let told = try await client.watch(document).answer { $0.freshness == .live }
      #expect(told.names == ["Borage"])
    }
  }

  @Test(
    "equal queries send one message, and all subscribers get the answer")
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
      guard case .loaded(let known)? = try await late.next() else {
        Issue.record("a late subscriber waits")
        return
      }
      #expect(known.names == here.names)
      #expect(client.spoken.all("add-query").filter { $0.contains("plants") }.count == 1)
    }
  }

  @Test("a change by a second client appears only in the affected query")
  func refresh() async throws {
    try await withClient { client, served in
      let other = LiveClient(try #require(served.listener).address)
      let (mine, theirs) = (await client.watch(plants), await other.watch(plants))
      let untouched = await client.watch(beds)
      _ = try await mine.answer { $0.freshness == .live }
      _ = try await theirs.answer { $0.freshness == .live }
      let before = try await untouched.answer { $0.freshness == .live }
      try await other.manager.transact(Transaction(PlantData.plant(4, "Dill", height: 9)))
      let told = try await mine.answer { $0.names.contains("Dill") }
      #expect(told.names.count == 4)
      try await client.manager.transact(Transaction(PlantData.plant(5, "Endive", height: 9)))
      let later = try await theirs.answer { $0.names.contains("Endive") }
      #expect(later.names.count == 5)
      #expect(before.names == ["North", "South"])
      await other.store.close()
    }
  }

  @Test("a query is removed from the server when its last subscriber leaves")
  func unsubscribing() async throws {
    try await withClient { client, served in
      let (first, second) = (await client.watch(plants), await client.watch(plants))
      _ = try await first.answer { $0.freshness == .live }
      await client.manager.unsubscribe(first.id)
      #expect(client.spoken.all("remove-query").filter { $0.contains("plants") }.isEmpty)
      let writer = try await served.open()
      try await writer.change(Transaction(PlantData.plant(4, "Dill", height: 9)))
      _ = try await second.answer { $0.names.contains("Dill") }
      await client.manager.unsubscribe(second.id)
      try await waitUntil("the query is removed") {
        client.spoken.all("remove-query").contains { $0.contains("plants") }
      }
      try await writer.change(Transaction(PlantData.plant(5, "Endive", height: 9)))
      while case .loaded(let answer)? = try await second.next() {
        #expect(!answer.names.contains("Endive"))
      }
      #expect(try await first.next() == nil)
    }
  }

  @Test("a rejected change fails with the server's reason, and others continue")
  func refused() async throws {
    try await withClient { client, _ in
      let results = await client.watch(plants)
      _ = try await results.answer { $0.freshness == .live }
      // A missing entity cannot be updated, which a client with partial data cannot know.
      let error = await #expect(throws: (any Error).self) {
        try await client.manager.transact(
          Transaction([.addTriple(.id(PlantData.id(9)), PlantData.height, "tall", .update)]))
      }
      #expect("\(String(describing: error))".contains("exist"))
      let writer = try await client.manager.transact(
        Transaction(PlantData.plant(4, "Dill", height: 9)))
      #expect(writer.transactionID > 0)
      let told = try await results.answer { $0.names.contains("Dill") }
      #expect(told.names.count == 4)
    }
  }

  @Test("changes made while offline arrive once, and the status is displayed")
  func away() async throws {
    let kept = MemoryStore(try PlantData.store())
    let first = try await WebSocketListener.open(
      SyncServer(store: kept, limits: .forTests), access: AccessRule(), limits: .forTests, .forTests
    )
    let network = try await FaultyNetwork.open(to: first.port) { _ in FaultyNetwork.Fault() }
    let client = LiveClient(
      ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden"))
    let results = await client.watch(plants)
    _ = try await results.answer { $0.freshness == .live }
    await first.close()
    let away = try await results.answer {
      if case .offline = $0.freshness { true } else { false }
    }
    #expect(away.names.count == 3)
    async let written = client.manager.transact(Transaction(PlantData.plant(4, "Dill", height: 9)))
    let shown = try await results.answer { $0.names.contains("Dill") }
    #expect(shown.snapshot.pending.count == 1)

    let second = try await WebSocketListener.open(
      SyncServer(store: kept, limits: .forTests), access: AccessRule(), limits: .forTests, .forTests
    )
    network.lead(to: second.port)
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
    await network.close()
  }

  @Test("a remote store can be served to further clients")
  func proxy() async throws {
    try await withClient { near, _ in
      let proxy = try await WebSocketListener.open(
        SyncServer(store: near.store, limits: .forTests), access: AccessRule(), limits: .forTests,
        .forTests)
      let far = LiveClient(proxy.address)
      let (seenHere, seenThere) = (await near.watch(plants), await far.watch(plants))
      _ = try await seenHere.answer { $0.freshness == .live }
      let told = try await seenThere.answer { $0.freshness == .live }
      #expect(told.names.count == 3)
      try await far.manager.transact(Transaction(PlantData.plant(4, "Dill", height: 9)))
      let later = try await seenHere.answer { $0.names.contains("Dill") }
      #expect(later.names.count == 4)
      let last = try await seenThere.answer { $0.names.contains("Dill") }
      #expect(last.names.count == 4)
      await far.store.close()
      await proxy.close()
    }
  }
}
