import NIOCore
import NIOWebSocket
package import Sync
import Synchronization

/// A message channel over a WebSocket, at either end.
///
/// Texts that come wait in a inbox; when it is full nothing more is read from the network. Texts
/// to be sent wait in a queue until the network takes them; when that is full the peer is too slow.
package final class WebSocketChannel: MessageChannel, Sendable {
  private struct Outgoing {
    var texts: [String] = []
    var bytes = 0
    var isScheduled = false
    /// Nothing is taken over any more.
    var isClosed = false
    var endReason: String?
    var whenDrained: [CheckedContinuation<Void, Never>] = []
  }

  /// More than this waits for no reader, in bytes.
  private let mostWaiting: Int
  /// A sender that can wait does so above this, in bytes.
  private static let comfortable = 256 << 10

  private let channel: any Channel
  private let role: WebSocketRole
  private let budget: ByteBudget
  let inbox = Inbox()
  private let outgoing = Mutex(Outgoing())

  init(_ channel: any Channel, role: WebSocketRole, budget: ByteBudget, mostWaiting: Int) {
    self.channel = channel
    self.role = role
    self.budget = budget
    self.mostWaiting = mostWaiting
  }

  package var incoming: AsyncStream<String> {
    let inbox = inbox
    let channel = channel
    return AsyncStream(
      unfolding: {
        await inbox.next {
          // A closed channel has nothing more to read, and says so by ending.
          channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
      }, onCancel: { inbox.end() })
  }

  package var endReason: String? { outgoing.withLock(\.endReason) }

  package func offer(_ text: String) -> Bool {
    let bytes = text.utf8.count
    let isFirst = outgoing.withLock { outgoing -> Bool? in
      if outgoing.isClosed || outgoing.bytes > mostWaiting { return nil }
      if outgoing.bytes > 0 && budget.isExceeded { return nil }
      outgoing.texts.append(text)
      outgoing.bytes += bytes
      budget.take(bytes)
      defer { outgoing.isScheduled = true }
      return !outgoing.isScheduled
    }
    guard let isFirst else { return false }
    if isFirst { channel.eventLoop.execute { self.flush() } }
    return true
  }

  package func send(_ text: String) async throws(ChannelClosed) {
    while true {
      let (isClosed, mustWait) = outgoing.withLock {
        ($0.isClosed, $0.bytes > Self.comfortable)
      }
      if isClosed { throw ChannelClosed(reason: endReason ?? "the connection is closed") }
      if !mustWait && offer(text) { return }
      await drained()
    }
  }

  /// Waits until the network has taken what waits, or the connection is gone.
  private func drained() async {
    await withCheckedContinuation { continuation in
      let isReady = outgoing.withLock { outgoing in
        if outgoing.isClosed || outgoing.bytes == 0 { return true }
        outgoing.whenDrained.append(continuation)
        return false
      }
      if isReady { continuation.resume() }
    }
  }

  package func close() async {
    end(code: .goingAway, reason: "closed on this side")
  }

  // MARK: On the event loop

  /// Hands waiting texts to the network for as long as it takes them.
  func flush() {
    var hasWritten = false
    while channel.isWritable {
      let texts = outgoing.withLock { outgoing in
        defer { outgoing.texts = [] }
        if outgoing.texts.isEmpty { outgoing.isScheduled = false }
        return outgoing.texts
      }
      if texts.isEmpty { break }
      hasWritten = true
      for text in texts { write(text) }
      let taken = texts.reduce(0) { $0 + $1.utf8.count }
      budget.giveBack(taken)
      let waiting = outgoing.withLock { outgoing in
        outgoing.bytes -= taken
        defer { outgoing.whenDrained = [] }
        return outgoing.whenDrained
      }
      for continuation in waiting { continuation.resume() }
    }
    if hasWritten { channel.flush() }
  }

  private func write(_ text: String) {
    let data = channel.allocator.buffer(string: text)
    channel.write(
      WebSocketFrame(fin: true, opcode: .text, maskKey: role.maskKey(), data: data), promise: nil)
  }

  /// Says goodbye after what waits, and closes.
  func end(code: WebSocketErrorCode, reason: String) {
    let isFirst = outgoing.withLock { outgoing in
      defer { outgoing.isClosed = true }
      if outgoing.endReason == nil { outgoing.endReason = reason }
      return !outgoing.isClosed
    }
    inbox.end()
    guard isFirst else { return }
    channel.eventLoop.execute {
      let texts = self.outgoing.withLock { outgoing in
        defer { outgoing.texts = [] }
        return outgoing.texts
      }
      for text in texts { self.write(text) }
      var data = self.channel.allocator.buffer(capacity: 2)
      data.write(webSocketErrorCode: code)
      let frame = WebSocketFrame(
        fin: true, opcode: .connectionClose, maskKey: self.role.maskKey(), data: data)
      self.channel.writeAndFlush(frame, promise: nil)
      // The peer answers by closing; one that does not is not waited for long.
      let channel = self.channel
      channel.eventLoop.scheduleTask(in: WebSocketRole.longestGoodbye) {
        channel.close(promise: nil)
      }
    }
  }

  /// The connection is gone.
  func ended(reason: String) {
    let (waiting, bytes) = outgoing.withLock { outgoing in
      outgoing.isClosed = true
      if outgoing.endReason == nil { outgoing.endReason = reason }
      defer {
        outgoing.texts = []
        outgoing.bytes = 0
        outgoing.whenDrained = []
      }
      return (outgoing.whenDrained, outgoing.bytes)
    }
    budget.giveBack(bytes)
    inbox.end()
    for continuation in waiting { continuation.resume() }
  }
}

/// Which end of a WebSocket this is: clients mask what they send.
enum WebSocketRole: Sendable {
  case client, server

  /// How long the peer's goodbye is waited for.
  static let longestGoodbye = TimeAmount.seconds(2)

  func maskKey() -> WebSocketMaskingKey? {
    switch self {
    case .client: .random()
    case .server: nil
    }
  }
}
