import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Synchronization
import TestSupport
import Testing
import Triples
import WebSockets

/// Records the messages that a client sends.
final class Spoken: Sendable {
  private let texts = Mutex<[String]>([])

  func add(_ text: String) { texts.withLock { $0.append(text) } }

  /// The messages of one type.
  func all(_ operation: String) -> [String] {
    texts.withLock { $0.filter { $0.hasPrefix("{\"op\":\"\(operation)\"") } }
  }
}

struct RecordedChannel: MessageChannel {
  let base: any MessageChannel
  let spoken: Spoken

  var incoming: AsyncStream<String> { base.incoming }
  var endReason: String? { base.endReason }

  func send(_ text: String) async throws(ChannelClosed) {
    spoken.add(text)
    try await base.send(text)
  }

  func offer(_ text: String) -> Bool {
    spoken.add(text)
    return base.offer(text)
  }

  func close() async { await base.close() }
}

/// A client like a program's: live queries on a store behind a socket.
struct LiveClient {
  let store: RemoteStore
  let manager: QueryManager
  let spoken = Spoken()

  init(_ address: ServerAddress) {
    let client = WebSocketClient.forTests(address)
    store = RemoteStore(Opening(appID: "garden"), timeouts: .forTests, random: { 0 }) { [spoken] in
      RecordedChannel(base: try await client.connect(), spoken: spoken)
    }
    manager = QueryManager(store: store)
  }

  func watch(_ document: QueryDocument) async -> Results {
    Results(await manager.subscribe(to: document))
  }
}

/// The results of one subscription in order.
final class Results {
  let id: SubscriptionID
  private var results: AwaitedSequence<LiveResults>.Iterator

  init(_ subscription: Subscription) {
    id = subscription.id
    results = subscription.results.awaited("a result").makeAsyncIterator()
  }

  func next() async throws -> LiveResult? {
    try await results.next(isolation: #isolation)
  }

  /// The next answer that satisfies the condition.
  func answer(where isWanted: (LiveAnswer) -> Bool = { _ in true }) async throws -> LiveAnswer {
    while let result = try await next() {
      switch result {
      case .loading: continue
      case .loaded(let answer) where isWanted(answer): return answer
      case .loaded: continue
      case .failed(let failure): throw failure
      }
    }
    throw Unexpected(what: "the subscription ended")
  }
}

extension LiveAnswer {
  /// The names of all rows.
  var names: [String] { answers.flatMap { answer in answer.names(answer.rows) } }
}

extension Answer {
  func names(_ rows: [EntityHandle]) -> [String] {
    rows.map { row in
      if case .text(let name)? = value(row, "name") { return name }
      return "nothing"
    }
  }
}

/// Serves the garden and creates a client for it.
func withClient(
  _ body: (LiveClient, Served) async throws -> Void
) async throws {
  try await Wire.socket.serveGarden { served in
    let client = LiveClient(try #require(served.listener).address)
    do { try await body(client, served) } catch {
      await client.store.close()
      throw error
    }
    await client.store.close()
  }
}
