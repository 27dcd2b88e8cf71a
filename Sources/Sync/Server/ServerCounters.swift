import Synchronization

/// An event that a server reports to its log.
package enum ServerEvent: Sendable {
  case connected(address: String?)
  case disconnected(address: String?, duration: Duration)
  case refused(address: String?, reason: String)
  case transacted(address: String?, transaction: Int, steps: Int, duration: Duration)
  case slowQuery(String, duration: Duration)
}

/// The metrics of a server.
package final class ServerCounters: Sendable {
  private let transactions = Atomic(0)
  private let refusals = Atomic(0)
  private let wrongTokens = Atomic(0)
  private let queryTimes = Mutex(Histogram())

  struct Histogram {
    static let bounds = [0.001, 0.01, 0.1, 1, 10]
    var counts = [Int](repeating: 0, count: bounds.count)
    var count = 0
    var sum = 0.0
  }

  package init() {}

  func countTransaction() { transactions.wrappingAdd(1, ordering: .relaxed) }
  func countRefusal() { refusals.wrappingAdd(1, ordering: .relaxed) }
  func countWrongToken() { wrongTokens.wrappingAdd(1, ordering: .relaxed) }

  func count(_ duration: Duration) {
    let seconds = duration / .seconds(1)
    queryTimes.withLock { times in
      times.count += 1
      times.sum += seconds
      for (place, bound) in Histogram.bounds.enumerated() where seconds <= bound {
        times.counts[place] += 1
      }
    }
  }

  /// Writes the metrics in the format of Prometheus.
  ///
  /// - Parameter gauges: The names and current values of gauges.
  package func text(_ gauges: [(name: String, help: String, value: Int)]) -> String {
    var lines: [String] = []
    for (name, help, value) in gauges {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) gauge", "\(name) \(value)"]
    }
    for (name, help, value) in [
      (
        "sonde_transactions_total", "Transactions made by clients.",
        transactions.load(ordering: .relaxed)
      ),
      (
        "sonde_refusals_total", "Connections and requests rejected.",
        refusals.load(ordering: .relaxed)
      ),
      (
        "sonde_wrong_tokens_total", "Wrong tokens sent by clients.",
        wrongTokens.load(ordering: .relaxed)
      ),
    ] as [(String, String, Int)] {
      lines += ["# HELP \(name) \(help)", "# TYPE \(name) counter", "\(name) \(value)"]
    }
    let times = queryTimes.withLock { $0 }
    let name = "sonde_query_seconds"
    lines += ["# HELP \(name) Time to evaluate a query.", "# TYPE \(name) histogram"]
    for (bound, count) in zip(Histogram.bounds, times.counts) {
      lines.append("\(name)_bucket{le=\"\(bound)\"} \(count)")
    }
    lines += [
      "\(name)_bucket{le=\"+Inf\"} \(times.count)", "\(name)_sum \(times.sum)",
      "\(name)_count \(times.count)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }
}
