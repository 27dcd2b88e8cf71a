#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures how fast a small query is answered while eight other clients send large ones.
enum BusyBench {
  private static let heavyClients = 8
  private static let seconds = 20.0
  /// The goal for the 95th percentile of the answer times, in seconds.
  private static let maxTime = 0.05

  static func run() async throws {
    let server = try ServerProcess("world")
    let heavy = request(#"{"countries":{"cities":{"country":{"cities":{}}}}}"#)
    let single = try time(of: heavy, server.port)
    print("a heavy query alone: \((single * 1_000).rounded(0)) ms")
    let command = CommandLine.arguments[0]
    // The clients run in separate processes, so that they do not delay the measurement.
    let others = (0..<heavyClients).compactMap { _ in
      popen("exec '\(command)' \(askArgument) \(server.port) >/dev/null", "r")
    }
    pause(.seconds(1))
    var times: [Double] = []
    let start = ContinuousClock.now
    while (ContinuousClock.now - start).inSeconds < seconds {
      times.append(try time(of: HostileClients.smallQuery, server.port))
      pause(.milliseconds(20))
    }
    kill(server.process, SIGKILL)
    for other in others { pclose(other) }
    times.sort()
    let p95 = times[times.count * 95 / 100]
    print(
      "a small query during \(heavyClients) clients with heavy ones: \(ServeBench.spread(times)), "
        + "most \(((times.last ?? 0) * 1_000).rounded(0)) ms: \(p95 <= maxTime ? "ok" : "MISS")")
  }

  static let askArgument = "ask-for-bench"

  /// Sends a heavy query again and again, until the server ends. Each heavy client is a separate
  /// process that runs this method.
  static func ask(_ port: Int) {
    let heavy = request(#"{"countries":{"cities":{"country":{"cities":{}}}}}"#)
    while (try? time(of: heavy, port)) != nil {}
  }

  private static func request(_ query: String) -> String {
    let body = #"{"query":\#(query)}"#
    return "POST /admin/query HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
      + "Content-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }

  private static func time(of request: String, _ port: Int) throws -> Double {
    let start = ContinuousClock.now
    let socket = try RawSocket(port: port)
    socket.send(request)
    try socket.receive(until: "HTTP/1.1")
    return (ContinuousClock.now - start).inSeconds
  }
}
