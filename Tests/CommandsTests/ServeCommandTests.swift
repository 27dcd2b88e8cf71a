import Foundation
import Sync
import TestSupport
import Testing
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

@Suite("sonde serve", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ServeCommandTests {
  @Test(
    "prints its address, answers, and ends on a signal",
    arguments: [(SIGTERM, 0), (SIGINT, 130), (SIGHUP, 129)] as [(Int32, Int32)])
  func session(_ signal: Int32, _ status: Int32) async throws {
    let program = try Child([Program.path, "serve", "goals", "--port", "0"])
    let line = String(decoding: program.read(), as: UTF8.self)
    let address = try #require(line.split(separator: " ").dropFirst(3).first)
    #expect(line.hasPrefix("Serving goals at ws://127.0.0.1:"))
    #expect(line.hasSuffix(" read-only (--write allows changes)\n"), "\(line)")

    let channel = try await WebSocketClient(ServerAddress(String(address))).connect()
    try await channel.send(
      MessageCoding.text(ClientEnvelope(.start(Opening(appID: "goals")), eventID: "1")))
    var texts = channel.incoming.awaited("a message of the server").makeAsyncIterator()
    let first = try #require(try await texts.next(isolation: #isolation))
    guard case .started(let info)? = try MessageCoding.serverMessages(in: first).first?.message
    else {
      Issue.record("the session did not begin: \(first)")
      return
    }
    #expect(info.attributes.contains { $0.namespace == "goals" })
    #expect(info.status == .readOnly)

    program.signal(signal)
    while try await texts.next(isolation: #isolation) != nil {}
    #expect(channel.endReason == "the server is shutting down")
    let end = program.finish()
    #expect(end.status == status)
    #expect(end.complaints == "")
  }

  @Test(
    "reports missing options before it listens",
    arguments: [
      (["--host", "0.0.0.0"], "Set a token with --token-file", Int32(2)),
      (["--tls-cert", "a.pem"], "--tls-cert and --tls-key must be used together", 2),
      (["--port", "70000"], "The port must be from 0 to 65535", 2),
      (["--token-file", "/nowhere/token"], "Token file not found: /nowhere/token.", 2),
      (
        ["--tls-cert", "/nowhere/a", "--tls-key", "/nowhere/b"],
        "Cannot use the certificate or key in /nowhere/a: no such file or directory.", 3
      ),
    ])
  func faults(_ options: [String], _ sentence: String, _ status: Int32) throws {
    let run = try Program.run(["serve", "goals"] + options)
    #expect(run.error.hasPrefix("sonde: ") && run.error.contains(sentence), "\(run.error)")
    #expect(run.status == status)
  }

  @Test("logs events as JSON, and rejects a key file that others can read")
  func log() async throws {
    let folder = "/tmp/sonde-serve-\(EntityID.random().text)"
    mkdir(folder, 0o700)
    defer { system("rm -r \(folder)") }
    let server = try Server("goals", options: ["--log", folder + "/log"])
    let channel = try await WebSocketClient(ServerAddress(server.address)).connect()
    try await channel.send(
      MessageCoding.text(ClientEnvelope(.start(Opening(appID: "goals")), eventID: "1")))
    var texts = channel.incoming.awaited("a message of the server").makeAsyncIterator()
    _ = try await texts.next(isolation: #isolation)
    await channel.close()
    server.stop()
    let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
    let events = try log.split(separator: "\n").map { line -> String in
      guard case .object(let object) = try JSONReader.value(of: String(line)) else { return "" }
      #expect(object["time"] != nil && object["address"] == "127.0.0.1")
      return object["event"]?.textValue ?? ""
    }
    #expect(events == ["connected", "disconnected"])

    try "key".write(toFile: folder + "/key", atomically: false, encoding: .utf8)
    chmod(folder + "/key", 0o644)
    let command = ["serve", "goals", "--tls-cert", folder + "/key", "--tls-key", folder + "/key"]
    let run = try Program.run(command)
    #expect(run.status == 2)
    #expect(run.error.contains("Other users can read the key in \(folder)/key"))
    chmod(folder + "/key", 0o600)
    #expect(
      try Program.run(command).error
        == "sonde: Cannot use the certificate or key in \(folder)/key: it contains no certificate in "
        + "PEM form.\n")
  }

  @Test("a new token is long and random")
  func newToken() throws {
    let tokens = try (0..<2).map { _ in try Program.run(["token", "--new"]).output }
    #expect(tokens[0] != tokens[1])
    for token in tokens {
      #expect(token.count == 65 && token.dropLast().allSatisfy(\.isHexDigit))
    }
    let run = try Program.run(["token", "--new", "ws://localhost:1/a"])
    #expect(run.status == 2)
  }
}
