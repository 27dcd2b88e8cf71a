import Synchronization

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Measures how much memory hostile clients cost a server, and how long other clients wait
/// meanwhile.
enum HostileBench {
  private static let maxGrowth = 150 << 20
  private static let maxReturnTime = 30.0
  /// The maximum number of bytes by which a server's memory may have grown when the attack is over.
  private static let maxRest = 25 << 20

  /// Runs each kind of hostile client against a new server.
  ///
  /// - Parameter names: The kinds of clients to run; empty for all kinds.
  static func run(_ names: [String]) async {
    print(
      "hostile clients".padded(22)
        + ["at rest", "at most", "at the end", "back after", "others wait"].map {
          $0.padded(12)
        }.joined())
    var misses = 0
    for kind in HostileClients.allCases where names.isEmpty || names.contains(kind.rawValue) {
      do {
        if try await !isWithinBounds(kind) { misses += 1 }
      } catch {
        print("\(kind.rawValue): stopped: \(error)")
        misses += 1
      }
      fflush(nil)
    }
    print(misses == 0 ? "All are within their bounds." : "\(misses) are beyond their bounds.")
  }

  private static func isWithinBounds(_ kind: HostileClients) async throws -> Bool {
    let server = try ServerProcess("world", token: kind.hasToken ? HostileClients.token : nil)
    for _ in 0..<3 { _ = server.answerTime(HostileClients.smallQuery) }
    pause(.seconds(2))
    let rest = server.memory
    server.forgetPeak()
    let isOver = Flag()
    let waits = Task.detached { longestWait(for: server, isOver) }
    var sockets = try await Task.detached { try kind.attack(server) }.value
    isOver.value.store(true, ordering: .relaxed)
    let wait = await waits.value
    let end = server.memory - rest
    let most = server.peak - rest
    sockets = []
    let back = timeUntil { server.memory - rest <= maxRest }
    let isWithin = most <= maxGrowth && back != nil && wait != nil
    let figures = [
      megabytes(rest), "+" + megabytes(most), "+" + megabytes(end),
      back.map { "\($0.rounded(1)) s" } ?? "never",
      wait.map { "\(($0 * 1_000).rounded(0)) ms" } ?? "no answer",
    ]
    print(
      kind.rawValue.padded(22) + figures.map { $0.padded(12) }.joined() + (isWithin ? "ok" : "MISS")
    )
    withExtendedLifetime(sockets) {}
    return isWithin
  }

  /// Sends a small request again and again, until the attack is over. Returns the longest response
  /// time, or nil if a request is not answered.
  private static func longestWait(for server: ServerProcess, _ isOver: Flag) -> Double? {
    var longest = 0.0
    while !isOver.value.load(ordering: .relaxed) {
      guard let time = server.answerTime() else { return nil }
      longest = max(longest, time)
      pause(.milliseconds(200))
    }
    return longest
  }

  private static func timeUntil(_ isMet: () -> Bool) -> Double? {
    let start = ContinuousClock.now
    while !isMet() {
      if (ContinuousClock.now - start).inSeconds > maxReturnTime { return nil }
      pause(.milliseconds(100))
    }
    return (ContinuousClock.now - start).inSeconds
  }

  private final class Flag: Sendable {
    let value = Atomic(false)
  }

  private static func megabytes(_ bytes: Int) -> String { "\(max(0, bytes) >> 20) MB" }
}
