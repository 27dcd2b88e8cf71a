import Sync
import Triples

/// What Instant's own clients ask for beside sessions: users and files.
///
/// There are neither. Who shows the server's token is its one user; everything else is refused with
/// a sentence that says so, which reaches the app that asked.
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
    default: break
    }
    if path.hasPrefix("/runtime/auth/") || path.hasPrefix("/runtime/oauth/") {
      let advice =
        access.token == nil
        ? "It answers whoever asks, without signing in."
        : "Sign in with the server's token instead."
      return refusal("This server keeps no users. " + advice)
    }
    return path.hasPrefix("/storage/") ? refusal("This server keeps no files.") : nil
  }

  private func signIn(_ question: HTTPQuestion) -> HTTPReply {
    let token: String?
    do throws(ServerError) {
      token = try question.object(mostBytes: mostBytes)["refresh-token"]?.textValue
    } catch { return HTTPReply(error) }
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
