import NIOCore
import NIOHTTP1
import Sync
import Synchronization
import Triples

/// An answer that goes on: server-sent events as a message channel.
///
/// What its reader says comes with requests of their own, or was said when it began.
///
/// - Source: HTML standard, server-sent events; the first event as InstantDB's server sends it.
final class EventStream: MessageChannel, Sendable {
  /// The name of the session, by which its reader can say something.
  let id = EntityID.random().text
  /// What shows that it is the reader who speaks.
  let token = EntityID.random().text
  private let channel: any Channel
  private let inbox = Inbox()
  let outbox: Outbox
  private let whenOpen: @Sendable () -> Void
  private let state = Mutex(State())

  private struct State {
    /// The end was written. Looked at on the event loop, where all writing is done in order.
    var hasEnded = false
    var isClosed = false
    var isOpen = false
    var whenRoomy: [CheckedContinuation<Void, Never>] = []
  }

  /// What may wait for a reader beside the longest answer, in bytes.
  private static let maxWaitingBytes = 8 << 20

  /// - Parameters:
  ///   - texts: What the reader is taken to have said.
  ///   - whenOpen: Called when the server has opened the session of the reader.
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

  /// Whether the server has opened the session of its reader.
  var isOpen: Bool { state.withLock(\.isOpen) }

  func didOpen() {
    state.withLock { $0.isOpen = true }
    whenOpen()
  }

  // MARK: What is said to the server

  var incoming: AsyncStream<String> {
    AsyncStream(
      unfolding: { await self.inbox.next { self.goOn() } }, onCancel: { self.inbox.end() })
  }

  /// Delivers what the reader said, and returns when there is room for more.
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

  // MARK: What the server says

  /// Sends the head, and who this is. On the event loop.
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

  /// Lets those in between know that this goes on. On the event loop.
  func keepAlive() {
    guard channel.isWritable, !state.withLock(\.hasEnded) else { return }
    channel.writeAndFlush(Self.body(":\n\n", channel), promise: nil)
  }

  /// The channel takes more again. On the event loop.
  func flush() {
    if !state.withLock(\.hasEnded) { outbox.flush() }
  }

  func offer(_ text: String) -> Bool { outbox.offer(text) }

  func hasRoom(for bytes: Int) -> Bool { outbox.hasRoom(for: bytes) }

  func waitForRoom(for bytes: Int) async { await outbox.waitForRoom(for: bytes) }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "the events are not read") }
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
      channel.eventLoop.scheduleTask(in: WebSocketRole.maxGoodbye) { channel.close(promise: nil) }
    }
  }

  /// The reader is gone, or nothing more may be said to it.
  func end() {
    state.withLock { $0.isClosed = true }
    outbox.close()
    inbox.end()
    goOn()
  }

  /// The connection is gone. On the event loop.
  func drop() {
    state.withLock { $0.hasEnded = true }
    end()
    outbox.drop()
  }
}

/// The sessions over events, by name: their readers speak in requests of their own.
final class EventSessions: Sendable {
  private let streams = Mutex<[String: (stream: EventStream, address: String?)]>([:])

  func add(_ stream: EventStream, from address: String?) {
    streams.withLock { $0[stream.id] = (stream, address) }
  }

  func remove(_ stream: EventStream) { streams.withLock { $0[stream.id] = nil } }

  /// The session of that name, if its token is shown.
  func find(_ id: String, token: String) -> EventStream? {
    streams.withLock { $0[id]?.stream }.flatMap { $0.token == token ? $0 : nil }
  }

  /// Whether a peer of that address has shown in a session that it may come in.
  func hasOpen(from address: String?) -> Bool {
    streams.withLock { streams in
      streams.values.contains { $0.address == address && $0.stream.isOpen }
    }
  }
}
