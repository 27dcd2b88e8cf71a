import HTTPTestSupport
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("A server with TLS", .timeLimit(.minutes(10)))
struct SecureWireTests {
  /// Writes a temporary file, removed when the body ends.
  private func withFiles<Result>(
    _ texts: [String], _ body: ([String]) async throws -> Result
  ) async throws -> Result {
    let paths = texts.map { text in
      let path = "/tmp/sonde-\(EntityID.random().text).pem"
      let file = fopen(path, "w")
      fputs(text, file)
      fclose(file)
      return path
    }
    defer { for path in paths { unlink(path) } }
    return try await body(paths)
  }

  @Test("is trusted only by clients that trust its authority")
  func trust() async throws {
    try await withFiles([
      TestCertificates.good, TestCertificates.key, TestCertificates.authority,
    ]) { files in
      let server = SyncServer(store: MemoryStore(try PlantData.store()), limits: .forTests)
      let listener = try await WebSocketListener.open(
        server, access: AccessRule(), .init(certificate: (files[0], files[1])))
      #expect(listener.address.description.hasPrefix("wss://127.0.0.1:"))
      let friend = WebSocketClient(listener.address, trust: .authorities(path: files[2]))
      let peer = Peer(try await friend.connect())
      #expect(try await peer.open().attributes == PlantData.attributes)
      #expect(try await peer.ask(["plants": [:]]).values("plants", "name").count == 3)
      let error = await #expect(throws: ChannelClosed.self) {
        _ = try await WebSocketClient(listener.address).connect()
      }
      #expect(error?.reason.contains("its certificate is not trusted. Set SSL_CERT_FILE") == true)
      await listener.close()
    }
  }

  @Test("is not expected of a server without TLS")
  func plainServer() async throws {
    let server = SyncServer(store: MemoryStore(), limits: .forTests)
    let listener = try await WebSocketListener.open(server, access: AccessRule(), limits: .forTests)
    let address = ServerAddress(
      host: "127.0.0.1", port: listener.port, isSecure: true, appID: "garden")
    let error = await #expect(throws: ChannelClosed.self) {
      _ = try await WebSocketClient(address).connect()
    }
    #expect(error?.reason.contains("If it does not use TLS, use ws:// instead of wss://") == true)
    await listener.close()
  }

  @Test("reports the file that is not a certificate")
  func badFiles() async throws {
    try await withFiles(["nonsense", TestCertificates.good]) { files in
      let server = SyncServer(store: MemoryStore(), limits: .forTests)
      for (chain, key, wrong) in [(files[0], files[1], files[0]), (files[1], files[0], files[0])] {
        let error = await #expect(throws: WebSocketError.self) {
          _ = try await WebSocketListener.open(
            server, access: AccessRule(), .init(certificate: (chain, key)))
        }
        #expect(error?.message.contains(wrong) == true)
      }
    }
  }

  @Test(
    "reports why a certificate and a key cannot be used together",
    arguments: [
      (TestCertificates.good, TestCertificates.otherKey, "the key does not belong to"),
      (
        TestCertificates.withoutSignatures, TestCertificates.key,
        "TLS does not accept it (failedToLoadCertificate)."
      ),
    ])
  func unusablePairs(_ chain: String, _ key: String, _ reason: String) async throws {
    try await withFiles([chain, key]) { files in
      let server = SyncServer(store: MemoryStore(), limits: .forTests)
      let error = await #expect(throws: WebSocketError.self) {
        _ = try await WebSocketListener.open(
          server, access: AccessRule(), .init(certificate: (files[0], files[1])))
      }
      #expect(error?.message.contains(reason) == true, "\(error?.message ?? "")")
    }
  }
}

@Suite("Connecting to a server", .timeLimit(.minutes(10)))
struct CallingTests {
  @Test("reports an unreachable server")
  func nobody() async throws {
    let listener = try await WebSocketListener.open(
      SyncServer(store: MemoryStore(), limits: .forTests), access: AccessRule(), limits: .forTests,
      .forTests)
    let address = listener.address
    await listener.close()
    let error = await #expect(throws: ChannelClosed.self) {
      _ = try await WebSocketClient(address).connect()
    }
    #expect(error?.reason == "Cannot reach \(address): connection refused")
  }

  @Test("reports another protocol")
  func somethingElse() async throws {
    try await Wire.socket.serveGarden { served in
      var address = try #require(served.listener).address
      address.host = "127.0.0.2"
      let error = await #expect(throws: ChannelClosed.self) {
        _ = try await WebSocketClient(address, timeout: .seconds(5)).connect()
      }
      #expect(error != nil)
    }
  }

  @Test("on a port in use fails with advice")
  func taken() async throws {
    try await Wire.socket.serveGarden { served in
      let port = try #require(served.listener).port
      let error = await #expect(throws: WebSocketError.self) {
        _ = try await WebSocketListener.open(
          served.server, access: AccessRule(), .init(port: port))
      }
      #expect(
        error?.message
          == "Cannot listen on 127.0.0.1, port \(port): address already in use. "
          + "Choose another port with --port.")
    }
  }

  @Test("from the network requires a token")
  func elsewhere() async throws {
    let error = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocketListener.open(
        SyncServer(store: MemoryStore(), limits: .forTests), access: AccessRule(),
        .init(host: "0.0.0.0"))
    }
    #expect(error?.message.contains("Set a token with --token-file") == true)
    let guessable = await #expect(throws: WebSocketError.self) {
      _ = try await WebSocketListener.open(
        SyncServer(store: MemoryStore(), limits: .forTests),
        access: AccessRule(token: "fifteen bytes.."),
        .init(host: "0.0.0.0"))
    }
    #expect(guessable?.message.contains("sonde token --new") == true)
  }
}
