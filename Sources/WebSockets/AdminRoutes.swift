import Sync
import Triples

/// The admin interface: what each path answers.
///
/// - Source: InstantDB's admin endpoints; health as its self-hosted server has it.
struct AdminRoutes: Sendable {
  let server: SyncServer
  let access: AccessRule
  let mostBytes: Int

  enum Outcome: Sendable {
    case reply(HTTPReply)
    /// The answer to a query, now and after each change, as events.
    case events(query: Value)
  }

  func outcome(of question: HTTPQuestion) async -> Outcome {
    if question.method == "OPTIONS" { return .reply(.preflight) }
    switch (question.method, question.path) {
    case ("GET", "/health"): return .reply(HTTPReply(#"{"status":"ok"}"#))
    case ("GET", "/health/system"): return .reply(HTTPReply(#"{"wal":"ok"}"#))
    case ("POST", "/admin/query"), ("POST", "/admin/transact"), ("POST", "/admin/subscribe-query"),
      ("GET", "/admin/schema"):
      break
    default: return .reply(.unknownRoute)
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
    let body = try object(question.body)
    if question.path == "/admin/transact" {
      guard let steps = body["steps"] else { throw Self.missing("steps") }
      let id = try await server.transact(
        operations: steps, makesAttributes: body["throw-on-missing-attrs?"] != .bool(true))
      return .reply(HTTPReply(#"{"tx-id":\#(id)}"#))
    }
    guard let query = body["query"], query != .null else { throw Self.missing("query") }
    if question.path == "/admin/subscribe-query" { return .events(query: query) }
    return .reply(
      HTTPReply(
        try await server.answer(query, infersCardinality: body["inference?"] == .bool(true))))
  }

  private func object(_ bytes: [UInt8]) throws(ServerError) -> JSONObject {
    let options = JSONOptions(
      largeIntegers: .doubles, maximumDepth: 128, maximumBytes: mostBytes)
    let json: Value
    do throws(JSONError) { json = try JSONReader.value(of: bytes, options: options) } catch {
      throw ServerError(
        type: "param-malformed", "The body is no JSON: \(error.description).",
        hint: ["in": ["body"]])
    }
    guard case .object(let object) = json else {
      throw ServerError(
        type: "param-malformed", "The body is a JSON object, not \(json.kindName).",
        hint: ["in": ["body"]])
    }
    return object
  }

  private static func missing(_ key: String) -> ServerError {
    ServerError(
      type: "param-missing", "Missing parameter: [\"\(key)\"]", hint: ["in": ["body", .text(key)]])
  }
}
