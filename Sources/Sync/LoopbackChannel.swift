/// One of the two ends of a channel within one process, for tests and demos.
package struct LoopbackChannel: MessageChannel {
  package let incoming: AsyncStream<String>
  private let own: AsyncStream<String>.Continuation
  private let other: AsyncStream<String>.Continuation

  /// Creates two connected ends. Each end receives the texts that the other end sends.
  package static func pair() -> (LoopbackChannel, LoopbackChannel) {
    let (first, toFirst) = AsyncStream.makeStream(of: String.self)
    let (second, toSecond) = AsyncStream.makeStream(of: String.self)
    return (
      LoopbackChannel(incoming: first, own: toFirst, other: toSecond),
      LoopbackChannel(incoming: second, own: toSecond, other: toFirst)
    )
  }

  package func send(_ text: String) async throws(ChannelClosed) {
    if case .terminated = other.yield(text) {
      throw ChannelClosed(reason: "the connection was closed")
    }
  }

  /// Delivers a text to the other end. Returns false if the channel is closed.
  package func offer(_ text: String) -> Bool {
    if case .terminated = other.yield(text) { return false }
    return true
  }

  package func close() async {
    own.finish()
    other.finish()
  }
}
