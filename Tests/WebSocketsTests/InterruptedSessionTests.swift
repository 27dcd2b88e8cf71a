import DataSources
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Synchronization
import Testing
import Triples
import WebSockets

/// Where the first connection of a session is cut.
private struct Cut: Sendable, CustomTestStringConvertible {
  enum Direction: String, CaseIterable { case up, down }

  let direction: Direction
  /// Whether the message at which it is cut still arrives.
  let arrives: Bool

  var testDescription: String { "\(direction.rawValue), \(arrives ? "after" : "before") a message" }

  static let all = Direction.allCases.flatMap { direction in
    [true, false].map { Cut(direction: direction, arrives: $0) }
  }
}

/// A connection that is cut at one message.
private final class CutChannel: MessageChannel, Sendable {
  private let base: any MessageChannel
  private let cut: Cut
  private let number: Int
  private let said = Mutex(0)
  let incoming: AsyncStream<String>

  init(_ base: any MessageChannel, _ cut: Cut, at number: Int) {
    self.base = base
    self.cut = cut
    self.number = number
    let (incoming, continuation) = AsyncStream.makeStream(of: String.self)
    self.incoming = incoming
    Task {
      var heard = 0
      for await text in base.incoming {
        let isLast = cut.direction == .down && heard == number
        if !isLast || cut.arrives { continuation.yield(text) }
        if isLast { break }
        heard += 1
      }
      await base.close()
      continuation.finish()
    }
  }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "it is cut") }
  }

  func offer(_ text: String) -> Bool {
    guard cut.direction == .up else { return base.offer(text) }
    let place = said.withLock { said in
      defer { said += 1 }
      return said
    }
    if place < number || place == number && cut.arrives, !base.offer(text) { return false }
    if place == number { Task { await base.close() } }
    return place <= number
  }

  func close() async { await base.close() }
}

@Suite("A session that is cut at a message", .timeLimit(.minutes(10)))
struct InterruptedSessionTests {
  /// Messages each way, and some more.
  private static let messages = 24

  @Test(
    "applies each change exactly once, and shows the server's data", arguments: Cut.all)
  fileprivate func everyMessage(_ cut: Cut) async throws {
    for number in 0..<Self.messages { try await run(cut, at: number) }
  }

  private func run(_ cut: Cut, at number: Int) async throws {
    let store = MemoryStore(try PlantData.store())
    let base = try await store.get(AllObjectsQuery()).transactionID
    try await Wire.socket.serve(store) { served in
      let address = try #require(served.listener).address
      let calls = Calls()
      let runner = SessionRunner { () async throws(ChannelClosed) in
        let channel = try await WebSocketClient.forTests(address).connect()
        return calls.next() == 0 ? CutChannel(channel, cut, at: number) : channel
      }
      await runner.start()
      await runner.subscribe(to: ["plants": [:]])
      let other = try await served.open()
      for place in 0..<6 {
        let (id, transaction) = plantCreation(place)
        await runner.transact(id, transaction)
        try await other.change(PlantData.grow(1 + place % 3, to: 500 + place))
        await runner.transact(
          MutationID(EntityID.random().text), PlantData.grow(1 + place % 3, to: 900 + place))
      }
      await runner.wait(for: "answer to each change") {
        $0.confirmed.count + $0.refused.count == 12 && $0.isLive
      }
      #expect(await runner.refused.isEmpty, "cut at \(number)")
      let snapshot = try await store.get(AllObjectsQuery())
      #expect(snapshot.transactionID == base + 18, "cut at \(number)")
      var present: [EntityID: Value] = [:]
      for plant in 1...3 {
        let handle = try #require(snapshot.store.handle(of: PlantData.id(plant)))
        present[PlantData.id(plant)] = snapshot.store.value(handle, PlantData.height)
      }
      let wanted = present
      await runner.wait(for: "present heights") {
        plantHeights($0.results[["plants": [:]]]) == wanted
      }
      await runner.wait(for: "all plants") { plantNames($0.results[["plants": [:]]]).count == 9 }
      await other.channel.close()
      await runner.stop()
    }
  }
}

/// Counts the calls of a server.
private final class Calls: Sendable {
  private let count = Atomic(0)

  func next() -> Int { count.wrappingAdd(1, ordering: .relaxed).oldValue }
}
