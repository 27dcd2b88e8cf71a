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
  private let state = Mutex(State())

  private struct State {
    var texts: [String] = []
    var bytes = 0
    var isScheduled = false
    /// Nothing is taken over any more.
    var isClosed = false
    /// The end was written. Looked at on the event loop, where all writing is done in order.
    var hasEnded = false
    var whenRoomy: [CheckedContinuation<Void, Never>] = []
  }

  /// More than this waits for no reader, in bytes.
  private static let mostWaiting = 8 << 20

  /// - Parameter texts: What the reader is taken to have said.
  init(_ channel: any Channel, saying texts: [String] = []) {
    self.channel = channel
    for text in texts { _ = inbox.deliver(text) }
  }

  // MARK: What is said to the server

  var incoming: AsyncStream<String> {
    AsyncStream(
      unfolding: { await self.inbox.next { self.goOn() } }, onCancel: { self.inbox.end() })
  }

  /// Takes what the reader said, and returns when there is room for more.
  func take(_ texts: [String]) async {
    for text in texts { _ = inbox.deliver(text) }
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
    write("retry: 500\n\n")
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
    write(":\n\n")
    channel.flush()
  }

  func offer(_ text: String) -> Bool {
    let bytes = text.utf8.count
    let isFirst = state.withLock { state -> Bool? in
      guard !state.isClosed, state.bytes <= Self.mostWaiting else { return nil }
      state.texts.append(text)
      state.bytes += bytes
      defer { state.isScheduled = true }
      return !state.isScheduled
    }
    guard let isFirst else { return false }
    if isFirst { channel.eventLoop.execute { self.flush() } }
    return true
  }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "nobody reads the events") }
  }

  /// Hands all that waits to the network, in one go. On the event loop.
  private func flush() {
    let texts = state.withLock { state in
      defer {
        state.texts = []
        state.isScheduled = false
      }
      return state.hasEnded ? [] : state.texts
    }
    guard let last = texts.last else { return }
    for text in texts.dropLast() { write("data: \(text)\n\n") }
    let bytes = texts.reduce(0) { $0 + $1.utf8.count }
    // When the last one has been taken, all have.
    channel.writeAndFlush(body("data: \(last)\n\n")).whenComplete { _ in
      self.state.withLock { $0.bytes -= bytes }
    }
  }

  private func write(_ text: String) { channel.write(body(text), promise: nil) }

  private func body(_ text: String) -> HTTPServerResponsePart {
    .body(.byteBuffer(channel.allocator.buffer(string: text)))
  }

  func close() async {
    end()
    channel.eventLoop.execute {
      self.flush()
      let isFirst = self.state.withLock { state in
        defer { state.hasEnded = true }
        return !state.hasEnded
      }
      guard isFirst else { return }
      self.channel.writeAndFlush(HTTPServerResponsePart.end(nil)).whenComplete { _ in
        self.channel.close(promise: nil)
      }
    }
  }

  /// The reader is gone, or shall hear no more.
  func end() {
    state.withLock { $0.isClosed = true }
    inbox.end()
    goOn()
  }
}

/// The sessions over events, by name: their readers speak in requests of their own.
final class EventSessions: Sendable {
  private let streams = Mutex<[String: EventStream]>([:])

  func add(_ stream: EventStream) { streams.withLock { $0[stream.id] = stream } }

  func remove(_ stream: EventStream) { streams.withLock { $0[stream.id] = nil } }

  /// The session of that name, if its token is shown.
  func find(_ id: String, token: String) -> EventStream? {
    streams.withLock { $0[id] }.flatMap { $0.token == token ? $0 : nil }
  }
}
