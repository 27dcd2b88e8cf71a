import Sync
import Triples

/// The endpoints for users and files that Instant's clients call in addition to sessions.
///
/// The server stores only rows of `$users`, to which apps link. All clients with the server's token
/// count as the same user. On a server without a token, each client can be a guest with a token of
/// its own. All other requests are rejected with a message for the app.
///
/// - Source: InstantDB's endpoints under `/runtime` and `/storage`.
struct AccountRoutes: Sendable {
  let server: SyncServer
  let access: AccessRule
  let maxBytes: Int

  /// Answers a request. Returns nil if its path belongs to other routes.
  func reply(to request: HTTPRequest) async -> HTTPReply? {
    let path = request.path
    switch (request.method, path) {
    case ("POST", "/runtime/auth/verify_refresh_token"): return await signIn(request)
    case ("POST", "/runtime/signout"): return HTTPReply("{}")
    case ("POST", "/runtime/auth/sign_in_guest") where access.token == nil:
      return await welcome(guest: EntityID.random().text)
    default: break
    }
    if path.hasPrefix("/dash/") || path.hasPrefix("/superadmin/") {
      return refusal(
        "This server does not accept a schema. A change with a new name creates the attribute. Import "
          + "types and links with 'sonde import'.")
    }
    if Self.aboutUsers.contains(where: path.hasPrefix) {
      let advice =
        access.token == nil
        ? "You can use it without signing in."
        : "Sign in with the server's token instead."
      return refusal("This server has no users. " + advice)
    }
    if path.hasPrefix("/storage/") || path.hasPrefix("/admin/storage/") {
      return refusal("This server does not store files.")
    }
    return nil
  }

  private static let aboutUsers = [
    "/runtime/auth/", "/runtime/oauth/", "/admin/users", "/admin/refresh_tokens",
    "/admin/sign_out", "/admin/sign_in_guest", "/admin/magic_code", "/admin/send_magic_code",
    "/admin/verify_magic_code",
  ]

  /// Signs in a guest. Only the token identifies the guest.
  private func welcome(guest token: String) async -> HTTPReply {
    await welcome(EntityID.derived(from: "guest " + token), type: "guest", token)
  }

  private func welcome(_ id: EntityID, type: String?, _ token: String) async -> HTTPReply {
    do throws(ServerError) { try await server.addUser(id, type: type ?? "user") } catch {
      return HTTPReply(error)
    }
    var user: JSONObject = [
      "id": .text(id.text), "email": .null, "refresh_token": .text(token),
    ]
    user["type"] = type.map(Value.text)
    return HTTPReply(JSONWriter.text(["user": .object(user)]))
  }

  private func signIn(_ request: HTTPRequest) async -> HTTPReply {
    let token: String?
    do throws(ServerError) {
      token = try request.object(maxBytes: maxBytes)["refresh-token"]?.textValue
    } catch { return HTTPReply(error) }
    if let token, access.token == nil, EntityID(token).isUUID {
      return await welcome(guest: token)
    }
    guard let token, access.token != nil, access.accepts(token) else {
      let sentence =
        access.token == nil
        ? "This server needs no token. You can use it without signing in."
        : ServerError.wrongToken("app-user").message
      return HTTPReply(
        ServerError(type: "record-not-found", sentence, hint: ["record-type": "app-user"]))
    }
    return await welcome(EntityID.derived(from: "user of " + access.title), type: nil, token)
  }

  private func refusal(_ sentence: String) -> HTTPReply {
    HTTPReply(ServerError(type: "not-supported", sentence))
  }
}
