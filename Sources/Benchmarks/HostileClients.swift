#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// The kinds of hostile clients.
enum HostileClients: String, CaseIterable {
  case pipelining
  case pipeliningNoToken = "pipelining, no token"
  case goodbyes = "goodbyes"
  case unreadEvents = "unread events"
  case unreadSessions = "unread sessions"
  case slowReaders = "slow readers"
  case bodiesNoToken = "bodies, no token"
  case bodies = "bodies"
  case halfMessages = "half messages"
  case idleSockets = "idle sockets"
  case halfRequests = "half requests"
  case deepJSON = "deep JSON"
  case subscriptions = "subscriptions"
  case longQueries = "long queries"
  case longLists = "long lists"
  case longConditions = "long conditions"
  case rooms = "rooms"
  case abandonedQueries = "abandoned queries"

  static let token = "a token of some length"
  static let smallQuery = post("/admin/query", #"{"query":{"continents":{}}}"#)

  /// The run time of each client, in seconds.
  private static let time = 8.0
  /// A query whose answer has several megabytes.
  private static let large = #"{"cities":{"country":{}}}"#

  var hasToken: Bool { self == .pipeliningNoToken || self == .bodiesNoToken }

  private static func post(_ path: String, _ body: String) -> String {
    "POST \(path) HTTP/1.1\r\nHost: localhost\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  /// Attacks a server as this kind of client.
  ///
  /// - Returns: The sockets that are still open.
  func attack(_ server: ServerProcess) throws -> [RawSocket] {
    switch self {
    case .pipelining, .pipeliningNoToken: try pipeline(server.port)
    case .goodbyes: try sendCloseFrames(server.port)
    case .unreadEvents: try openEvents(server.port)
    case .unreadSessions: try subscribeUnread(server.port, count: 100, receiving: 4_096)
    case .slowReaders: try readSlowly(server.port)
    case .bodies, .bodiesNoToken: try sendBodies(server.port)
    case .halfMessages: try sendHalfMessages(server.port)
    case .idleSockets: try open(server.port, saying: "")
    case .halfRequests: try open(server.port, saying: "GET /health HTTP/1.1\r\nHost: loc")
    case .deepJSON: try sendDeepJSON(server.port)
    case .subscriptions: try subscribeOften(server.port)
    case .longQueries: try subscribeAtLength(server.port, to: Self.population(Self.longText))
    case .longLists: try subscribeAtLength(server.port, to: Self.population(Self.longList))
    case .longConditions: try subscribeAtLength(server.port, to: Self.conditionList)
    case .rooms: try fillRooms(server.port)
    case .abandonedQueries: try abandonQueries(server.port)
    }
  }

  /// Repeats an action until the run time is over.
  private func repeatedly(_ body: () throws -> Void) rethrows {
    let start = ContinuousClock.now
    while (ContinuousClock.now - start).inSeconds < Self.time { try body() }
  }

  /// Waits until the run time of the client is over.
  private func wait() { pause(.seconds(Self.time)) }

  private func subscribe(_ socket: RawSocket, to query: String, as name: String = "q") {
    socket.sendText(#"{"op":"add-query","client-event-id":"\#(name)","q":\#(query)}"#)
  }

  // MARK: Without reading

  private func pipeline(_ port: Int) throws -> [RawSocket] {
    let request = "GET /admin/schema HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let many = Array(String(repeating: request, count: 1_000).utf8)
    var sockets = try (0..<4).map { _ in try RawSocket(port: port) }
    try repeatedly {
      for (place, socket) in sockets.enumerated() where !socket.send(many, timeout: 200) {
        // The connection is closed or its buffers are full, so a new connection replaces it.
        sockets[place] = try RawSocket(port: port)
      }
    }
    return sockets
  }

  private func sendCloseFrames(_ port: Int) throws -> [RawSocket] {
    let goodbyes = [[UInt8]](repeating: RawSocket.frame([3, 232], opcode: 8), count: 10_000)
    let many = Array(goodbyes.joined())
    var sockets: [RawSocket] = []
    try repeatedly {
      let socket = try RawSocket(port: port, receiving: 4_096)
      try socket.openSession()
      subscribe(socket, to: Self.large)
      socket.send(many, timeout: 500)
      sockets.append(socket)
    }
    return sockets
  }

  private func openEvents(_ port: Int) throws -> [RawSocket] {
    let request = Self.post("/admin/subscribe-query", #"{"query":\#(Self.large)}"#)
    let sockets = try (0..<100).map { _ in
      let socket = try RawSocket(port: port, receiving: 4_096)
      socket.send(request)
      return socket
    }
    wait()
    return sockets
  }

  private func subscribeUnread(
    _ port: Int, count: Int, receiving: Int32?
  ) throws -> [RawSocket] {
    let sockets = try (0..<count).map { number in
      let socket = try RawSocket(port: port, receiving: receiving)
      try socket.openSession()
      // Each client sends a different query, so that no two clients share an answer.
      let query = #"{"cities":{"$":{"where":{"population":{"$gt":\#(number)}}},"country":{}}}"#
      subscribe(socket, to: query)
      return socket
    }
    wait()
    return sockets
  }

  /// Reads a large answer that changes all the time, at a few kilobytes per second.
  private func readSlowly(_ port: Int) throws -> [RawSocket] {
    let writer = try RawSocket(port: port)
    let sockets = try (0..<100).map { _ in
      let socket = try RawSocket(port: port, receiving: 16_384)
      try socket.openSession()
      subscribe(socket, to: Self.large)
      return socket
    }
    var number = 0
    try repeatedly {
      number += 1
      let steps = #"[["update","cities",["key","shanghai-1796236"],{"population":\#(number)}]]"#
      writer.send(Self.post("/admin/transact", #"{"steps":\#(steps)}"#))
      try writer.receive(until: "tx-id")
      for socket in sockets { _ = socket.receive(timeout: 0) }
      pause(.milliseconds(100))
    }
    return sockets + [writer]
  }

  // MARK: Long requests and messages

  private func sendBodies(_ port: Int) throws -> [RawSocket] {
    let body = "[" + String(repeating: "{},", count: 14_000_000 / 3) + "{}]"
    let paths = ["/admin/query", "/runtime/sse", "/runtime/auth/verify_refresh_token"]
    let requests = paths.map { Array(Self.post($0, body).utf8) }
    var sockets: [RawSocket] = []
    try repeatedly {
      sockets = try (0..<8).map { _ in try RawSocket(port: port) }
      for part in 0..<28 {
        for (place, socket) in sockets.enumerated() {
          let request = requests[place % requests.count]
          let start = part * 500_000
          socket.send(Array(request[start..<min(start + 500_000, request.count)]), timeout: 100)
        }
      }
      for socket in sockets { _ = socket.receive(timeout: 1_000) }
    }
    return sockets
  }

  private func sendHalfMessages(_ port: Int) throws -> [RawSocket] {
    let half = [UInt8](repeating: 65, count: 12_000_000)
    let sockets = try (0..<40).map { _ in
      let socket = try RawSocket(port: port)
      try socket.openSession()
      socket.send(RawSocket.frame([], length: half.count + 1_000))
      return socket
    }
    for start in stride(from: 0, to: half.count, by: 500_000) {
      for socket in sockets {
        socket.send(Array(half[start..<min(start + 500_000, half.count)]), timeout: 10)
      }
    }
    wait()
    return sockets
  }

  private func sendDeepJSON(_ port: Int) throws -> [RawSocket] {
    let deep = String(repeating: #"{"a":"#, count: 2_000_000)
    let body = Self.post("/admin/query", #"{"query":"# + deep)
    var sockets: [RawSocket] = []
    try repeatedly {
      let socket = try RawSocket(port: port)
      try socket.openSession()
      socket.sendText(deep)
      _ = socket.receive(timeout: 1_000)
      let other = try RawSocket(port: port)
      other.send(body)
      _ = other.receive(timeout: 1_000)
      sockets = [socket, other]
    }
    return sockets
  }

  // MARK: Many

  private func open(_ port: Int, saying text: String) throws -> [RawSocket] {
    var sockets: [RawSocket] = []
    for _ in 0..<5_000 {
      guard let socket = try? RawSocket(port: port) else { break }
      socket.send(text)
      sockets.append(socket)
    }
    wait()
    return sockets
  }

  private func subscribeOften(_ port: Int) throws -> [RawSocket] {
    let sockets = try (0..<25).map { _ in
      let socket = try RawSocket(port: port)
      try socket.openSession()
      return socket
    }
    var number = 0
    for _ in 0..<1_000 {
      for socket in sockets {
        number += 1
        subscribe(
          socket, to: #"{"cities":{"$":{"where":{"population":\#(number)}}}}"#, as: "\(number)")
      }
      for socket in sockets { while socket.receive(timeout: 0) != nil {} }
    }
    wait()
    return sockets
  }

  /// The length of a query that is just below the limit for one connection (1 MiB).
  private static let longLength = 1_048_000
  private static let longText = #""\#(String(repeating: "a", count: longLength))""#
  /// A list with as many values as the limit allows. The values take more memory than their text.
  private static let longList =
    "{\"$in\":[" + Array(repeating: "1", count: longLength / 20).joined(separator: ",") + "]}"

  /// A condition with as many parts as the limit allows.
  private static let conditionList =
    "{\"or\":["
    + Array(repeating: #"{"a":1}"#, count: longLength / 100).joined(separator: ",") + "]}"

  private static func population(_ condition: String) -> String {
    #"{"population":\#(condition)}"#
  }

  /// Opens many connections, and subscribes each of them to a query of the maximum length. Each
  /// query has a different page limit, so that no two are equal.
  private func subscribeAtLength(_ port: Int, to condition: String) throws -> [RawSocket] {
    var sockets: [RawSocket] = []
    let start = ContinuousClock.now
    for number in 0..<100 {
      let socket = try RawSocket(port: port)
      // A server with too many subscriptions rejects the query, or is even too busy to open the
      // session.
      guard (try? socket.openSession()) != nil else { break }
      subscribe(
        socket,
        to: #"{"cities":{"$":{"limit":\#(number + 1),"where":\#(condition)}}}"#)
      sockets.append(socket)
      for socket in sockets { while socket.receive(timeout: 0) != nil {} }
    }
    while (ContinuousClock.now - start).inSeconds < Self.time {
      for socket in sockets { while socket.receive(timeout: 0) != nil {} }
      pause(.milliseconds(100))
    }
    return sockets
  }

  private func fillRooms(_ port: Int) throws -> [RawSocket] {
    let data = #"{"a":"\#(String(repeating: "a", count: 60_000))"}"#
    let sockets = try (0..<100).map { _ in
      let socket = try RawSocket(port: port, receiving: 4_096)
      try socket.openSession()
      for room in 0..<100 {
        let text =
          #"{"op":"join-room","client-event-id":"r","room-id":"\#(room)","data":\#(data)}"#
        // The server does not read messages from a client that does not read its answers.
        guard socket.send(RawSocket.frame(Array(text.utf8)), timeout: 200) else { break }
      }
      return socket
    }
    wait()
    return sockets
  }

  private func abandonQueries(_ port: Int) throws -> [RawSocket] {
    let request = Self.post("/admin/query", #"{"query":{"countries":{"cities":{"country":{}}}}}"#)
    try repeatedly {
      let sockets = try (0..<60).map { _ in try RawSocket(port: port) }
      for socket in sockets { socket.send(request) }
      pause(.milliseconds(500))
    }
    return []
  }
}
