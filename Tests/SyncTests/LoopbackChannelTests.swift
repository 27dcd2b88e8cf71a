import Sync
import Testing

@Suite("Loopback channel")
struct LoopbackChannelTests {
  @Test("delivers in order")
  func order() async throws {
    let (near, far) = LoopbackChannel.pair()

    for number in 1...100 { try await near.send("\(number)") }
    await near.close()

    var received: [String] = []
    for await text in far.incoming { received.append(text) }
    #expect(received == (1...100).map { "\($0)" })
  }

  @Test("closing either end ends both, and later sends fail")
  func closing() async throws {
    let (near, far) = LoopbackChannel.pair()

    await far.close()

    for await _ in near.incoming { Issue.record("nothing was sent") }
    await #expect(throws: ChannelClosed.self) { try await near.send("late") }
  }
}
