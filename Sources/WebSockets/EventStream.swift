import NIOCore
import NIOHTTP1
import Sync
import Synchronization
import Triples

/// A message channel over server-sent events.
///
/// The client sends its messages in separate requests, or in the request that opens the stream.
///
/// - Source: HTML standard, server-sent events; the first event is that of InstantDB's server.
final class EventStream: MessageChannel, Sendable {
  /// The id of the session, which the client sends with its messages.
  let id = EntityID.random().text
  /// The secret that authenticates the client's messages.
  let token = EntityID.random().text
  private let channel: any Channel
  private let inbox = Inbox()
  let outbox: Outbox
  private let whenOpen: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    /// Whether the end of the stream was written. Only the event loop uses this, because it orders
    /// all writes.
    var hasEnded = false
    var isClosed = false
    var isOpen = false
    var whenRoomy: [CheckedContinuation<Void, Never>] = []
  }

  /// The maximum size of queued output in bytes, not counting the longest message.
  private static let maxWaitingBytes = 8 << 20

  /// Creates a stream on a connection.
  ///
  /// - Parameters:
  ///   - texts: The messages that the request that opens the stream contains.
  ///   - whenOpen: Called when the server has opened the client's session.
  init(
    _ channel: any Channel, budget: ByteBudget, saying texts: [String] = [],
    whenOpen: @escaping @Sendable () -> Void
  ) {
    self.channel = channel
    self.whenOpen = whenOpen
    outbox = Outbox(
      channel, budget: budget, maxWaitingBytes: Self.maxWaitingBytes
    ) { text, promise in
      channel.write(Self.body("data: \(text)\n\n", channel), promise: promise)
    }
    for text in texts { _ = inbox.deliver(text) }
  }

  /// Whether the server has opened the client's session.
  var isOpen: Bool { state.withLock(\.isOpen) }

  func didOpen() {
    state.withLock { $0.isOpen = true }
    whenOpen()
  }

  // MARK: Messages to the server

  var incoming: AsyncStream<String> {
    AsyncStream(
      unfolding: { await self.inbox.next { self.goOn() } }, onCancel: { self.inbox.end() })
  }

  /// Delivers messages of the client. Returns when there is room for more messages.
  func deliver(_ texts: [String]) async {
    for text in texts {
      await waitForInbox()
      _ = inbox.deliver(text)
    }
    await waitForInbox()
  }

  private func waitForInbox() async {
    guard inbox.isFull else { return }
    await withCheckedContinuation { continuation in
      let mustWait = state.withLock { state in
        guard !state.isClosed, inbox.isFull else { return false }
        state.whenRoomy.append(continuation)
        return true
      }
      if !mustWait { continuation.resume() }
    }
  }

  private func goOn() {
    let waiting = state.withLock { state in
      defer { state.whenRoomy = [] }
      return state.whenRoomy
    }
    for continuation in waiting { continuation.resume() }
  }

  // MARK: Messages to the client

  /// Sends the response's head and the event that identifies the session. Runs on the event loop.
  func begin() {
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream", "Cache-Control": "no-cache",
      "Access-Control-Allow-Origin": "*",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    channel.write(Self.body("retry: 500\n\n", channel), promise: nil)
    _ = offer(
      JSONWriter.text([
        "op": "sse-init", "machine-id": .text(Self.machineID), "session-id": .text(id),
        "sse-token": .text(token),
      ]))
  }

  private static let machineID = EntityID.random().text

  /// Sends a comment, so that proxies do not close an idle connection. Runs on the event loop.
  func keepAlive() {
    guard channel.isWritable, !state.withLock(\.hasEnded) else { return }
    channel.writeAndFlush(Self.body(":\n\n", channel), promise: nil)
  }

  /// Continues to write when the channel is writable again. Runs on the event loop.
  func flush() {
    if !state.withLock(\.hasEnded) { outbox.flush() }
  }

  func offer(_ text: String) -> Bool { outbox.offer(text) }

  func hasRoom(for bytes: Int) -> Bool { outbox.hasRoom(for: bytes) }

  func waitForRoom(for bytes: Int) async { await outbox.waitForRoom(for: bytes) }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "the client does not read its events") }
  }

  private static func body(_ text: String, _ channel: any Channel) -> HTTPServerResponsePart {
    .body(.byteBuffer(channel.allocator.buffer(string: text)))
  }

  func close() async {
    end()
    channel.eventLoop.execute {
      let isFirst = self.state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      guard isFirst else { return }
      if self.channel.isActive { self.outbox.finish() } else { self.outbox.drop() }
      self.channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
        self.channel.close(promise: nil)
      }
      let channel = self.channel
      channel.eventLoop.scheduleTask(in: WebSocketRole.goodbyeTimeout) {
        channel.close(promise: nil)
      }
    }
  }

  /// Ends the stream, because the client has disconnected, or because nothing more may be sent.
  func end() {
    state.withLock { $0.isClosed = true }
    outbox.close()
    inbox.end()
    goOn()
  }

  /// Processes the notice that the connection is closed. Runs on the event loop.
  func drop() {
    state.withLock { $0.hasEnded = true }
    end()
    outbox.drop()
  }
}

/// The event sessions, keyed by id. Their clients send messages in separate requests.
final class EventSessions: Sendable {
  private let streams = Mutex<[String: (stream: EventStream, address: String?)]>([:])

  func add(_ stream: EventStream, from address: String?) {
    streams.withLock { $0[stream.id] = (stream, address) }
  }

  func remove(_ stream: EventStream) { streams.withLock { $0[stream.id] = nil } }

  /// Returns the session with this id. Nil if there is no such session, or if the token is wrong.
  func find(_ id: String, token: String) -> EventStream? {
    streams.withLock { $0[id]?.stream }.flatMap { $0.token == token ? $0 : nil }
  }

  /// Returns whether a peer with this address has an authorized session.
  func hasOpen(from address: String?) -> Bool {
    streams.withLock { streams in
      streams.values.contains { $0.address == address && $0.stream.isOpen }
    }
  }
}
