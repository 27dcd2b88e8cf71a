import Sync
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// The measurements for clients that receive events instead of using WebSockets.
extension ServeBench {
  func idleEventSessions() async throws {
    let warm = try EventReader(address.port)
    try warm.begin(asking: Self.page)
    let before = memory
    var readers: [EventReader] = []
    for _ in 0..<1_000 {
      let reader = try EventReader(address.port)
      try reader.begin(asking: Self.page)
      readers.append(reader)
    }
    let each = Double(memory - before) / Double(readers.count) / 1_024
    print("1,000 idle event sessions, with one query for all: \(each.rounded(1)) KB each")
  }

  /// Measures 500 changes per second for five seconds. Each change is sent to 100 readers of
  /// events.
  func fanOutAsEvents() async throws {
    let (rate, seconds, subscribers) = (500, 5, 100)
    let writer = try await connect()
    var readers: [EventReader] = []
    for _ in 0..<subscribers {
      let reader = try EventReader(address.port)
      try reader.begin(asking: Self.page)
      readers.append(reader)
    }
    let base = try await transactionID(of: writer)
    let hearing = Task.detached { [readers] in
      EventReader.arrivals(of: readers, until: base + rate * seconds)
    }
    let times = await write(writer, rate: rate, seconds: seconds)
    let arrivals = await hearing.value
    let delays = arrivals.flatMap { Self.delays($0, since: base, of: times) }
    let wanted = rate * seconds * subscribers
    print(
      "\(rate) changes a second to \(subscribers) readers of events: \(delays.count) of \(wanted) "
        + "seen, in \(arrivals.reduce(0) { $0 + $1.count }) messages; \(Self.spread(delays))")
    await writer.channel.close()
  }
}

/// An event session over a plain socket. The client sends its messages as separate requests.
final class EventReader: Sendable {
  private let port: Int
  private let socket: Int32

  enum Fault: Error { case noConnection, noAnswer }

  init(_ port: Int) throws {
    self.port = port
    socket = try Self.connection(to: port)
    Self.send("GET /runtime/sse?app_id=bench HTTP/1.1\r\nHost: localhost\r\n\r\n", socket)
  }

  deinit { close(socket) }

  /// Opens the session and subscribes to a query. Returns after both responses.
  func begin(asking query: Value) throws {
    let opening = try receive(until: "sse-token")
    guard
      let line = opening.split(whereSeparator: \.isNewline).last(where: { $0.hasPrefix("data: ") }),
      case .object(let names) = try JSONReader.value(of: String(line.dropFirst(6)))
    else { throw Fault.noAnswer }
    let body = JSONWriter.text([
      "machine_id": names["machine-id"] ?? .null, "session_id": names["session-id"] ?? .null,
      "sse_token": names["sse-token"] ?? .null,
      "messages": [
        ["op": "init", "client-event-id": "i", "app-id": "bench"],
        ["op": "add-query", "client-event-id": "q", "q": query],
      ],
    ])
    let request = try Self.connection(to: port)
    defer { close(request) }
    Self.send(
      "POST /runtime/sse?app_id=bench HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)", request)
    _ = try receive(until: "processed-isn")
  }

  private static func connection(to port: Int) throws -> Int32 {
    #if canImport(Glibc)
      let made = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let made = Darwin.socket(AF_INET, SOCK_STREAM, 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(port).bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(made, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw Fault.noConnection }
    return made
  }

  private static func send(_ text: String, _ socket: Int32) {
    let bytes = Array(text.utf8)
    _ = write(socket, bytes, bytes.count)
  }

  private func receive(until wanted: String) throws -> String {
    var heard: [UInt8] = []
    while true {
      guard let bytes = read() else { throw Fault.noAnswer }
      heard += bytes
      let text = String(decoding: heard, as: UTF8.self)
      if text.contains(wanted) { return text }
    }
  }

  /// Returns the received bytes; nil at the end.
  private func read() -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    let count = recv(socket, &buffer, buffer.count, 0)
    return count > 0 ? Array(buffer.prefix(count)) : nil
  }

  /// Reads from all sessions. Ends when each has received the last transaction, or when nothing
  /// arrives for two seconds.
  static func arrivals(of readers: [EventReader], until last: Int) -> [[ServeBench.Arrival]] {
    var arrivals = [[ServeBench.Arrival]](repeating: [], count: readers.count)
    var rests = [[UInt8]](repeating: [], count: readers.count)
    var waiting = readers.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
    var done = 0
    while done < readers.count, poll(&waiting, nfds_t(waiting.count), 2_000) > 0 {
      for place in waiting.indices where waiting[place].revents != 0 {
        guard let bytes = readers[place].read() else {
          waiting[place].fd = -1
          done += 1
          continue
        }
        let now = ContinuousClock.now
        rests[place] += bytes
        for processed in parseNumbers(&rests[place]) {
          arrivals[place].append(ServeBench.Arrival(processed: processed, time: now))
          guard processed >= last, waiting[place].fd >= 0 else { continue }
          waiting[place].fd = -1
          done += 1
        }
      }
    }
    return arrivals
  }

  private static let key = Array("\"processed-tx-id\":".utf8)

  /// Extracts the transaction numbers from the complete lines; an incomplete line stays in the
  /// buffer. Only the beginning of each line is read, because there are many long lines.
  private static func parseNumbers(_ bytes: inout [UInt8]) -> [Int] {
    var numbers: [Int] = []
    var start = 0
    bytes.withUnsafeBytes { all in
      while start < all.count, let end = memchr(all.baseAddress! + start, 10, all.count - start) {
        let line = all[start..<(UnsafeRawPointer(end) - all.baseAddress!)]
        start = line.endIndex + 1
        guard let found = line.prefix(100).firstRange(of: key) else { continue }
        let digits = line[found.upperBound...].prefix { $0 >= 48 && $0 <= 57 }
        if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.append(number) }
      }
    }
    bytes.removeFirst(start)
    return numbers
  }
}
