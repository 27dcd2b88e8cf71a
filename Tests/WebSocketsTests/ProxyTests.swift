import DataSources
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

@Suite("A server in front of another server", .timeLimit(.minutes(10)))
struct ProxyTests {
  private let plants: Value = ["plants": ["$": ["order": ["name": "asc"]]]]

  /// Reads answers until one has this many plants; collects the answers' numbers in `numbers`.
  private func hear(
    _ count: Int, _ peer: Peer, _ numbers: inout [Int]
  ) async throws -> Told {
    while true {
      let told = try await peer.hearAnswer()
      numbers.append(told.processed)
      if told.values("plants", "name").count == count { return told }
    }
  }

  @Test("accepts changes while the other is offline, with increasing numbers")
  func away() async throws {
    let store = MemoryStore(try PlantData.store())
    let origin = LoopbackServer(store)
    let near = RemoteStore(Opening(appID: "garden"), timeouts: .forTests, random: { 0 }) {
      try origin.connect()
    }
    try await Wire.loopback.serve(near) { served in
      let reader = try await served.open()
      let writer = try await served.open()
      var numbers = [try await reader.ask(plants).processed]
      await origin.stop()
      var confirmed: [Int] = []
      for number in 4...6 {
        let known = numbers.last ?? 0
        confirmed.append(
          try await writer.change(
            Transaction(PlantData.plant(number, "Plant \(number)", height: number))))
        // No answer without the change had this number or a greater one.
        #expect(confirmed.last ?? 0 > known)
        let told = try await hear(number, reader, &numbers)
        #expect(told.processed >= confirmed.last ?? 0)
      }
      // Meanwhile the other server reaches the numbers that were assigned here.
      for height in 0..<5 {
        try await store.put(nil, in: TransactionQuery(PlantData.grow(1, to: height)))
      }
      origin.start()
      await near.retry()
      while true {
        let told = try await reader.hearAnswer()
        numbers.append(told.processed)
        #expect(told.values("plants", "name").count == 6)
        if told.values("plants", "height").contains("4"),
          try await near.get(AllObjectsQuery()).pending.count == 0
        {
          break
        }
      }
      confirmed.append(
        try await writer.change(Transaction(PlantData.plant(7, "Plant 7", height: 7))))
      _ = try await hear(7, reader, &numbers)
      #expect(numbers == numbers.sorted())
      #expect(confirmed == confirmed.sorted() && Set(confirmed).count == confirmed.count)
      let there = await store.snapshot().store
      #expect(there.rows(PlantData.plantID, .stored).handles.count == 7)
    }
    await near.close()
  }
}
