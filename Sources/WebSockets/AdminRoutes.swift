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
  /// How many connections there are, and the bytes that they hold.
  let load: @Sendable () -> (connections: Int, bytes: Int)
  let sessions = EventSessions()

  private var accounts: AccountRoutes {
    AccountRoutes(server: server, access: access, mostBytes: mostBytes)
  }

  enum Outcome: Sendable {
    case reply(HTTPReply)
    /// The answer to a query, now and after each change, as events.
    case events(query: Value, ResultForm)
    /// A session whose messages are events; its reader speaks in requests. It is open from the start
    /// when it was let in by a header.
    case session(isTrusted: Bool)
  }

  /// What the head of a request is answered with.
  enum Gate: Sendable {
    /// It is let in, with a body of so many bytes.
    case open(maxBytes: Int)
    case refused(HTTPReply)
    /// The same after so many milliseconds, noted as an attempt that is delayed.
    case delayed(HTTPReply, Int64)
  }

  /// The longest body of a request that shows no token, in bytes.
  private static let maxUntrustedBytes = 64 << 10

  private static let guarded: Set<String> = [
    "POST /admin/query", "POST /admin/transact", "POST /admin/subscribe-query",
    "GET /admin/schema", "POST /runtime/framework/query", "POST /runtime/triples",
    "POST /admin/query_perms_check", "POST /admin/transact_perms_check",
    "GET /metrics", "GET /admin/rooms/presence", "POST /admin/sse",
  ]

  /// Where the reader of a session over events speaks.
  private static let heard: Set<String> = ["/runtime/sse", "/admin/sse/push"]

  private func isGuarded(_ question: HTTPQuestion) -> Bool {
    Self.guarded.contains(question.method + " " + question.path)
  }

  /// Judges a request by its head: nothing is kept of the body of one that is refused.
  func gate(_ question: HTTPQuestion) -> Gate {
    guard isGuarded(question) else {
      let isHeard = Self.heard.contains(question.path) && sessions.hasOpen(from: question.address)
      return .open(maxBytes: isHeard ? mostBytes : min(mostBytes, Self.maxUntrustedBytes))
    }
    guard access.token != nil else { return .open(maxBytes: mostBytes) }
    guard let shown = question.shownToken else {
      if let refusal = question.user.flatMap(refusal) { return .refused(HTTPReply(refusal)) }
      return .refused(
        HTTPReply(
          ServerError(
            type: "param-missing", "Missing parameter: [\"authorization\"]",
            hint: ["in": ["headers", "authorization"]])))
    }
    if let wait = server.attempts.wait(for: question.address) {
      return .refused(HTTPReply(.tooManyAttempts(wait)))
    }
    if access.accepts(shown) { return .open(maxBytes: mostBytes) }
    let reply =
      question.token == nil
      ? HTTPReply(.wrongToken("app-user")) : HTTPReply(.wrongToken("app-admin-token"), status: 401)
    return .delayed(reply, server.noteWrongToken(from: question.address))
  }

  func outcome(of question: HTTPQuestion) async -> Outcome {
    if question.method == "OPTIONS" { return .reply(.preflight) }
    switch (question.method, question.path) {
    case ("GET", "/health"): return .reply(HTTPReply(#"{"status":"ok"}"#))
    case ("GET", "/health/system"): return .reply(HTTPReply(#"{"wal":"ok"}"#))
    case ("GET", "/runtime/sse"): return .session(isTrusted: false)
    case ("POST", "/runtime/sse"), ("POST", "/admin/sse/push"):
      return .reply(await hear(question))
    default: break
    }
    guard isGuarded(question) else {
      guard let reply = await accounts.reply(to: question) else { return .reply(.unknownRoute) }
      return .reply(await delayed(reply, question))
    }
    if let user = question.user, let refusal = refusal(of: user) {
      return .reply(HTTPReply(refusal))
    }
    do throws(ServerError) {
      return try await admin(question)
    } catch { return .reply(HTTPReply(error)) }
  }

  /// A token that is wrong is wrong wherever it is shown.
  private func delayed(_ reply: HTTPReply, _ question: HTTPQuestion) async -> HTTPReply {
    guard access.token != nil, reply.status != 200,
      question.path == "/runtime/auth/verify_refresh_token"
    else { return reply }
    if let wait = server.attempts.wait(for: question.address) {
      return HTTPReply(.tooManyAttempts(wait))
    }
    // A sleep that is canceled is over.
    try? await Task.sleep(for: .milliseconds(server.noteWrongToken(from: question.address)))
    server.attempts.finished(from: question.address)
    return reply
  }

  /// Why nothing can be asked as a user; nil when that is the same as asking by oneself.
  ///
  /// The server has neither users nor rules: its token opens everything, and without one it answers
  /// every client of this machine alike.
  private func refusal(of user: ActingUser) -> ServerError? {
    switch user {
    case .guest where access.token == nil: nil
    case .guest:
      ServerError(
        type: "not-supported",
        "This server requires its token, so it has no guests. Ask without asUser.")
    case .token(let token)
    where access.token == nil ? EntityID(token).isUUID : access.accepts(token):
      nil
    case .token: .wrongToken("app-user")
    case .email(let email):
      ServerError(
        type: "record-not-found",
        "Record not found: app-user. This server keeps no users, so that '\(email)' is none of "
          + "them. Ask without asUser.", hint: ["record-type": "app-user"])
    }
  }

  private func admin(_ question: HTTPQuestion) async throws(ServerError) -> Outcome {
    if question.path == "/metrics" { return .reply(HTTPReply(metrics: await metrics())) }
    if question.path == "/admin/schema" {
      return .reply(HTTPReply(try await server.schemaJSON()))
    }
    if question.path.hasSuffix("_perms_check") { throw Self.noRules }
    if question.path == "/admin/sse" { return .session(isTrusted: true) }
    if question.path == "/admin/rooms/presence" {
      guard let room = question.parameters["room-id"] else { throw Self.missing("room-id") }
      return .reply(HTTPReply(await server.presenceJSON(in: room)))
    }
    let body = try question.object(mostBytes: mostBytes)
    if question.path == "/admin/transact" {
      guard let steps = body["steps"] else { throw Self.missing("steps") }
      let id = try await server.transact(
        operations: steps, makesAttributes: body["throw-on-missing-attrs?"] != .bool(true))
      return .reply(HTTPReply(#"{"tx-id":\#(id)}"#))
    }
    guard let query = body["query"], query != .null else { throw Self.missing("query") }
    let infersCardinality = body["inference?"] == .bool(true)
    if question.path == "/admin/subscribe-query" {
      return .events(query: query, infersCardinality ? .inferredTree : .tree)
    }
    if question.path.hasPrefix("/runtime/") {
      return .reply(HTTPReply(try await server.rows(of: query, for: question.connection)))
    }
    return .reply(
      HTTPReply(
        try await server.answer(
          query, infersCardinality: infersCardinality, for: question.connection)))
  }

  private func metrics() async -> String {
    let load = load()
    return await server.metrics(connections: load.connections, unsentBytes: load.bytes)
  }

  /// Messages that one request may hold.
  private static let maxMessages = 1_000

  /// What the reader of a session over events says.
  private func hear(_ question: HTTPQuestion) async -> HTTPReply {
    do throws(ServerError) {
      let body = try question.object(mostBytes: mostBytes)
      // Counted before any of them is delivered.
      if case .array(let messages)? = body["messages"], messages.count > Self.maxMessages {
        throw .batch(of: messages.count, most: Self.maxMessages)
      }
      guard let id = body["session_id"]?.textValue, let token = body["sse_token"]?.textValue
      else { throw Self.missing("session_id") }
      guard case .array(let messages)? = body["messages"] else { throw Self.missing("messages") }
      guard let session = sessions.find(id, token: token) else {
        throw ServerError(
          type: "session-missing", "There is no such session, or it has ended.")
      }
      await session.deliver(messages.map { JSONWriter.text($0) })
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

extension HTTPQuestion {
  /// The token that opens the server: the bearer's, or the one of the user as whom it is asked.
  fileprivate var shownToken: String? {
    if case .token(let token)? = user { return self.token ?? token }
    return token
  }
}
