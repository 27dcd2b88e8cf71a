import Testing

#if os(Linux)
  /// What a connection does to a server, and how much memory that may cost it.
  private enum HostileAct: String, CaseIterable, CustomTestStringConvertible {
    case randomBytes, announcedFrames, halfFrames, deepJSON, wrongOrder, subscriptions, slowLoris
    case slowReader

    var testDescription: String { rawValue }

    /// In megabytes.
    var maxGrowth: Int {
      switch self {
      case .randomBytes, .announcedFrames, .wrongOrder, .slowLoris: 16
      case .deepJSON, .subscriptions, .slowReader: 48
      // What it is allowed to hold, once as it grows and once as it is.
      case .halfFrames: 2 * Self.halves * Self.half / 1_000_000 + 16
      }
    }

    private static let halves = 4
    private static let half = 12_000_000

    func act(on port: String) throws {
      switch self {
      case .randomBytes:
        var state: UInt64 = 7
        for round in 0..<100 {
          let connection = try ByteConnection(port: port)
          if round.isMultiple(of: 2) { _ = connection.upgrade() }
          connection.say(
            (0..<20_000).map { _ in
              state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
              return UInt8(truncatingIfNeeded: state >> 33)
            })
        }
      case .announcedFrames:
        for _ in 0..<20 {
          let connection = try ByteConnection(port: port)
          #expect(connection.upgrade())
          connection.say(ByteConnection.frame([], length: 1 << 40))
          let part = [UInt8](repeating: 65, count: 1 << 20)
          for _ in 0..<8 where !connection.say(part) { break }
        }
      case .halfFrames:
        var strangers: [ByteConnection] = []
        for _ in 0..<Self.halves {
          let connection = try ByteConnection(port: port, timeout: 2)
          #expect(connection.upgrade())
          connection.say(
            ByteConnection.frame(
              [UInt8](repeating: 65, count: Self.half), length: UInt64(Self.half + 1_000)))
          strangers.append(connection)
        }
        _ = strangers.last?.hear(until: "never")
      case .deepJSON:
        let connection = try ByteConnection(port: port)
        #expect(connection.upgrade())
        for opening in ["[", #"{"a":"#] {
          for _ in 0..<10 {
            connection.say(message: String(repeating: opening, count: 200_000))
            #expect(connection.hear(until: "param-malformed").contains("param-malformed"))
          }
        }
      case .wrongOrder:
        let connection = try ByteConnection(port: port)
        #expect(connection.upgrade())
        let message = #"{"client-event-id":"1","op":"add-query","q":{"goals":{}}}"#
        for _ in 0..<200 {
          let many = "[" + Array(repeating: message, count: 50).joined(separator: ",") + "]"
          guard connection.say(message: many) else { break }
          _ = connection.hear(until: "init")
        }
      case .subscriptions:
        let connection = try ByteConnection(port: port)
        #expect(connection.upgrade())
        connection.say(message: #"{"client-event-id":"0","op":"init","app-id":"a"}"#)
        for round in 0..<100 {
          let many = (0..<100).map {
            #"{"client-event-id":"\#(round * 100 + $0)","op":"add-query","q":{"n\#(round * 100 + $0)":{}}}"#
          }
          guard connection.say(message: "[" + many.joined(separator: ",") + "]") else { break }
          _ = connection.hear(until: #""client-event-id":"\#(round * 100 + 99)""#)
        }
      case .slowLoris:
        var strangers: [ByteConnection] = []
        for number in 0..<300 {
          let connection = try ByteConnection(port: port)
          connection.say("GET /health HTTP/1.1\r\nHost: localhost\r\nX-\(number):")
          strangers.append(connection)
        }
        for connection in strangers { connection.say(" more") }
      case .slowReader:
        let connection = try ByteConnection(port: port, receiving: 4_096)
        #expect(connection.upgrade())
        connection.say(message: #"{"client-event-id":"0","op":"init","app-id":"a"}"#)
        for round in 0..<5_000 {
          let query = #""q":{"goals":{"todos":{}},"n\#(round % 7)":{}}"#
          guard
            connection.say(message: #"{"client-event-id":"a","op":"add-query",\#(query)}"#),
            connection.say(message: #"{"client-event-id":"r","op":"remove-query",\#(query)}"#)
          else { break }
        }
      }
    }
  }

  @Suite(
    "Server memory with hostile clients", .serialized, .waitsForPrograms,
    .timeLimit(.minutes(10)))
  struct HostileMemoryTests {
    @Test("stays within its limit and still answers", arguments: HostileAct.allCases)
    fileprivate func bounded(_ deed: HostileAct) throws {
      let server = try Server("goals")
      defer { server.stop() }
      #expect(try answers(server))
      let before = try server.memory()
      try deed.act(on: server.port)
      #expect(try answers(server))
      let growth = (try server.memory().peak - before.now) / 1_000_000
      #expect(growth <= deed.maxGrowth, "it grew by \(growth) MB")
    }

    /// Whether a client that means well is answered.
    private func answers(_ server: Server) throws -> Bool {
      let client = try ByteConnection(port: server.port)
      client.say("GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return client.hear(until: "ok").contains(#""status":"ok""#)
    }
  }
#endif
