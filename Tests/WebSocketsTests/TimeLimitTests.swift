import DataSourcesTesting
import LiveQueries
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// A server whose time passes when it is told to.
private struct TimedServer {
  let clock = ManualClock()
  let gate = Gate()
  let store: MemoryStore
  let server: SyncServer

  init(_ held: HeldStore.Held, _ limits: ServerLimits = ServerLimits()) throws {
    let clock = clock
    store = MemoryStore(try Garden.store())
    server = SyncServer(
      store: HeldStore(base: store, gate: gate, held: held), limits: limits, clock: clock,
      // The time of day goes back by a day with each second: nothing may wait by it.
      now: { 1 << 41 - Int64(clock.now.offset / .microseconds(1)) * 86 })
  }

  /// A client whose session is open, while the server waits for nothing.
  func open() async throws -> Peer {
    let (near, far) = LoopbackChannel.pair()
    Task { await server.serve(far) }
    let peer = Peer(near)
    try await peer.open()
    clock.advance(by: .seconds(2))
    return peer
  }

  /// Lets somewhat more time pass than a message may take, from when it is waited for.
  func passFiveSeconds() async {
    for _ in 0..<3 {
      await clock.sleepers(1)
      clock.advance(by: .milliseconds(1_700))
    }
  }
}

@Suite("A server whose store takes its time", .timeLimit(.minutes(10)))
struct TimeLimitTests {
  @Test("a change that takes longer than five seconds is answered as timed out, and others go on")
  func change() async throws {
    let timed = try TimedServer(.changes)
    let peer = try await timed.open()
    try await peer.say(.transact(Garden.grow(1, to: 99)), as: "late")
    await timed.passFiveSeconds()
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
    #expect(try await peer.change(Garden.grow(1, to: 31)) == 3)
    await timed.server.close()
  }

  @Test("a query whose first answer takes longer is dropped with an error, and can be asked again")
  func query() async throws {
    let timed = try TimedServer(.answers)
    let peer = try await timed.open()
    try await peer.say(.addQuery(["plants": [:]], .tree), as: "late")
    await timed.passFiveSeconds()
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

  @Test("a client that keeps to the rate is answered, though the time of day goes back meanwhile")
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
