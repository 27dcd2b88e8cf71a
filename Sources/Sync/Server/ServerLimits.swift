/// The limits for one client, and for all clients together.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum size of one text that a client sends, in bytes.
  package var textBytes = 16 << 20
  /// The maximum number of subscriptions of one connection.
  package var subscriptions = 1_000
  /// The maximum number of distinct queries of all connections together. Each query takes about 12
  /// KB.
  package var queries = 8_000
  /// The maximum average number of messages per second on one connection.
  package var messageRate = 20_000
  /// The maximum number of messages that a connection may send in one burst.
  package var messageBurst = 40_000
  /// The number of recent errors after which a connection is closed.
  package var refusals = 100
  /// The time in milliseconds after which errors are forgotten.
  package var refusalTime: Int64 = 60_000
  /// The maximum number of rooms that one connection may be in.
  package var rooms = 100
  /// The maximum size of the presence data, or of one broadcast, in bytes of JSON.
  package var presenceBytes = 64 << 10
  /// The maximum size of one connection's presence data in all rooms together, in bytes of JSON.
  package var connectionPresenceBytes = 256 << 10
  /// The maximum size of the presence data in one room, in bytes of JSON. Each member receives all
  /// of it.
  package var roomPresenceBytes = 1 << 20
  /// The maximum number of connections.
  package var connections = 10_000
  /// The timeout for opening a session, in milliseconds.
  package var openingTime: Int64 = 15_000

  /// The timeout in milliseconds for the first answer to a query, and for a transaction.
  package var answerTime: Int64 = 5_000

  /// The timeout for a request over HTTP, in milliseconds.
  package var requestTime: Int64 = 30_000
  /// The number of wrong tokens after which a connection is closed.
  package var wrongTokens = 3

  /// The time in milliseconds after which a query is reported as slow.
  package var slowQueryTime: Int64 = 500
  /// The maximum size of one connection's subscriptions in bytes, as ``QuerySize`` counts them.
  package var subscriptionBytes = 1 << 20
  /// The maximum size of the subscriptions of all connections together in bytes, as ``QuerySize``
  /// counts them. In memory they take several times as much. Connections within
  /// `shortSubscriptionBytes` are exempt.
  package var allSubscriptionBytes = 16 << 20
  /// A connection whose subscriptions are at most this size in bytes is exempt from
  /// `allSubscriptionBytes`.
  package var shortSubscriptionBytes = 4 << 10
  /// The maximum length of a room's name, in bytes.
  package var roomNameBytes = 1_024

  package init() {}
}

/// A token bucket that limits the rate of messages.
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

  /// Takes one message from the bucket; returns false if it is empty.
  mutating func consumeMessage(at now: Int64) -> Bool {
    left = min(burst, left + Double(max(0, now - last)) / 1_000 * rate)
    last = max(last, now)
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
