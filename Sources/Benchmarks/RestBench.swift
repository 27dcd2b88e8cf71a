/// Measures what a server costs at rest, and with one client that sends small queries.
///
/// The cost depends mainly on the executor that runs Swift's tasks.
enum RestBench {
  private static let seconds = 20.0

  static func run() throws {
    let server = try ServerProcess("world")
    let session = try RawSocket(port: server.port)
    try session.openSession()
    session.sendText(#"{"op":"add-query","client-event-id":"q","q":{"continents":{}}}"#)
    try session.receive(until: "add-query-ok")
    pause(.seconds(2))
    measure("at rest, one client listens", server) {
      for _ in 0..<4 {
        pause(.seconds(seconds / 4))
        session.sendPong()
      }
    }
    var times: [Double] = []
    try measure("one client asks 100 times a second", server) {
      let start = ContinuousClock.now
      while (ContinuousClock.now - start).inSeconds < seconds {
        let asked = ContinuousClock.now
        session.sendText(#"{"op":"add-query","client-event-id":"q","q":{"continents":{}}}"#)
        try session.receive(until: "add-query-exists")
        times.append((ContinuousClock.now - asked).inSeconds)
        pause(.milliseconds(10))
      }
    }
    print("an answer: \(ServeBench.spread(times))")
  }

  private static func measure(
    _ what: String, _ server: ServerProcess, _ body: () throws -> Void
  ) rethrows {
    let (wakeUps, busy) = (server.wakeUps, ServerProcess.busyTime(of: server.process))
    try body()
    let wakes = Double(server.wakeUps - wakeUps) / seconds
    let share = (ServerProcess.busyTime(of: server.process) - busy) / seconds
    print("\(what): \(wakes.rounded(1)) wake-ups a second, \((share * 100).rounded(2)) % of a core")
  }
}
