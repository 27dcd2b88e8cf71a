import DataSources
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import TestSupport
import Testing
import Triples

@Suite("A live query that a server did not answer", .timeLimit(.minutes(10)))
struct RemoteRetryTests {
  private let tasks = QueryDocument(QueryPlan("tasks"))

  /// A subscription that the server has received, without an answer.
  private struct Asked {
    let manager: QueryManager
    let server: ScriptedServer
    let client: ScriptedClient
    let results: LiveResults
    let question: JSONObject

    /// The next result of this kind.
    func next(where isWanted: (LiveResult) -> Bool) async throws -> LiveResult {
      for try await result in results.awaited("a result") where isWanted(result) {
        return result
      }
      throw DataSourceError(.cancelled, "the results ended")
    }
  }

  private func ask() async throws -> Asked {
    let server = ScriptedServer()
    let remote = RemoteStore(Opening(appID: "a"), timeouts: .forTests, random: { 0 }) {
      server.connect()
    }
    let manager = QueryManager(store: remote)
    let results = await manager.subscribe(to: tasks).results
    let client = try await server.client()
    try await client.open()
    return Asked(
      manager: manager, server: server, client: client, results: results,
      question: try await client.hear("add-query"))
  }

  private func refusal(_ status: Int64, of question: JSONObject) -> JSONObject {
    [
      "op": "error", "client-event-id": question["client-event-id"] ?? .null,
      "status": .integer(status), "type": status == 429 ? "rate-limited" : "validation-failed",
      "message": "Not now.", "hint": ["retry-after": 1],
    ]
  }

  @Test("is sent again when the server allows it")
  func overloaded() async throws {
    let asked = try await ask()
    let client = asked.client
    try await client.say(refusal(429, of: asked.question))
    let failed = try await asked.next { if case .failed = $0 { true } else { false } }
    guard case .failed(let failure) = failed else { throw Missing() }
    #expect(failure.kind == .rateLimited)
    try await client.answer(try await client.hear("add-query"), [1: "one"], processed: 7)
    _ = try await asked.next { $0.isLive }
  }

  @Test("is sent again over a new connection if it was rejected")
  func rejected() async throws {
    let asked = try await ask()
    let client = asked.client
    try await client.say(refusal(400, of: asked.question))
    let failed = try await asked.next { if case .failed = $0 { true } else { false } }
    guard case .failed(let failure) = failed else { throw Missing() }
    #expect(failure.kind == .refused)
    await client.channel.close()
    let second = try await asked.server.client()
    try await second.open()
    try await second.answer(try await second.hear("add-query"), [1: "one"], processed: 7)
    _ = try await asked.next { $0.isLive }
  }

  @Test("keeps its last answer with the reason, and becomes live again")
  func outdated() async throws {
    let asked = try await ask()
    let client = asked.client
    try await client.answer(asked.question, [1: "one"], processed: 7)
    _ = try await asked.next { $0.isLive }
    try await client.say(refusal(429, of: asked.question))
    let stale = try await asked.next { !$0.isLive }
    guard case .loaded(let answer) = stale else { throw Missing() }
    #expect(answer.freshness == .stale(reason: "Not now."))
    try await client.answer(try await client.hear("add-query"), [1: "two"], processed: 8)
    _ = try await asked.next { $0.isLive }
  }
}

extension LiveResult {
  /// Whether it is a current answer.
  fileprivate var isLive: Bool {
    if case .loaded(let answer) = self { answer.freshness == .live } else { false }
  }
}
