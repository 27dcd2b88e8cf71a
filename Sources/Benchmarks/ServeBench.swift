import CExecutor
import CMemory
import LiveQueries
import Stores
import Sync
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures a server over real sockets.
///
/// The figures are the memory of idle clients, the time until a change arrives at another client,
/// the message rate of one connection, and the latency of changes for a hundred subscribers. The
/// server runs in another process on the same machine.
struct ServeBench {
  static let serverArgument = "serve-for-bench"
  static let plants = 1_000

  /// Starts a server and measures it.
  ///
  /// - Parameter seconds: How long to measure a thousand clients that receive changes; nil measures
  ///   everything else instead.
  static func run(loadFor seconds: Int? = nil) async {
    let command = "exec '\(CommandLine.arguments[0])' \(serverArgument)"
    guard let output = popen(command, "r") else { return print("cannot start the server") }
    var line = [CChar](repeating: 0, count: 200)
    guard fgets(&line, 200, output) != nil else { return print("the server does not respond") }
    let words = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      .split(whereSeparator: \.isWhitespace).compactMap { Int($0) }
    guard words.count == 2 else { return print("the server's response is invalid") }
    let address = ServerAddress(host: "127.0.0.1", port: words[0], appID: "bench")
    do {
      let bench = ServeBench(address: address, server: pid_t(words[1]))
      if let seconds { try await bench.load(seconds: seconds) } else { try await bench.measure() }
    } catch { print("stopped: \(error)") }
    kill(pid_t(words[1]), SIGKILL)
    pclose(output)
  }

  /// Serves a store in memory until the process is killed. A separate process runs this method.
  static func runServer() async {
    memory_expect_much()
    executor_install()
    do {
      let server = SyncServer(store: MemoryStore(try store()))
      let listener = try await WebSocketListener.open(server, access: AccessRule())
      FreedMemory.keepLittle()
      print("\(listener.port) \(getpid())")
      fflush(nil)
      try await Task.sleep(for: .seconds(600))
    } catch { print("stopped: \(error)") }
  }

  // MARK: Data

  private static let plantID = AttributeID("a7000000-0000-4000-8000-000000000001")
  private static let name = AttributeID("a7000000-0000-4000-8000-000000000002")
  private static let height = AttributeID("a7000000-0000-4000-8000-000000000003")

  private static func id(_ number: Int) -> EntityID {
    EntityID(high: 0x5a00_0000_0000_4000, low: 0x8000_0000_0000_0000 + UInt64(number))
  }

  private static func store() throws -> TripleStore {
    var store = TripleStore()
    try store.transact(
      Transaction(
        [
          Attribute(id: plantID, namespace: "plants", label: "id", constraints: .unique),
          Attribute(id: name, namespace: "plants", label: "name", constraints: .indexed),
          Attribute(id: height, namespace: "plants", label: "height", constraints: .indexed),
        ].map(TransactionStep.addAttribute)))
    for number in 0..<plants {
      try store.transact(
        Transaction([
          .addTriple(.id(id(number)), plantID, .text(id(number).text)),
          .addTriple(.id(id(number)), name, .text("plant \(number)")),
          .addTriple(.id(id(number)), height, .integer(Int64(number))),
        ]))
    }
    return store
  }

  static func grow(_ number: Int, _ height: Int) -> ClientMessage {
    .transact(
      Transaction([
        .addTriple(.id(id(number)), ServeBench.height, .integer(Int64(height)), .update)
      ]))
  }

  static func oneOf(_ number: Int) -> Value {
    ["plants": ["$": ["where": ["name": .text("plant \(number)")], "limit": 1]]]
  }

  static let page: Value = [
    "plants": ["$": ["where": ["height": ["$lt": 20]], "order": ["name": "asc"], "limit": 20]]
  ]

  // MARK: Measuring

  let address: ServerAddress
  let server: pid_t

  private func measure() async throws {
    try await idleConnections()
    try await requests()
    try await commitToClient()
    try await fanOut()
    try await idleEventSessions()
    try await fanOutAsEvents()
  }

  func connect() async throws -> BenchClient {
    let client = BenchClient(try await WebSocketClient(address).connect())
    try await client.ask(.start(Opening(appID: "bench")))
    return client
  }

  private func idleConnections() async throws {
    let warm = try await connect()
    try await warm.ask(.addQuery(Self.page))
    let before = memory
    var clients: [BenchClient] = []
    for _ in 0..<1_000 { clients.append(try await connect()) }
    func report(_ what: String) {
      let each = Double(memory - before) / Double(clients.count) / 1_024
      print("1,000 idle connections, \(what): \(each.rounded(1)) KB each")
    }
    report("without a query")
    for client in clients { try await client.ask(.addQuery(Self.page)) }
    report("with one query for all")
    for (number, client) in clients.enumerated() {
      try await client.ask(.addQuery(Self.oneOf(number)))
    }
    report("with that and a query of its own")
    for client in clients { await client.channel.close() }
    await warm.channel.close()
  }

  private func requests() async throws {
    let client = try await connect()
    try await client.ask(.addQuery(Self.page))
    for (what, message) in [
      ("queries asked again", ClientMessage.addQuery(Self.page)),
      ("transactions", Self.grow(500, 500)),
    ] {
      let count = 20_000
      let start = ContinuousClock.now
      var sent = 0
      for answered in 0..<count {
        while sent < count, sent - answered < 64 {
          try await client.send(message)
          sent += 1
        }
        _ = await client.nextMessage()
      }
      let time = ContinuousClock.now - start
      print(
        "\(what), 64 on their way: \((Double(count) / time.inSeconds).rounded(0)) a second")
    }
    var times: [Double] = []
    for _ in 0..<2_000 {
      let start = ContinuousClock.now
      try await client.ask(.addQuery(Self.page))
      times.append((ContinuousClock.now - start).inSeconds)
    }
    print("one at a time: \(Self.spread(times))")
    await client.channel.close()
  }

  private func commitToClient() async throws {
    let writer = try await connect()
    let reader = try await connect()
    try await reader.ask(.addQuery(Self.page))
    var times: [Double] = []
    for round in 0..<500 {
      let start = ContinuousClock.now
      try await writer.send(Self.grow(1, -round))
      if let text = await reader.nextMessage() { _ = try MessageCoding.serverMessages(in: text) }
      times.append((ContinuousClock.now - start).inSeconds)
      _ = await writer.nextMessage()
    }
    print("a change until another client has read it: \(Self.spread(times))")
    await writer.channel.close()
    await reader.channel.close()
  }

  /// Measures 500 changes per second for five seconds. Each change is sent to 100 subscribers.
  private func fanOut() async throws {
    let (rate, seconds, subscribers) = (500, 5, 100)
    let writer = try await connect()
    let base = try await transactionID(of: writer)
    let (delays, messages) = await withTaskGroup(of: [Arrival].self) { group in
      for _ in 0..<subscribers {
        let client = try? await connect()
        try? await client?.ask(.addQuery(Self.page))
        guard let client else { continue }
        group.addTask { await Self.arrivals(client, until: base + rate * seconds) }
      }
      let times = await write(writer, rate: rate, seconds: seconds)
      var delays: [Double] = []
      var messages = 0
      for await arrivals in group {
        messages += arrivals.count
        delays += Self.delays(arrivals, since: base, of: times)
      }
      return (delays, messages)
    }
    let wanted = rate * seconds * subscribers
    print(
      "\(rate) changes a second to \(subscribers) subscribers: \(delays.count) of \(wanted) "
        + "seen, in \(messages) messages; \(Self.spread(delays))")
    await writer.channel.close()
  }

  /// Returns the latency of each change for one reader.
  static func delays(
    _ arrivals: [Arrival], since base: Int, of times: [ContinuousClock.Instant]
  ) -> [Double] {
    var delays: [Double] = []
    var last = base
    for arrival in arrivals {
      // This message includes all changes since the previous message.
      for transaction in last..<max(last, min(arrival.processed, base + times.count)) {
        delays.append((arrival.time - times[transaction - base]).inSeconds)
      }
      last = max(last, arrival.processed)
    }
    return delays
  }

  struct Arrival: Sendable {
    let processed: Int
    let time: ContinuousClock.Instant
  }

  func transactionID(of client: BenchClient) async throws -> Int {
    try await client.send(Self.grow(2, 2))
    guard let text = await client.nextMessage(),
      case .transacted(let id)? = try MessageCoding.serverMessages(in: text).first?.message
    else { return 0 }
    return id
  }

  /// Sends changes at a constant rate. Returns the times at which they were sent.
  func write(
    _ client: BenchClient, rate: Int, seconds: Int
  ) async -> [ContinuousClock.Instant] {
    var times: [ContinuousClock.Instant] = []
    let start = ContinuousClock.now
    let step = 5
    for tick in 0..<(rate * seconds / step) {
      try? await Task.sleep(
        until: start + .nanoseconds(tick * step * 1_000_000_000 / rate), tolerance: .zero)
      for place in 0..<step {
        times.append(ContinuousClock.now)
        try? await client.send(Self.grow(1, -1_000 - tick * step - place))
      }
    }
    for _ in times { _ = await client.nextMessage() }
    return times
  }

  private static func arrivals(_ client: BenchClient, until last: Int) async -> [Arrival] {
    var arrivals: [Arrival] = []
    while let text = await client.nextMessage() {
      let processed = processed(text)
      arrivals.append(Arrival(processed: processed, time: .now))
      if processed >= last { break }
    }
    await client.channel.close()
    return arrivals
  }

  /// Returns the transaction number in a refresh, found without parsing the whole message.
  private static func processed(_ text: String) -> Int {
    let digits = text.utf8.drop { $0 < 0x30 || $0 > 0x39 }.prefix { $0 >= 0x30 && $0 <= 0x39 }
    return Int(Substring(digits)) ?? 0
  }

  // MARK: Figures

  /// The resident memory of the server's process in bytes.
  var memory: Int {
    guard let file = fopen("/proc/\(server)/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 200)
    guard fgets(&line, 200, file) != nil else { return 0 }
    let words = line.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      .split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * Int(getpagesize()) : 0
  }

  static func spread(_ seconds: [Double]) -> String {
    let sorted = seconds.sorted()
    guard !sorted.isEmpty else { return "nothing" }
    let points = [0.5, 0.95, 0.99].map { point -> String in
      let value = sorted[min(sorted.count - 1, Int(Double(sorted.count) * point))]
      return "p\(Int(point * 100)) \((value * 1_000).rounded(3)) ms"
    }
    return points.joined(separator: ", ")
  }
}

/// A client that sends one message and then reads one response.
final class BenchClient: Sendable {
  let channel: any MessageChannel
  private let texts: AsyncStream<String>

  init(_ channel: any MessageChannel) {
    self.channel = channel
    texts = channel.incoming
  }

  func send(_ message: ClientMessage) async throws {
    try await channel.send(
      MessageCoding.text(ClientEnvelope(message, eventID: EntityID.random().text)))
  }

  func nextMessage() async -> String? {
    var texts = texts.makeAsyncIterator()
    return await texts.next(isolation: nil)
  }

  func ask(_ message: ClientMessage) async throws {
    try await send(message)
    _ = await nextMessage()
  }
}

extension Duration {
  var inSeconds: Double {
    Double(components.seconds) + Double(components.attoseconds) / 1e18
  }
}

extension Double {
  func rounded(_ places: Int) -> String {
    var factor = 1.0
    for _ in 0..<places { factor *= 10 }
    let value = (self * factor).rounded() / factor
    return places == 0 ? "\(Int(value))" : "\(value)"
  }
}
