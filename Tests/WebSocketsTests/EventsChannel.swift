import Sync
import Triples

/// A client's channel over server-sent events: it listens on one connection and sends requests.
final class EventsChannel: MessageChannel, Sendable {
  let incoming: AsyncStream<String>
  private let ear: AsyncStream<String>.Continuation
  private let outbox: AsyncStream<String>.Continuation
  private let connection: RawConnection

  static func open(port: Int) async throws -> EventsChannel {
    let connection = try await RawConnection.open(port: port)
    connection.say(RawConnection.request("GET", "/runtime/sse?app_id=garden"))
    // Nothing follows the first event before a message was sent.
    let head = await connection.hear(until: "sse-token")
    let event = head.split(whereSeparator: \.isNewline).last { $0.hasPrefix("data: ") }
    guard let event,
      case .object(let opening)? = try? JSONReader.value(of: String(event.dropFirst(6)))
    else { throw ChannelClosed(reason: "there is no first event") }
    return EventsChannel(connection, opening, port: port)
  }

  private init(_ connection: RawConnection, _ opening: JSONObject, port: Int) {
    self.connection = connection
    (incoming, ear) = AsyncStream.makeStream(of: String.self)
    let (texts, outbox) = AsyncStream.makeStream(of: String.self)
    self.outbox = outbox
    let ear = ear
    Task {
      var lines = EventLines(connection.heard.makeAsyncIterator())
      while let text = await lines.next() { ear.yield(text) }
      ear.finish()
    }
    Task {
      for await text in texts {
        let head = Value.object([
          "session_id": opening["session-id"] ?? .null, "sse_token": opening["sse-token"] ?? .null,
        ])
        // The message is sent unchanged, even if it is invalid.
        let body = JSONWriter.text(head).dropLast() + #","messages":[\#(text)]}"#
        let answer = try? await RawConnection.ask(
          "POST", "/runtime/sse?app_id=garden", port: port, body: String(body))
        if answer?.hasPrefix("HTTP/1.1 200") != true { ear.finish() }
      }
    }
  }

  func send(_ text: String) async throws(ChannelClosed) {
    if !offer(text) { throw ChannelClosed(reason: "the channel is closed") }
  }

  func offer(_ text: String) -> Bool {
    if case .terminated = outbox.yield(text) { return false }
    return true
  }

  func close() async {
    outbox.finish()
    ear.finish()
    connection.close()
  }
}

/// The data of consecutive events, each on one line.
private struct EventLines {
  private var pieces: AsyncStream<[UInt8]>.Iterator
  private var buffer: [UInt8] = []

  init(_ pieces: AsyncStream<[UInt8]>.Iterator) { self.pieces = pieces }

  mutating func next() async -> String? {
    while true {
      while let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        let line = String(decoding: buffer[..<end], as: UTF8.self)
        buffer.removeSubrange(...end)
        if line.hasPrefix("data: ") { return String(line.dropFirst(6)) }
      }
      guard let piece = await pieces.next(isolation: #isolation) else { return nil }
      buffer += piece
    }
  }
}
