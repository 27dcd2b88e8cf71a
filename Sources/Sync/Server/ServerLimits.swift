/// How much one client, and all together, may ask of a server.
package struct ServerLimits: Hashable, Sendable {
  /// The longest text that is read, in bytes.
  package var textBytes = 16 << 20
  /// Queries that one connection may have subscribed.
  package var subscriptions = 1_000
  /// Distinct queries that all connections together may have subscribed.
  package var queries = 20_000
  /// Messages a second that one connection may send for long.
  package var messageRate = 20_000
  /// Messages that it may send at once.
  package var messageBurst = 40_000
  /// Messages beyond that which are answered with an error before the connection is closed.
  package var refusals = 100
  /// After so long without another one refusals are forgotten, in milliseconds.
  package var refusalTime: Int64 = 60_000
  /// Rooms that one connection may be in.
  package var rooms = 100
  /// The greatest presence or broadcast, in bytes of JSON.
  package var presenceBytes = 64 << 10
  /// What one connection may show in all its rooms together, in bytes of JSON.
  package var connectionPresenceBytes = 256 << 10
  /// What all may show in one room, in bytes of JSON: all of it is sent to each.
  package var roomPresenceBytes = 1 << 20
  /// Connections at a time.
  package var connections = 10_000
  /// How long a connection may take to open its session, in milliseconds.
  package var openingTime: Int64 = 15_000

  /// How long a query may take to its first answer, and a transaction to be carried out, in
  /// milliseconds.
  package var answerTime: Int64 = 5_000

  /// How long a request over HTTP may be worked on, in milliseconds.
  package var requestTime: Int64 = 30_000
  /// Wrong tokens after which a connection is closed.
  package var wrongTokens = 3

  /// A query that takes longer than this is reported, in milliseconds.
  package var slowQueryTime: Int64 = 500
  /// The queries that one connection may have subscribed, in bytes of JSON.
  package var subscriptionBytes = 4 << 20
  /// The longest name of a room, in bytes.
  package var roomNameBytes = 1_024

  package init() {}
}

/// Counts messages against a rate: a bucket that is filled as time goes by.
struct MessageAllowance {
  private var left: Double
  private var last: Int64
  private let rate: Double
  private let burst: Double

  init(_ limits: ServerLimits, at now: Int64) {
    rate = Double(limits.messageRate)
    burst = Double(limits.messageBurst)
    left = burst
    last = now
  }

  /// Takes one message out; false when there is none left.
  mutating func take(at now: Int64) -> Bool {
    left = min(burst, left + Double(max(0, now - last)) / 1_000 * rate)
    last = max(last, now)
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
