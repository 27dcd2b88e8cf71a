import Sync
import Triples

/// The routes of the admin interface, and of sessions without a WebSocket.
///
/// - Source: InstantDB's admin endpoints and its sessions over server-sent events; the health check
///   as in its self-hosted server.
struct AdminRoutes: Sendable {
  let server: SyncServer
  let access: AccessRule
  let maxBytes: Int
  /// Returns the number of connections, and how many bytes they keep in memory.
  let load: @Sendable () -> (connections: Int, bytes: Int)
  let sessions = EventSessions()

  private var accounts: AccountRoutes {
    AccountRoutes(server: server, access: access, maxBytes: maxBytes)
  }

  enum Outcome: Sendable {
    case reply(HTTPReply)
    /// The server sends the answer to a query as events: now, and after each change.
    case events(query: Value, ResultForm)
    /// The server opens a session, in which it sends messages as events and the client sends
    /// requests. If a header authorized the client, the session is already open.
    case session(isTrusted: Bool)
  }

  /// The decision about a request. It is made when the head of the request arrives.
  enum Gate: Sendable {
    /// Accepts the request, with a body of at most this many bytes.
    case open(maxBytes: Int)
    case refused(HTTPReply)
    /// Rejects the request after a delay in milliseconds. It counts as a delayed attempt.
    case delayed(HTTPReply, Int64)
  }

  /// The maximum size of a request's body if the request has no token, in bytes.
  private static let maxUntrustedBytes = 64 << 10

  private static let metricsPath = "/metrics"

  private static let guarded: Set<String> = [
    "POST /admin/query", "POST /admin/transact", "POST /admin/subscribe-query",
    "GET /admin/schema", "POST /runtime/framework/query", "POST /runtime/triples",
    "POST /admin/query_perms_check", "POST /admin/transact_perms_check",
    "GET \(metricsPath)", "GET /admin/rooms/presence", "POST /admin/sse",
  ]

  /// The paths to which the clients of event sessions send their messages.
  private static let messagePaths: Set<String> = ["/runtime/sse", "/admin/sse/push"]

  private func isGuarded(_ request: HTTPRequest) -> Bool {
    Self.guarded.contains(request.method + " " + request.path)
  }

  /// Decides by a request's head whether to accept, reject or delay the request. If it is rejected,
  /// its body is not stored.
  func gate(_ request: HTTPRequest) -> Gate {
    guard isGuarded(request) else {
      let isMessage =
        Self.messagePaths.contains(request.path) && sessions.hasOpen(from: request.address)
      return .open(maxBytes: isMessage ? maxBytes : min(maxBytes, Self.maxUntrustedBytes))
    }
    guard access.token != nil else { return .open(maxBytes: maxBytes) }
    guard let shown = request.shownToken else {
      if let refusal = request.user.flatMap(refusal) { return .refused(HTTPReply(refusal)) }
      let missing = ServerError(
        type: "param-missing", "Missing parameter: [\"authorization\"]",
        hint: ["in": ["headers", "authorization"]])
      // InstantDB's clients expect 400 from its admin routes; other HTTP clients expect 401.
      return .refused(HTTPReply(missing, status: request.path == Self.metricsPath ? 401 : nil))
    }
    if let wait = server.attempts.wait(for: request.address) {
      return .refused(HTTPReply(.tooManyAttempts(wait)))
    }
    if access.accepts(shown) { return .open(maxBytes: maxBytes) }
    let reply =
      request.token == nil
      ? HTTPReply(.wrongToken("app-user")) : HTTPReply(.wrongToken("app-admin-token"), status: 401)
    return .delayed(reply, server.recordWrongToken(from: request.address))
  }

  func outcome(of request: HTTPRequest) async -> Outcome {
    if request.method == "OPTIONS" { return .reply(.preflight) }
    switch (request.method, request.path) {
    case ("GET", "/health"): return .reply(HTTPReply(#"{"status":"ok"}"#))
    case ("GET", "/health/system"): return .reply(HTTPReply(#"{"wal":"ok"}"#))
    case ("GET", "/runtime/sse"): return .session(isTrusted: false)
    case ("POST", "/runtime/sse"), ("POST", "/admin/sse/push"):
      return .reply(await deliverMessages(request))
    default: break
    }
    guard isGuarded(request) else {
      guard let reply = await accounts.reply(to: request) else { return .reply(.unknownRoute) }
      return .reply(await delayed(reply, request))
    }
    if let user = request.user, let refusal = refusal(of: user) {
      return .reply(HTTPReply(refusal))
    }
    do throws(ServerError) {
      return try await admin(request)
    } catch { return .reply(HTTPReply(error)) }
  }

  /// Returns the response. If it rejects a wrong token, it is returned after a delay.
  private func delayed(_ reply: HTTPReply, _ request: HTTPRequest) async -> HTTPReply {
    guard access.token != nil, reply.status != 200,
      request.path == "/runtime/auth/verify_refresh_token"
    else { return reply }
    if let wait = server.attempts.wait(for: request.address) {
      return HTTPReply(.tooManyAttempts(wait))
    }
    // If the task is canceled, the delay just ends earlier.
    try? await Task.sleep(for: .milliseconds(server.recordWrongToken(from: request.address)))
    server.attempts.finished(from: request.address)
    return reply
  }

  /// Returns an error for a query on behalf of a user, if the query's result would depend on the
  /// user; otherwise nil.
  ///
  /// The server has neither users nor permission rules. Its token permits everything. On a server
  /// without a token, all clients on this machine have the same rights.
  private func refusal(of user: ActingUser) -> ServerError? {
    switch user {
    case .guest where access.token == nil: nil
    case .guest:
      ServerError(
        type: "not-supported",
        "This server requires a token, so it has no guests. Remove asUser.")
    case .token(let token)
    where access.token == nil ? EntityID(token).isUUID : access.accepts(token):
      nil
    case .token: .wrongToken("app-user")
    case .email(let email):
      ServerError(
        type: "record-not-found",
        "Record not found: app-user. This server has no users, so it does not know '\(email)'. "
          + "Remove asUser.", hint: ["record-type": "app-user"])
    }
  }

  private func admin(_ request: HTTPRequest) async throws(ServerError) -> Outcome {
    if request.path == Self.metricsPath { return .reply(HTTPReply(metrics: await metrics())) }
    if request.path == "/admin/schema" {
      return .reply(HTTPReply(try await server.schemaJSON()))
    }
    if request.path.hasSuffix("_perms_check") { throw Self.noRules }
    if request.path == "/admin/sse" { return .session(isTrusted: true) }
    if request.path == "/admin/rooms/presence" {
      guard let room = request.parameters["room-id"] else { throw Self.missing("room-id") }
      return .reply(HTTPReply(await server.presenceJSON(in: room)))
    }
    let body = try request.object(maxBytes: maxBytes)
    if request.path == "/admin/transact" {
      guard let steps = body["steps"] else { throw Self.missing("steps") }
      let id = try await server.transact(
        operations: steps, makesAttributes: body["throw-on-missing-attrs?"] != .bool(true))
      return .reply(HTTPReply(#"{"tx-id":\#(id)}"#))
    }
    guard let query = body["query"], query != .null else { throw Self.missing("query") }
    let infersCardinality = body["inference?"] == .bool(true)
    if request.path == "/admin/subscribe-query" {
      return .events(query: query, infersCardinality ? .inferredTree : .tree)
    }
    if request.path.hasPrefix("/runtime/") {
      return .reply(HTTPReply(try await server.rows(of: query, for: request.connection)))
    }
    return .reply(
      HTTPReply(
        try await server.answer(
          query, infersCardinality: infersCardinality, for: request.connection)))
  }

  private func metrics() async -> String {
    let load = load()
    return await server.metrics(connections: load.connections, unsentBytes: load.bytes)
  }

  /// The maximum number of messages in one request.
  private static let maxMessages = 1_000

  /// Processes messages from the client of an event session.
  private func deliverMessages(_ request: HTTPRequest) async -> HTTPReply {
    do throws(ServerError) {
      let body = try request.object(maxBytes: maxBytes)
      // The messages are counted before any of them is delivered.
      if case .array(let messages)? = body["messages"], messages.count > Self.maxMessages {
        throw .batch(of: messages.count, limit: Self.maxMessages)
      }
      guard let id = body["session_id"]?.textValue, let token = body["sse_token"]?.textValue
      else { throw Self.missing("session_id") }
      guard case .array(let messages)? = body["messages"] else { throw Self.missing("messages") }
      guard let session = sessions.find(id, token: token) else {
        throw ServerError(
          type: "session-missing",
          "The session of this request does not exist or has ended. Open a new session.")
      }
      await session.deliver(messages.map { JSONWriter.text($0) })
      return HTTPReply("{}")
    } catch { return HTTPReply(error) }
  }

  private static let noRules = ServerError(
    type: "validation-failed",
    "Validation failed for permissions: this server has no permission rules to test. Every client "
      + "with access can see everything.", hint: ["data-type": "permissions", "errors": []])

  private static func missing(_ key: String) -> ServerError {
    ServerError(
      type: "param-missing", "Missing parameter: [\"\(key)\"]", hint: ["in": ["body", .text(key)]])
  }
}

extension HTTPRequest {
  /// The token of the request: the bearer token, or else the token of the user on whose behalf it
  /// is sent.
  fileprivate var shownToken: String? {
    if case .token(let token)? = user { return self.token ?? token }
    return token
  }
}
