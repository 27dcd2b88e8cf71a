import DataSourcesTesting
import LiveQueries
import Stores
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

/// A server with simulated time.
private struct TimedServer {
  let clock = ManualClock()
  let gate = Gate()
  let store: MemoryStore
  let server: SyncServer

  init(_ held: BlockingStore.Held, _ limits: ServerLimits = ServerLimits()) throws {
    let clock = clock
    store = MemoryStore(try PlantData.store())
    server = SyncServer(
      store: BlockingStore(base: store, gate: gate, held: held), limits: limits, clock: clock,
      // The time of day goes back by a day each second, so no wait may depend on it.
      now: { 1 << 41 - Int64(clock.now.offset / .microseconds(1)) * 86 })
  }

  /// A client with an open session, while the server is idle.
  func open() async throws -> Peer {
    let (near, far) = LoopbackChannel.pair()
    Task { await server.serve(far) }
    let peer = Peer(near)
    try await peer.open()
    clock.advance(by: .seconds(2))
    return peer
  }

  /// Advances the time by somewhat more than a message's timeout.
  func passFiveSeconds() async throws {
    for _ in 0..<3 {
      try await clock.awaitSleepers(1)
      clock.advance(by: .milliseconds(1_700))
    }
  }
}

@Suite("A server with a slow store", .timeLimit(.minutes(10)))
struct TimeLimitTests {
  @Test("a change that takes more than five seconds times out, and others continue")
  func change() async throws {
    let timed = try TimedServer(.changes)
    let peer = try await timed.open()
    try await peer.say(.transact(PlantData.grow(1, to: 99)), as: "late")
    try await timed.passFiveSeconds()
    let late = try await peer.hear()
    guard case .failed(let error) = late.message else {
      Issue.record("\(late)")
      return
    }
    #expect(late.eventID == "late")
    #expect(error.status == 500 && error.type == "operation-timed-out")
    #expect(error.message == "Operation timed out: handle-receive")
    #expect(error.hint == ["timeout-ms": 5_000])
    #expect(error.originalOperation == "transact")

    await timed.gate.open()
    let told = try await peer.ask(["plants": [:]])
    #expect(told.values("plants", "height").contains("30"))
    #expect(try await peer.change(PlantData.grow(1, to: 31)) == 3)
    await timed.server.close()
  }

  @Test("a query with a slow first answer fails and can be sent again")
  func query() async throws {
    let timed = try TimedServer(.answers)
    let peer = try await timed.open()
    try await peer.say(.addQuery(["plants": [:]], .tree), as: "late")
    try await timed.passFiveSeconds()
    let late = try await peer.hear()
    guard case .failed(let error) = late.message else {
      Issue.record("\(late)")
      return
    }
    #expect(late.eventID == "late" && error.type == "operation-timed-out")
    #expect(error.originalQuery == ["plants": [:]])

    await timed.gate.open()
    let told = try await peer.ask(["plants": [:]])
    #expect(told.values("plants", "name").count == 3)
    await timed.server.close()
  }

  @Test("a client within the rate limit is answered even if the time of day goes back")
  func rate() async throws {
    var limits = ServerLimits()
    (limits.messageRate, limits.messageBurst, limits.refusals) = (10, 20, 0)
    let timed = try TimedServer(.changes, limits)
    let peer = try await timed.open()
    for number in 0..<50 {
      try await peer.say(.removeQuery(["plants": [:]]), as: "\(number)")
      let answer = try await peer.hear()
      #expect(answer.eventID == "\(number)")
      guard case .queryRemoved = answer.message else {
        Issue.record("\(answer)")
        return
      }
      timed.clock.advance(by: .milliseconds(100))
    }
    await timed.server.close()
  }
}
