import NIOCore
import NIOHTTP1
import Sync
import Synchronization
import Triples

/// An answer that goes on: server-sent events as a message channel that nobody speaks into.
///
/// - Source: HTML standard, server-sent events; the first event as InstantDB's server sends it.
final class EventStream: MessageChannel, Sendable {
  private let channel: any Channel
  private let query: Value
  private let state = Mutex(State())
  private let spoken: AsyncStream<String>
  private let speaker: AsyncStream<String>.Continuation

  private struct State {
    var bytes = 0
    /// Nothing is taken over any more.
    var isClosed = false
    /// The end was written. Looked at on the event loop, where all writing is done in order.
    var hasEnded = false
  }

  /// More than this waits for no reader, in bytes.
  private static let mostWaiting = 8 << 20

  init(_ channel: any Channel, query: Value) {
    self.channel = channel
    self.query = query
    (spoken, speaker) = AsyncStream.makeStream(of: String.self)
    speaker.yield(
      MessageCoding.text(ClientEnvelope(.addQuery(query, .tree), eventID: EntityID.random().text)))
  }

  var incoming: AsyncStream<String> { spoken }

  /// Sends the head, and who this is. On the event loop.
  func begin() {
    let headers: HTTPHeaders = [
      "Content-Type": "text/event-stream", "Cache-Control": "no-cache",
      "Access-Control-Allow-Origin": "*",
    ]
    let head = HTTPResponseHead(version: .http1_1, status: .ok, headers: headers)
    channel.write(HTTPServerResponsePart.head(head), promise: nil)
    write("retry: 500\n\n", bytes: 0)
    let ids = (0..<3).map { _ in Value.text(EntityID.random().text) }
    _ = offer(
      JSONWriter.text([
        "op": "sse-init", "machine-id": ids[0], "session-id": ids[1], "sse-token": ids[2],
      ]))
  }

  func offer(_ text: String) -> Bool {
    let bytes = text.utf8.count
    let isTaken = state.withLock { state in
      guard !state.isClosed, state.bytes <= Self.mostWaiting else { return false }
      state.bytes += bytes
      return true
    }
    if isTaken { write("data: \(text)\n\n", bytes: bytes) }
    return isTaken
  }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "nobody reads the events") }
  }

  private func write(_ text: String, bytes: Int) {
    channel.eventLoop.execute {
      guard !self.state.withLock(\.hasEnded) else { return }
      let body = HTTPServerResponsePart.body(
        .byteBuffer(self.channel.allocator.buffer(string: text)))
      self.channel.writeAndFlush(body).whenComplete { _ in
        self.state.withLock { $0.bytes -= bytes }
      }
    }
  }

  func close() async {
    end()
    channel.eventLoop.execute {
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
    speaker.finish()
  }
}
