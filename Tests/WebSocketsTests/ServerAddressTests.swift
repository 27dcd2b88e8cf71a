import Testing
import WebSockets

@Suite("The address of a server")
struct ServerAddressTests {
  @Test(
    "is parsed in common forms",
    arguments: [
      ("ws://localhost:8888/app", ServerAddress(host: "localhost", port: 8888, appID: "app")),
      ("wss://x.io/a", ServerAddress(host: "x.io", port: 443, isSecure: true, appID: "a")),
      ("WS://127.0.0.1", ServerAddress(host: "127.0.0.1", port: 80, appID: "")),
      ("ws://[::1]:9/a/", ServerAddress(host: "::1", port: 9, appID: "a")),
      (
        "instant://7c1f",
        ServerAddress(host: "api.instantdb.com", port: 443, isSecure: true, appID: "7c1f")
      ),
    ])
  func reading(_ text: String, _ address: ServerAddress) throws {
    #expect(try ServerAddress(text) == address)
  }

  @Test(
    "is rejected with the reason",
    arguments: [
      ("localhost:1", "'localhost:1' is not a valid server address: it must begin with ws://"),
      ("http://x", "'http://x' is not a valid server address: it must begin with ws://, wss:// or"),
      ("ws://", "'ws://' is not a valid server address: the host is missing."),
      (
        "ws://x:0",
        "'ws://x:0' is not a valid server address: the port must be a number from 1 to 65535."
      ),
      ("ws://x:y/a", "'ws://x:y/a' is not a valid server address: the port must be"),
      ("ws://x/a/b", "'ws://x/a/b' is not a valid server address: only an app id may"),
      (
        "ws://token@x/a",
        "'ws://token@x/a' is not a valid server address: it must not contain a token"
      ),
      (
        "instant://a/b",
        "'instant://a/b' is not a valid server address: instant:// must be followed"
      ),
      ("ws://x /a", "'ws://x /a' is not a valid server address: it contains an invalid character"),
    ])
  func faults(_ text: String, _ sentence: String) {
    let error = #expect(throws: WebSocketError.self) { try ServerAddress(text) }
    #expect(error?.message.hasPrefix(sentence) == true)
  }

  @Test("round-trips as text")
  func writing() throws {
    for text in ["ws://localhost:8888/app", "wss://x.io/a", "ws://[::1]:9/a"] {
      #expect(try ServerAddress(text).description == text)
    }
  }
}
