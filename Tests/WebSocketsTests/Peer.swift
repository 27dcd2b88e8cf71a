import InstaQL
import Sync
import TestSupport
import Testing
import Triples

/// A scripted client that reads one message after the other.
final class Peer {
  let channel: any MessageChannel
  private var texts: AwaitedSequence<AsyncStream<String>>.Iterator
  private var heard: [ServerEnvelope] = []

  init(_ channel: any MessageChannel) {
    self.channel = channel
    texts = channel.incoming.awaited("a message of the server").makeAsyncIterator()
  }

  /// Opens the session and returns the server's response.
  @discardableResult
  func open(token: String? = nil) async throws -> SessionInfo {
    try await say(.start(Opening(appID: "garden", adminToken: token)), as: "open")
    let answer = try await hear()
    guard case .started(let info) = answer.message else {
      throw Unexpected(what: "\(answer)")
    }
    return info
  }

  func say(_ message: ClientMessage, as eventID: String? = nil) async throws {
    try await channel.send(MessageCoding.text(ClientEnvelope(message, eventID: eventID)))
  }

  /// The next message.
  func hear() async throws -> ServerEnvelope {
    while heard.isEmpty {
      guard let text = try await texts.next(isolation: #isolation) else {
        throw Unexpected(what: "the channel ended: \(channel.endReason ?? "nobody knows why")")
      }
      heard = try MessageCoding.serverMessages(in: text)
    }
    return heard.removeFirst()
  }

  /// Whether nothing more arrives.
  func hearsNoMore() async throws -> Bool {
    while try await texts.next(isolation: #isolation) != nil {}
    return true
  }

  /// Sends a query and returns its first answer.
  func ask(_ query: Value, _ form: ResultForm = .tree) async throws -> Told {
    try await say(.addQuery(query, form), as: "ask")
    return try await hearAnswer()
  }

  /// The next answer to a query.
  ///
  /// Skips messages that only carry attributes: a relay may pass on a new attribute after it has
  /// confirmed the change that added it.
  func hearAnswer() async throws -> Told {
    while true {
      let envelope = try await hear()
      switch envelope.message {
      case .queryAdded(let query, let result, let processed):
        return Told(query: query, result: result, processed: processed ?? 0)
      case .refreshed(let refresh) where refresh.computations.count == 1:
        return Told(
          query: refresh.computations[0].query, result: refresh.computations[0].result,
          processed: refresh.processed ?? 0)
      case .refreshed(let refresh)
      where refresh.computations.isEmpty && refresh.attributes != nil: continue
      default: throw Unexpected(what: "\(envelope)")
      }
    }
  }

  /// Changes the store and returns the transaction id.
  @discardableResult
  func change(_ transaction: Transaction, as id: String = EntityID.random().text) async throws
    -> Int
  {
    try await say(.transact(transaction), as: id)
    while true {
      let envelope = try await hear()
      guard envelope.eventID == id else { continue }
      if case .transacted(let number) = envelope.message { return number }
      throw Unexpected(what: "\(envelope)")
    }
  }

  /// The next message, which must be an error.
  func hearError() async throws -> ServerError {
    let envelope = try await hear()
    guard case .failed(let error) = envelope.message else { throw Unexpected(what: "\(envelope)") }
    return error
  }
}

/// An answer in a form for tests.
struct Told {
  let query: Value
  let result: QueryResult
  let processed: Int

  /// One value of each object of a namespace, as JSON; empty for join rows.
  func values(_ namespace: String, _ label: String) -> [String] {
    guard case .tree(let tree) = result, case .array(let items)? = tree.data[namespace] else {
      return []
    }
    return items.map { item in
      guard case .object(let object) = item else { return "" }
      return object[label].map { JSONWriter.text($0) } ?? "nothing"
    }
  }

  var rows: JoinRows? {
    if case .joinRows(let rows) = result { return rows }
    return nil
  }
}

struct Unexpected: Error {
  let what: String
}
