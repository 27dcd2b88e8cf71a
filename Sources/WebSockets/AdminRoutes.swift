import Sync
import Triples

/// What each path answers: the admin interface, and sessions for those who cannot have a WebSocket.
///
/// - Source: InstantDB's admin endpoints and its session over server-sent events; health as its
///   self-hosted server has it.
struct AdminRoutes: Sendable {
  let server: SyncServer
  let access: AccessRule
  let mostBytes: Int
  let sessions = EventSessions()

  private var accounts: AccountRoutes { AccountRoutes(access: access, mostBytes: mostBytes) }

  enum Outcome: Sendable {
    case reply(HTTPReply)
    /// The answer to a query, now and after each change, as events.
    case events(query: Value)
    /// A session whose messages are events; its reader speaks in requests.
    case session
  }

  func outcome(of question: HTTPQuestion) async -> Outcome {
    if question.method == "OPTIONS" { return .reply(.preflight) }
    switch (question.method, question.path) {
    case ("GET", "/health"): return .reply(HTTPReply(#"{"status":"ok"}"#))
    case ("GET", "/health/system"): return .reply(HTTPReply(#"{"wal":"ok"}"#))
    case ("POST", "/admin/query"), ("POST", "/admin/transact"), ("POST", "/admin/subscribe-query"),
      ("GET", "/admin/schema"), ("POST", "/runtime/framework/query"),
      ("POST", "/runtime/triples"), ("POST", "/admin/query_perms_check"),
      ("POST", "/admin/transact_perms_check"):
      break
    case ("GET", "/runtime/sse"): return .session
    case ("POST", "/runtime/sse"): return .reply(await hear(question))
    default: return .reply(accounts.reply(to: question) ?? .unknownRoute)
    }
    guard access.accepts(question.token) else {
      let error =
        question.token == nil
        ? ServerError(
          type: "param-missing", "Missing parameter: [\"authorization\"]",
          hint: ["in": ["headers", "authorization"]])
        : ServerError(
          type: "record-not-found", "Record not found: app-admin-token",
          hint: ["record-type": "app-admin-token"])
      return .reply(HTTPReply(error, status: question.token == nil ? 400 : 401))
    }
    do throws(ServerError) {
      return try await admin(question)
    } catch { return .reply(HTTPReply(error)) }
  }

  private func admin(_ question: HTTPQuestion) async throws(ServerError) -> Outcome {
    if question.path == "/admin/schema" {
      return .reply(HTTPReply(try await server.schemaJSON()))
    }
    if question.path.hasSuffix("_perms_check") { throw Self.noRules }
    let body = try question.object(mostBytes: mostBytes)
    if question.path == "/admin/transact" {
      guard let steps = body["steps"] else { throw Self.missing("steps") }
      let id = try await server.transact(
        operations: steps, makesAttributes: body["throw-on-missing-attrs?"] != .bool(true))
      return .reply(HTTPReply(#"{"tx-id":\#(id)}"#))
    }
    guard let query = body["query"], query != .null else { throw Self.missing("query") }
    if question.path == "/admin/subscribe-query" { return .events(query: query) }
    if question.path.hasPrefix("/runtime/") {
      return .reply(HTTPReply(try await server.rows(of: query)))
    }
    return .reply(
      HTTPReply(
        try await server.answer(query, infersCardinality: body["inference?"] == .bool(true))))
  }

  /// What the reader of a session over events says.
  private func hear(_ question: HTTPQuestion) async -> HTTPReply {
    do throws(ServerError) {
      let body = try question.object(mostBytes: mostBytes)
      guard let id = body["session_id"]?.textValue, let token = body["sse_token"]?.textValue
      else { throw Self.missing("session_id") }
      guard case .array(let messages)? = body["messages"] else { throw Self.missing("messages") }
      guard let session = sessions.find(id, token: token) else {
        throw ServerError(
          type: "session-missing", "There is no such session, or it has ended.")
      }
      await session.take(messages.map { JSONWriter.text($0) })
      return HTTPReply("{}")
    } catch { return HTTPReply(error) }
  }

  private static let noRules = ServerError(
    type: "validation-failed",
    "Validation failed for permissions: this server has no rules to test; whoever is let in may see "
      + "everything.", hint: ["data-type": "permissions", "errors": []])

  private static func missing(_ key: String) -> ServerError {
    ServerError(
      type: "param-missing", "Missing parameter: [\"\(key)\"]", hint: ["in": ["body", .text(key)]])
  }
}
