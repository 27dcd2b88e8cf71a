package import DataSources
package import Triples

/// A client's side of a session with a server, across all of its connections.
///
/// The session does no input or output itself. Every event is a method that returns actions, which
/// the owner of the session performs in order. Times are milliseconds of a monotonic clock with any
/// origin.
///
///            start            opened             init-ok
///     idle ────────► connecting ─────► opening ──────────► ready
///                       ▲  │ closed       │ closed            │ closed
///                  wake │  ▼              ▼                   ▼
///                      waiting ◄──────────┴───────────────────┘
///
/// - Source: InstantDB's session protocol; connection states, reconnection and error handling.
package struct ClientSession: Sendable {
  package enum Action: Equatable, Sendable {
    case connect(ConnectionID)
    case disconnect(ConnectionID)
    case send(ClientEnvelope, over: ConnectionID)
    /// Requests a call of ``ClientSession/wake(at:)`` at this time. It replaces earlier requests.
    case wake(at: Int64)
    case status(ConnectionStatus)
    /// The server sent all attributes, which replace the previous ones.
    case attributes([Attribute])
    case appStatus(AppStatus)
    /// The server sent the complete answer to a query, which replaces the previous answer. The
    /// answer includes every transaction up to `processed`.
    case result(Value, QueryResult, processed: Int)
    case queryFailed(Value, ServerError)
    case confirmed(MutationID, transactionID: Int)
    /// The server rejected the mutation. The mutation is not sent again.
    case refused(MutationID, ServerError)
    /// A text that the owner writes to the log.
    case note(String)
  }

  enum Phase: Equatable {
    case idle
    case connecting(ConnectionID, until: Int64)
    /// The client has sent the `init` message, and waits for the server's answer.
    case opening(ConnectionID, until: Int64)
    case ready(ConnectionID, since: Int64)
    case waiting(until: Int64)
    case refused(ServerError)
  }

  /// The minimum duration of a session in milliseconds. If a connection ends earlier, it counts as
  /// a failure in `failures`.
  package static let minSessionDuration: Int64 = 1_000

  /// The delays between attempts to connect. The number of attempts is unlimited.
  ///
  /// A new connection subscribes to all queries and sends all unanswered changes again. Only the
  /// session knows these queries and changes, so a ``RetryDataSource`` around the store could not
  /// replace this.
  ///
  /// - Source: InstantDB's client, which uses the same delays without jitter.
  package static let reconnection = RetryPolicy(
    attempts: .max, delay: .zero, growth: .adding(.seconds(1)), maxDelay: .seconds(10),
    jitter: 0.25)

  package let opening: Opening
  let timeouts: ClientTimeouts
  var phase = Phase.idle
  /// The number of consecutive connections that failed, or ended too early.
  var failures = 0
  var lastConnection = 0
  /// The time since which the data is no longer live. Nil while the data is live, and before the
  /// first failure.
  var offlineSince: Int64?
  var reason = ""
  /// The last error over the current connection that the server sent without naming a request.
  var remark: String?
  var appStatus = AppStatus.active
  var queries: QueryTable
  var mutations: MutationQueue
  var announcedWake: Int64?
  let newID: @Sendable () -> String
  let random: @Sendable () -> Double

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - newID: Returns an id for a message; servers expect a UUID.
  ///   - random: Returns a number of at least 0 and less than 1.
  package init(
    _ opening: Opening, timeouts: ClientTimeouts = ClientTimeouts(),
    newID: @escaping @Sendable () -> String = { EntityID.random().text },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.opening = opening
    self.timeouts = timeouts
    queries = QueryTable(answerTimeout: timeouts.answer)
    mutations = MutationQueue(answerTimeout: timeouts.confirmation)
    self.newID = newID
    self.random = random
  }

  /// The number of mutations that the server has not answered.
  package var pendingCount: Int { mutations.count }
}
