import NIOCore
import NIOWebSocket
package import Sync
import Synchronization

/// A message channel over a WebSocket, for clients and servers.
///
/// Received messages wait in an inbox. While the inbox is full, the network is not read. Sent
/// messages wait in an outbox until the network accepts them. When the outbox is full, the peer is
/// too slow.
package final class WebSocketChannel: MessageChannel, Sendable {
  private struct State {
    var isEnding = false
    var endReason: String?
    var whenOpen: (@Sendable () -> Void)?
  }

  private let channel: any Channel
  private let role: WebSocketRole
  let inbox = Inbox()
  let outbox: Outbox
  private let state = Mutex(State())

  init(_ channel: any Channel, role: WebSocketRole, budget: ByteBudget, maxWaitingBytes: Int) {
    self.channel = channel
    self.role = role
    outbox = Outbox(channel, budget: budget, maxWaitingBytes: maxWaitingBytes) { text, promise in
      let data = channel.allocator.buffer(string: text)
      channel.write(
        WebSocketFrame(fin: true, opcode: .text, maskKey: role.maskKey(), data: data),
        promise: promise)
    }
  }

  package var incoming: AsyncStream<String> {
    let inbox = inbox
    let channel = channel
    return AsyncStream(
      unfolding: {
        await inbox.next {
          // If the channel is closed, this fails. That does not matter, because there is nothing
          // more to read.
          channel.setOption(.autoRead, value: true).whenFailure { _ in }
        }
      }, onCancel: { inbox.end() })
  }

  /// Whether a close frame has been sent or received.
  var isEnding: Bool { state.withLock(\.isEnding) }

  package var endReason: String? { state.withLock(\.endReason) }

  /// Sets an action that runs when the server has opened the session.
  func whenOpen(_ action: @escaping @Sendable () -> Void) {
    state.withLock { $0.whenOpen = action }
  }

  package func didOpen() {
    let action = state.withLock { state in
      defer { state.whenOpen = nil }
      return state.whenOpen
    }
    action?()
  }

  package func offer(_ text: String) -> Bool { outbox.offer(text) }

  package func hasRoom(for bytes: Int) -> Bool { outbox.hasRoom(for: bytes) }

  package func waitForRoom(for bytes: Int) async { await outbox.waitForRoom(for: bytes) }

  package func send(_ text: String) async throws(ChannelClosed) {
    while true {
      if outbox.hasRoom(for: 0), outbox.offer(text) { return }
      if outbox.isClosed { throw ChannelClosed(reason: endReason ?? "the connection is closed") }
      await outbox.waitForRoom(for: 0)
    }
  }

  package func close() async {
    end(code: .goingAway, reason: "closed locally")
  }

  /// Sends a close frame after the queued messages, and closes the connection.
  func end(code: WebSocketErrorCode, reason: String) {
    guard beginEnd(reason) else { return }
    outbox.close()
    inbox.end()
    channel.eventLoop.execute {
      self.outbox.finish()
      var data = self.channel.allocator.buffer(capacity: 2)
      data.write(webSocketErrorCode: code)
      let frame = WebSocketFrame(
        fin: true, opcode: .connectionClose, maskKey: self.role.maskKey(), data: data)
      self.channel.writeAndFlush(frame, promise: nil)
      self.closeSoon()
    }
  }

  /// Closes the channel after a timeout, unless the peer closes it first. Runs on the event loop.
  func closeSoon() {
    let channel = channel
    channel.eventLoop.scheduleTask(in: WebSocketRole.goodbyeTimeout) { channel.close(promise: nil) }
  }

  /// Ends the channel, and drops the queued messages. Repeating the call has no effect.
  func ended(reason: String) {
    _ = beginEnd(reason)
    outbox.drop()
    inbox.end()
  }

  /// Marks the channel as ended. Returns false if it had already ended.
  private func beginEnd(_ reason: String) -> Bool {
    state.withLock { state in
      defer { state.isEnding = true }
      if state.endReason == nil { state.endReason = reason }
      return !state.isEnding
    }
  }
}

/// Which end of a WebSocket this is. Only clients mask their frames.
enum WebSocketRole: Sendable {
  case client, server

  /// The other end in messages: `server` or `client`.
  var peer: String { self == .client ? "server" : "client" }

  /// The timeout for the peer's close frame.
  static let goodbyeTimeout = TimeAmount.seconds(2)

  func maskKey() -> WebSocketMaskingKey? {
    switch self {
    case .client: .random()
    case .server: nil
    }
  }
}
