import Sync
import Triples

/// What Instant's own clients ask for beside sessions: users and files.
///
/// Nothing is kept of either. Who shows the server's token is its one user. A server without a token
/// answers whoever asks: there everybody can be a guest, known by a token that says who it is.
/// Everything else is refused with a sentence that says so, which reaches the app that asked.
///
/// - Source: InstantDB's endpoints under `/runtime` and `/storage`.
struct AccountRoutes: Sendable {
  let access: AccessRule
  let mostBytes: Int

  /// Nil when the path is about something else.
  func reply(to question: HTTPQuestion) -> HTTPReply? {
    let path = question.path
    switch (question.method, path) {
    case ("POST", "/runtime/auth/verify_refresh_token"): return signIn(question)
    case ("POST", "/runtime/signout"): return HTTPReply("{}")
    case ("POST", "/runtime/auth/sign_in_guest") where access.token == nil:
      return HTTPReply(JSONWriter.text(["user": guest(EntityID.random().text)]))
    default: break
    }
    if Self.aboutUsers.contains(where: path.hasPrefix) {
      let advice =
        access.token == nil
        ? "It answers whoever asks, without signing in."
        : "Sign in with the server's token instead."
      return refusal("This server keeps no users. " + advice)
    }
    if path.hasPrefix("/storage/") || path.hasPrefix("/admin/storage/") {
      return refusal("This server keeps no files.")
    }
    return nil
  }

  private static let aboutUsers = [
    "/runtime/auth/", "/runtime/oauth/", "/admin/users", "/admin/refresh_tokens",
    "/admin/sign_out", "/admin/sign_in_guest", "/admin/magic_code", "/admin/send_magic_code",
    "/admin/verify_magic_code",
  ]

  /// The guest to whom a token was given; it is known by nothing else.
  private func guest(_ token: String) -> Value {
    [
      "id": .text(EntityID.derived(from: "guest " + token).text), "email": .null,
      "type": "guest", "refresh_token": .text(token),
    ]
  }

  private func signIn(_ question: HTTPQuestion) -> HTTPReply {
    let token: String?
    do throws(ServerError) {
      token = try question.object(mostBytes: mostBytes)["refresh-token"]?.textValue
    } catch { return HTTPReply(error) }
    if let token, access.token == nil, EntityID(token).isUUID {
      return HTTPReply(JSONWriter.text(["user": guest(token)]))
    }
    guard let token, access.token != nil, access.accepts(token) else {
      let sentence =
        access.token == nil
        ? "This server has no token to sign in with: it answers whoever asks."
        : "Record not found: app-user"
      return HTTPReply(
        ServerError(type: "record-not-found", sentence, hint: ["record-type": "app-user"]))
    }
    let user: Value = [
      "id": .text(EntityID.derived(from: "user of " + access.title).text), "email": .null,
      "refresh_token": .text(token),
    ]
    return HTTPReply(JSONWriter.text(["user": user]))
  }

  private func refusal(_ sentence: String) -> HTTPReply {
    HTTPReply(ServerError(type: "not-supported", sentence))
  }
}
