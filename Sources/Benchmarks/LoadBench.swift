import Sync
import Triples
import WebSockets

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A thousand clients, each with its own query, and 500 changes per second.
extension ServeBench {
  private static let rate = 500

  func load(seconds: Int) async throws {
    let before = memory
    let sockets = try (0..<Self.plants).map { _ in
      let socket = try RawSocket(port: address.port)
      try socket.openSession()
      return socket
    }
    reportMemory("with an open session", since: before)
    for (number, socket) in sockets.enumerated() {
      socket.sendText(
        #"{"op":"add-query","client-event-id":"q","q":\#(JSONWriter.text(Self.oneOf(number)))}"#)
      try socket.receive(until: "add-query-ok")
    }
    reportMemory("with a query of its own", since: before)
    let writer = try await connect()
    let base = try await transactionID(of: writer)
    let busyBefore = busyTime
    let hearing = Task.detached {
      SessionReader.arrivals(over: sockets, count: Self.rate * seconds)
    }
    let times = await writeToAll(writer, seconds: seconds)
    let arrivals = await hearing.value
    let busy = (busyTime - busyBefore) / Double(seconds)
    var delays: [Double] = []
    for (number, own) in arrivals.enumerated() {
      // Each client receives every thousandth change.
      var change = number
      for arrival in own {
        while change < times.count, base + change < arrival.processed {
          delays.append((arrival.time - times[change]).inSeconds)
          change += Self.plants
        }
      }
    }
    print(
      "\(Self.rate) changes a second for \(seconds) s, \(Self.plants) clients: \(delays.count) of "
        + "\(times.count) seen; \(Self.spread(delays)); server \((busy * 100).rounded(0)) % of a core"
    )
    await writer.channel.close()
  }

  private func reportMemory(_ what: String, since before: Int) {
    let each = Double(memory - before) / Double(Self.plants) / 1_024
    print("\(Self.plants) connections, \(what): \(each.rounded(1)) KB each")
  }

  private func writeToAll(
    _ client: BenchClient, seconds: Int
  ) async -> [ContinuousClock.Instant] {
    var times: [ContinuousClock.Instant] = []
    let start = ContinuousClock.now
    for change in 0..<(Self.rate * seconds) {
      try? await Task.sleep(
        until: start + .nanoseconds(change * 1_000_000_000 / Self.rate), tolerance: .zero)
      times.append(ContinuousClock.now)
      try? await client.send(Self.grow(change % Self.plants, -1 - change))
      if change % 64 == 63 { for _ in 0..<64 { _ = await client.nextMessage() } }
    }
    return times
  }

  /// The CPU time that the server has used, in seconds.
  private var busyTime: Double {
    ServerProcess.busyTime(of: server)
  }
}

/// Reads the messages of many sessions in one thread.
enum SessionReader {
  /// Records the transactions that each session received. Ends when all have arrived, or when
  /// nothing arrives for five seconds.
  static func arrivals(over sockets: [RawSocket], count: Int) -> [[ServeBench.Arrival]] {
    var arrivals = [[ServeBench.Arrival]](repeating: [], count: sockets.count)
    var rests = [[UInt8]](repeating: [], count: sockets.count)
    var waiting = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
    var heard = 0
    var lastPong = ContinuousClock.now
    while heard < count, poll(&waiting, nfds_t(waiting.count), 5_000) > 0 {
      if ContinuousClock.now - lastPong > .seconds(5) {
        lastPong = .now
        for socket in sockets { socket.sendPong() }
      }
      for place in waiting.indices where waiting[place].revents != 0 {
        guard let bytes = sockets[place].receive(timeout: 0) else {
          waiting[place].fd = -1
          continue
        }
        let now = ContinuousClock.now
        rests[place] += bytes
        for number in parseNumbers(&rests[place]) {
          arrivals[place].append(ServeBench.Arrival(processed: number, time: now))
          heard += 1
        }
      }
    }
    return arrivals
  }

  private static let key = Array("\"processed-tx-id\":".utf8)

  /// Removes complete frames from the buffer, and returns the transaction numbers in them.
  private static func parseNumbers(_ bytes: inout [UInt8]) -> [Int] {
    var numbers: [Int] = []
    while bytes.count >= 2 {
      var (length, start) = (Int(bytes[1] & 0x7F), 2)
      if length == 126, bytes.count >= 4 {
        (length, start) = (Int(bytes[2]) << 8 | Int(bytes[3]), 4)
      } else if length >= 126 {
        break
      }
      guard bytes.count >= start + length else { break }
      if let found = bytes[start..<(start + length)].firstRange(of: key) {
        let digits = bytes[found.upperBound...].prefix { $0 >= 48 && $0 <= 57 }
        if let number = Int(String(decoding: digits, as: UTF8.self)) { numbers.append(number) }
      }
      bytes.removeFirst(start + length)
    }
    return numbers
  }
}
