import Sync
import Testing
import Triples
import WebSockets

@Suite("Requests of an app besides sessions", .timeLimit(.minutes(10)))
struct AccountRoutesTests {
  /// The head and body of a response to a page of this machine.
  private func ask(
    _ method: String, _ path: String, _ served: Served, body: String = "", headers: [String] = []
  ) async throws -> (head: String, body: String) {
    let answer = try await RawConnection.ask(
      method, path, port: try #require(served.listener).port, body: body,
      headers: ["Origin: http://localhost:3000", "Content-Type: application/json"] + headers)
    let end = try #require(answer.firstRange(of: "\r\n\r\n"))
    return (String(answer[..<end.lowerBound]), String(answer[end.upperBound...]))
  }

  @Test(
    "are rejected in JSON that pages can read",
    arguments: [
      ("POST", "/runtime/auth/send_magic_code", "no users"),
      ("POST", "/runtime/auth/verify_magic_code", "no users"),
      ("GET", "/admin/users?email=a", "no users"),
      ("POST", "/admin/refresh_tokens", "no users"),
      ("GET", "/admin/storage/files", "does not store files"),
      ("POST", "/runtime/oauth/token", "no users"),
      ("POST", "/runtime/oauth/id_token", "no users"),
      ("PUT", "/storage/upload", "does not store files"),
      ("DELETE", "/storage/files?filename=a", "does not store files"),
      ("POST", "/storage/signed-upload-url", "does not store files"),
      ("GET", "/storage/signed-download-url", "does not store files"),
      ("POST", "/runtime/nowhere", "couldn't match"),
    ])
  func refused(_ method: String, _ path: String, _ words: String) async throws {
    try await Wire.socket.serveGarden { served in
      let answer = try await ask(method, path, served, body: "{}")
      #expect(answer.head.hasPrefix("HTTP/1.1 4"))
      #expect(answer.head.contains("Access-Control-Allow-Origin: *"))
      guard case .object(let body) = try JSONReader.value(of: answer.body) else {
        Issue.record("\(answer.body)")
        return
      }
      #expect(body["message"]?.textValue?.contains(words) == true)
    }
  }

  @Test("are allowed in preflight requests with any header")
  func preflight() async throws {
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      for path in ["/runtime/auth/verify_refresh_token", "/admin/query", "/storage/upload"] {
        let answer = try await ask(
          "OPTIONS", path, served,
          headers: [
            "Access-Control-Request-Method: POST",
            "Access-Control-Request-Headers: authorization,content-type,app-id",
          ])
        #expect(answer.head.hasPrefix("HTTP/1.1 204"))
        #expect(answer.head.contains("Access-Control-Allow-Origin: *"))
        #expect(answer.head.contains("Access-Control-Allow-Headers: *, Authorization"))
      }
    }
  }

  @Test("sign in the single user only with the server's token")
  func signIn() async throws {
    let path = "/runtime/auth/verify_refresh_token"
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let right = try await ask(
        "POST", path, served, body: #"{"app-id":"a","refresh-token":"t"}"#)
      #expect(right.head.hasPrefix("HTTP/1.1 200"))
      guard case .object(let body) = try JSONReader.value(of: right.body),
        case .object(let user)? = body["user"]
      else {
        Issue.record("\(right.body)")
        return
      }
      #expect(user["refresh_token"] == "t")
      let id = try #require(user["id"]?.textValue)
      #expect(EntityID(id).isUUID)
      for body in [#"{"refresh-token":"u"}"#, "{}", #"{"refresh-token":7}"#, "{"] {
        let wrong = try await ask("POST", path, served, body: body)
        #expect(wrong.head.hasPrefix("HTTP/1.1 400"))
        #expect(!wrong.body.contains(#""user""#))
      }
      let out = try await ask("POST", "/runtime/signout", served, body: "{}")
      #expect(out.head.hasPrefix("HTTP/1.1 200") && out.body == "{}")
    }
    try await Wire.socket.serveGarden { served in
      let open = try await ask("POST", path, served, body: #"{"refresh-token":"t"}"#)
      #expect(open.head.hasPrefix("HTTP/1.1 400") && open.body.contains("no token"))
    }
  }

  @Test("sign in anyone as a persistent guest where no token is required")
  func guests() async throws {
    func user(_ path: String, _ body: String, _ served: Served) async throws -> JSONObject {
      let told = try await ask("POST", path, served, body: body)
      guard case .object(let body) = try JSONReader.value(of: told.body),
        case .object(let user)? = body["user"]
      else { throw Unexpected(what: told.body) }
      return user
    }
    try await Wire.socket.serveGarden { served in
      let guest = try await user("/runtime/auth/sign_in_guest", #"{"app-id":"a"}"#, served)
      #expect(guest["type"] == "guest")
      #expect(EntityID(try #require(guest["id"]?.textValue)).isUUID)
      let token = try #require(guest["refresh_token"]?.textValue)
      let again = try await user(
        "/runtime/auth/verify_refresh_token", #"{"app-id":"a","refresh-token":"\#(token)"}"#, served
      )
      #expect(again == guest)
      let other = try await user("/runtime/auth/sign_in_guest", "{}", served)
      #expect(other["id"] != guest["id"])
      let client = try await ScriptClient.open(
        try #require(served.listener), showing: ["refresh-token": .text(token)])
      #expect(try await client.subscribe(to: ["plants": [:]])["op"] == "add-query-ok")
      await client.close()
    }
    try await Wire.socket.serveGarden(access: AccessRule(token: "t")) { served in
      let told = try await ask("POST", "/runtime/auth/sign_in_guest", served, body: "{}")
      #expect(told.head.hasPrefix("HTTP/1.1 400") && told.body.contains("the server's token"))
    }
  }
}
