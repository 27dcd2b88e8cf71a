import ConformanceSupport
import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import NIOCore
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

private let plants: Value = ["plants": ["$": ["fields": ["name"]]]]

/// A plant that must not be there yet: made twice it would be refused.
func plantCreation(_ number: Int) -> (MutationID, Transaction) {
  let id = EntityID("5b000000-0000-4000-8000-\(100_000_000_000 + number)")
  return (
    MutationID(id.text),
    Transaction([
      .addTriple(.id(id), PlantData.plantID, .text(id.text), .create),
      .addTriple(.id(id), PlantData.name, .text("n\(number)"), .create),
    ])
  )
}

/// The names that a query's rows hold.
func plantNames(_ result: QueryResult?) -> Set<String> {
  guard case .joinRows(let rows)? = result else { return [] }
  return Set(
    rows.rows.filter { $0.attribute == PlantData.name }.compactMap {
      if case .text(let name) = $0.value { return name }
      return nil
    })
}

/// The heights that a query's rows hold, by plant; those without one are left out.
func plantHeights(_ result: QueryResult?) -> [EntityID: Value] {
  guard case .joinRows(let rows)? = result else { return [:] }
  let heights = rows.rows.filter { $0.attribute == PlantData.height && $0.value != .null }
  return Dictionary(heights.map { ($0.entity, $0.value) }) { $1 }
}

/// The seeds of a test: some, or as many as SONDE_CUT_SEEDS says.
func cutSeeds(_ count: UInt64) -> ClosedRange<UInt64> {
  let wanted = getenv("SONDE_CUT_SEEDS").flatMap { UInt64(String(cString: $0)) }
  return 1...max(1, wanted ?? count)
}

/// Whether more seeds than usual were requested, and with them the longest tests.
let isCutThorough = getenv("SONDE_CUT_SEEDS") != nil

/// A network whose first connections are cut, split, delayed or lose bytes, depending on a seed.
private func badNetwork(
  to served: Served, seed: UInt64, badConnections: Int = 20
) async throws -> FaultyNetwork {
  try await FaultyNetwork.open(to: try #require(served.listener).port) { number in
    guard number < badConnections else { return FaultyNetwork.Fault() }
    var random = SeededGenerator(seed: seed &* 1_000 &+ UInt64(number))
    let end = 200 + random.below(6_000)
    // Every third connection loses some bytes before it ends.
    let drops = random.below(3) == 0
    return FaultyNetwork.Fault(
      cutAfter: drops ? nil : end, splits: random.below(2) == 0,
      delay: random.below(3) == 0 ? .milliseconds(2) : nil,
      joinsFor: random.below(4) == 0 ? .milliseconds(3) : nil, dropsAfter: drops ? end : nil)
  }
}

@Suite("A client on a bad network", .timeLimit(.minutes(10)))
struct UnreliableNetworkTests {
  @Test("shows the server's data in the end, while others write", arguments: cutSeeds(3))
  func overwriting(_ seed: UInt64) async throws {
    let store = MemoryStore(try PlantData.store())
    let base = try await store.get(AllObjectsQuery()).transactionID
    try await Wire.socket.serve(store) { served in
      let network = try await badNetwork(to: served, seed: seed)
      let address = ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden")
      let runner = SessionRunner { () async throws(ChannelClosed) in
        try await WebSocketClient.forTests(address).connect()
      }
      await runner.start()
      await runner.subscribe(to: ["plants": [:]])
      let other = try await served.open()
      for number in 0..<60 {
        let change = PlantData.grow(1 + number % 3, to: 1_000 + number)
        await runner.transact(MutationID(EntityID.random().text), change)
        if number % 2 == 0 { try await other.change(PlantData.grow(1 + number % 3, to: number)) }
      }
      await runner.wait(for: "answer to each change") {
        $0.confirmed.count + $0.refused.count == 60 && $0.isLive
      }
      #expect(await runner.refused.isEmpty)
      let snapshot = try await store.get(AllObjectsQuery())
      #expect(snapshot.transactionID == base + 90)
      var present: [EntityID: Value] = [:]
      for number in 1...3 {
        let handle = try #require(snapshot.store.handle(of: PlantData.id(number)))
        present[PlantData.id(number)] = snapshot.store.value(handle, PlantData.height)
      }
      let wanted = present
      await runner.wait(for: "present heights") {
        plantHeights($0.results[["plants": [:]]]) == wanted
      }
      await other.channel.close()
      await runner.stop()
      await network.close()
    }
  }

  @Test(
    "applies each change exactly once, wherever the connection is cut or loses bytes",
    arguments: cutSeeds(4))
  func cuts(_ seed: UInt64) async throws {
    let store = MemoryStore(try PlantData.store())
    let base = try await store.get(AllObjectsQuery()).transactionID
    try await Wire.socket.serve(store) { served in
      let network = try await badNetwork(to: served, seed: seed)
      let address = ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden")
      let runner = SessionRunner { () async throws(ChannelClosed) in
        try await WebSocketClient.forTests(address).connect()
      }
      await runner.start()
      await runner.subscribe(to: plants)
      for number in 0..<100 {
        let (id, transaction) = plantCreation(number)
        await runner.transact(id, transaction)
      }

      await runner.wait(for: "answer to each change") { runner in
        runner.confirmed.count + runner.refused.count == 100 && runner.isLive
      }

      let snapshot = try await store.get(AllObjectsQuery())
      #expect(snapshot.transactionID == base + 100)
      #expect(snapshot.store.count(of: "plants") == 103)
      #expect(await runner.refused.isEmpty)
      await runner.wait(for: "all plants") { runner in
        plantNames(runner.results[plants]).count == 103
      }
      let statuses = await runner.statuses
      #expect(statuses.contains { if case .offline = $0 { true } else { false } })
      await runner.stop()
      await network.close()
    }
  }

  @Test("detects a silent connection and reconnects")
  func swallowed() async throws {
    try await Wire.socket.serveGarden { served in
      let network = try await FaultyNetwork.open(to: try #require(served.listener).port) { number in
        FaultyNetwork.Fault(swallowsAfter: number == 0 ? 4_000 : nil)
      }
      let address = ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden")
      let runner = SessionRunner { () async throws(ChannelClosed) in
        try await WebSocketClient.forTests(address).connect()
      }
      await runner.start()
      await runner.wait(for: "session") { $0.isLive }
      for number in 0..<40 {
        let (id, transaction) = plantCreation(number)
        await runner.transact(id, transaction)
      }
      await runner.pass(7_000)
      await runner.wait(for: "answer to each change") {
        $0.confirmed.count + $0.refused.count == 40
      }
      #expect(await runner.refused.isEmpty)
      await runner.stop()
      await network.close()
    }
  }

  @Test("continues after an outage and sends queued changes once")
  func restart() async throws {
    let store = MemoryStore(try PlantData.store())
    let first = try await WebSocketListener.open(
      SyncServer(store: store, limits: .forTests), access: AccessRule(), limits: .forTests,
      .forTests)
    let network = try await FaultyNetwork.open(to: first.port) { _ in FaultyNetwork.Fault() }
    let address = ServerAddress(host: "127.0.0.1", port: network.port, appID: "garden")
    let runner = SessionRunner { () async throws(ChannelClosed) in
      try await WebSocketClient.forTests(address).connect()
    }
    await runner.start()
    await runner.subscribe(to: plants)
    await runner.wait(for: "all plants") { plantNames($0.results[plants]).count == 3 }
    await first.close()
    await runner.wait(for: "outage") { !$0.isLive }
    let (id, transaction) = plantCreation(1)
    await runner.transact(id, transaction)
    #expect(await runner.confirmed.isEmpty)
    guard case .offline(_, _, let reason)? = await runner.statuses.last else {
      Issue.record("it does not say that it is offline")
      return
    }
    #expect(!reason.isEmpty)

    let second = try await WebSocketListener.open(
      SyncServer(store: store, limits: .forTests), access: AccessRule(), limits: .forTests,
      .forTests)
    network.lead(to: second.port)
    await runner.wait(for: "queued change") {
      $0.confirmed[id] != nil && plantNames($0.results[plants]).contains("n1")
    }

    // The change of another client is visible, too.
    let other = Peer(try await WebSocketClient.forTests(second.address).connect())
    try await other.open()
    try await other.change(plantCreation(2).1)
    await runner.wait(for: "change of the other client") {
      plantNames($0.results[plants]).contains("n2")
    }
    #expect(try await store.get(AllObjectsQuery()).transactionID == 4)
    await runner.stop()
    await second.close()
    await network.close()
  }

  @Test("handles messages of the server out of order", arguments: [UInt64](1...10))
  func reordered(_ seed: UInt64) async throws {
    try await Wire.loopback.serveGarden { served in
      let runner = SessionRunner { () async throws(ChannelClosed) in
        let (near, far) = LoopbackChannel.pair()
        Task { await served.server.serve(far) }
        return ReorderingChannel(near, seed: seed, until: plantCreation(29).0)
      }
      await runner.start()
      await runner.subscribe(to: plants)
      for number in 0..<30 {
        let (id, transaction) = plantCreation(number)
        await runner.transact(id, transaction)
      }
      // So that something follows each awaited answer.
      for number in 0..<3 { await runner.subscribe(to: ["n\(number)": [:]]) }
      await runner.wait(for: "answer to each change") {
        $0.confirmed.count + $0.refused.count == 30
      }
      await runner.wait(for: "all plants") { plantNames($0.results[plants]).count == 33 }
      #expect(await runner.statuses.filter { $0 == .live }.count == 1)
      await runner.stop()
    }
  }
}

/// Swaps adjacent messages, except the first, until one contains the last change, which no
/// further message may follow.
private struct ReorderingChannel: MessageChannel {
  private let base: LoopbackChannel
  let incoming: AsyncStream<String>

  /// - Parameter last: The change whose answer is awaited last.
  init(_ base: LoopbackChannel, seed: UInt64, until last: MutationID) {
    self.base = base
    let (incoming, continuation) = AsyncStream.makeStream(of: String.self)
    self.incoming = incoming
    Task {
      var random = SeededGenerator(seed: seed)
      var held: String?
      var isFirst = true
      var isOver = false
      for await text in base.incoming {
        if text.contains(last.text) { isOver = true }
        if isFirst || text.contains("refresh-ok") {
          // Messages after a refresh may overtake it, but refreshes keep their order.
          isFirst = false
          continuation.yield(text)
          if let other = held { continuation.yield(other) }
          held = nil
        } else if let other = held {
          continuation.yield(text)
          continuation.yield(other)
          held = nil
        } else if !isOver, random.below(2) == 0 {
          held = text
          // The next message is sent first.
          await Task.yield()
        } else {
          continuation.yield(text)
        }
      }
      if let held { continuation.yield(held) }
      continuation.finish()
    }
  }

  func send(_ text: String) async throws(ChannelClosed) { try await base.send(text) }

  func offer(_ text: String) -> Bool { base.offer(text) }

  func close() async { await base.close() }
}
