package import DataSources
package import Triples

/// A client's side of a session with a server, across all connections; pure.
///
/// Every event is a method that returns actions, which the owner of the session performs in order.
/// Times are milliseconds of a monotonic clock with any origin.
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
    /// Call ``ClientSession/wake(at:)`` at this time; it replaces earlier requests.
    case wake(at: Int64)
    case status(ConnectionStatus)
    /// All attributes, replacing the previous ones.
    case attributes([Attribute])
    case appStatus(AppStatus)
    /// The complete answer to a query, replacing the previous one; it contains every transaction up
    /// to `processed`.
    case result(Value, QueryResult, processed: Int)
    case queryFailed(Value, ServerError)
    case confirmed(MutationID, transactionID: Int)
    /// The mutation was rejected and is not sent again.
    case refused(MutationID, ServerError)
    /// A remark for the log.
    case note(String)
  }

  enum Phase: Equatable {
    case idle
    case connecting(ConnectionID, until: Int64)
    /// The `init` message was sent.
    case opening(ConnectionID, until: Int64)
    case ready(ConnectionID, since: Int64)
    case waiting(until: Int64)
    case refused(ServerError)
  }

  /// A shorter session does not count as a working server, in milliseconds.
  package static let shortestSession: Int64 = 1_000

  /// The delays between attempts to connect, without a limit of attempts.
  ///
  /// The session retries, instead of a ``RetryDataSource`` around the store, since one connection
  /// carries all queries and changes, which are sent again over the next one.
  ///
  /// - Source: InstantDB's client, which uses the same delays without jitter.
  package static let reconnection = RetryPolicy(
    attempts: .max, delay: .zero, growth: .adding(.seconds(1)), maxDelay: .seconds(10),
    jitter: 0.25)

  package let opening: Opening
  private let timeouts: ClientTimeouts
  private(set) var phase = Phase.idle
  /// The number of consecutive failures to connect or stay connected.
  private var failures = 0
  private var lastConnection = 0
  /// When the data stopped being live; nil while it is, and before the first failure.
  private var offlineSince: Int64?
  private var reason = ""
  private var appStatus = AppStatus.active
  private var queries: QueryTable
  private var mutations: MutationQueue
  private var announcedWake: Int64?
  private let newID: @Sendable () -> String
  private let random: @Sendable () -> Double

  /// Creates a session.
  ///
  /// - Parameters:
  ///   - newID: Returns a name for a message; a UUID, as servers expect.
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

// MARK: The connection

extension ClientSession {
  /// Connects to the server. Repeated calls have no effect unless the session was rejected.
  package mutating func start(at now: Int64) -> [Action] {
    switch phase {
    case .idle, .refused: return timed(connect(at: now))
    case .connecting, .opening, .ready, .waiting: return []
    }
  }

  /// Tries to connect now instead of waiting.
  package mutating func retryNow(at now: Int64) -> [Action] {
    switch phase {
    case .waiting, .idle, .refused: return timed(connect(at: now))
    case .connecting, .opening, .ready: return []
    }
  }

  /// Ends the session; queries and mutations are kept for another start.
  package mutating func stop() -> [Action] {
    let connection = connection
    phase = .idle
    offlineSince = nil
    forgetConnection()
    return connection.map { [.disconnect($0)] } ?? []
  }

  /// A connection was established.
  package mutating func opened(_ id: ConnectionID, at now: Int64) -> [Action] {
    guard case .connecting(id, _) = phase else { return [.disconnect(id)] }
    phase = .opening(id, until: now + timeouts.opening)
    return timed([.send(ClientEnvelope(.start(opening), eventID: newID()), over: id)])
  }

  /// A connection was closed or could not be established.
  package mutating func closed(_ id: ConnectionID, reason: String, at now: Int64) -> [Action] {
    guard connection == id else { return [] }
    return timed(retreat(reason, at: now))
  }

  /// A message could not be parsed, so the connection is abandoned.
  package mutating func faulted(
    _ id: ConnectionID, _ fault: MessageFault, at now: Int64
  ) -> [Action] {
    guard connection == id else { return [] }
    return timed([.disconnect(id)] + retreat(fault.description, at: now))
  }

  /// Handles timeouts at the requested time. Calling it early does no harm.
  package mutating func wake(at now: Int64) -> [Action] {
    announcedWake = nil
    switch phase {
    case .waiting(let until) where until <= now: return timed(connect(at: now))
    case .connecting(let id, let until) where until <= now:
      return timed(
        [.disconnect(id)] + retreat("the connection timed out", at: now))
    case .opening(let id, let until) where until <= now:
      return timed(
        [.disconnect(id)] + retreat("the server did not open the session in time", at: now))
    case .ready(let id, _): return timed(overdue(id, at: now))
    case .idle, .refused, .waiting, .connecting, .opening: return timed([])
    }
  }

  private var connection: ConnectionID? {
    switch phase {
    case .connecting(let id, _), .opening(let id, _), .ready(let id, _): id
    case .idle, .waiting, .refused: nil
    }
  }

  private var readyConnection: ConnectionID? {
    if case .ready(let id, _) = phase { return id }
    return nil
  }

  private mutating func connect(at now: Int64) -> [Action] {
    lastConnection += 1
    let id = ConnectionID(number: lastConnection)
    phase = .connecting(id, until: now + timeouts.opening)
    let status = offlineSince.map {
      ConnectionStatus.offline(since: $0, nextTry: nil, reason: reason)
    }
    return [.status(status ?? .connecting), .connect(id)]
  }

  /// Leaves a closed connection and schedules the next attempt.
  private mutating func retreat(_ cause: String, at now: Int64) -> [Action] {
    let reason = cause.withoutFullStop
    if case .ready(_, let since) = phase, now - since >= Self.shortestSession { failures = 0 }
    forgetConnection()
    failures += 1
    let wait = Self.reconnection.wait(before: failures + 1, chance: random())
    let next = now + Int64(wait / .milliseconds(1))
    let since = offlineSince ?? now
    (offlineSince, self.reason) = (since, reason)
    phase = .waiting(until: next)
    if next <= now { return connect(at: now) }
    return [.status(.offline(since: since, nextTry: next, reason: reason))]
  }

  private mutating func forgetConnection() {
    queries.forgetSent()
    mutations.forgetSent()
  }

  private mutating func overdue(_ id: ConnectionID, at now: Int64) -> [Action] {
    let late = queries.takeOverdue(at: now)
    var actions = late.map { Action.queryFailed($0, queries.timeout) }
    guard let deadline = mutations.deadline, deadline <= now else { return actions }
    // A missing answer usually means a dead connection; the mutation is sent again over the next
    // one.
    if let hopeless = mutations.takeHopeless() {
      actions.append(.refused(hopeless, MutationQueue.unanswered))
    }
    actions.append(.disconnect(id))
    return actions + retreat("the server did not answer a transaction in time", at: now)
  }

  /// Adds a `wake` action if the next timeout changed.
  private mutating func timed(_ actions: [Action]) -> [Action] {
    let next: Int64?
    switch phase {
    case .idle, .refused: next = nil
    case .connecting(_, let until), .opening(_, let until), .waiting(let until): next = until
    case .ready: next = [queries.deadline, mutations.deadline].compactMap(\.self).min()
    }
    guard let next, next != announcedWake else { return actions }
    announcedWake = next
    return actions + [.wake(at: next)]
  }
}

// MARK: Requests

extension ClientSession {
  /// Subscribes to a query until it is unsubscribed. Repeated calls have no effect.
  package mutating func subscribe(to query: Value, at now: Int64) -> [Action] {
    guard queries.insert(query) else { return [] }
    guard let connection = readyConnection else { return [] }
    if appStatus == .disabled { return [.queryFailed(query, Self.disabled)] }
    return timed([.send(queries.send(query, as: newID(), at: now), over: connection)])
  }

  package mutating func unsubscribe(from query: Value) -> [Action] {
    guard let wasSent = queries.remove(query), wasSent, let connection = readyConnection else {
      return []
    }
    return [.send(ClientEnvelope(.removeQuery(query), eventID: newID()), over: connection)]
  }

  /// Sends a mutation as soon as the session is ready, and again until the server answers.
  package mutating func transact(
    _ id: MutationID, _ transaction: Transaction, at now: Int64
  ) -> [Action] {
    if appStatus == .readOnly { return [.refused(id, Self.readOnly)] }
    guard mutations.insert(id, transaction) else { return [] }
    guard let connection = readyConnection else { return [] }
    return timed(mutations.send(id, at: now).map { [.send($0, over: connection)] } ?? [])
  }

  /// Whether a mutation was sent that the server has not answered.
  package func wasSent(_ id: MutationID) -> Bool { mutations.wasSent(id) }

  /// Cancels a mutation that was not sent; returns false if it may have been sent.
  package mutating func takeBack(_ id: MutationID) -> Bool { mutations.takeBack(id) }

  static let disabled = ServerError(
    type: "app-disabled", "This app is currently disabled.", hint: ["status": "disabled"])
  package static let readOnly = ServerError(
    type: "app-read-only",
    "The server is read-only. Its operator can allow changes with sonde serve --write",
    hint: ["status": "read-only"])
}

// MARK: Messages of the server

extension ClientSession {
  /// Receives a message; messages of previous connections are ignored.
  package mutating func received(
    _ envelope: ServerEnvelope, from id: ConnectionID, at now: Int64
  ) -> [Action] {
    guard connection == id else { return [] }
    switch envelope.message {
    case .started(let info): return timed(started(info, over: id, at: now))
    case .queryAdded(let query, let result, let processed):
      guard queries.answered(query, processed: processed) else { return timed([]) }
      return timed([.result(query, result, processed: processed ?? 0)])
    case .queryExists(let query):
      _ = queries.answered(query)
      return timed([])
    case .refreshed(let refresh):
      var actions: [Action] = refresh.attributes.map { [.attributes($0)] } ?? []
      for computation in refresh.computations
      where queries.answered(computation.query, processed: refresh.processed) {
        actions.append(
          .result(computation.query, computation.result, processed: refresh.processed ?? 0))
      }
      return timed(actions)
    case .transacted(let transactionID):
      let mutation = MutationID(envelope.eventID ?? "")
      guard mutations.remove(mutation) != nil else { return [] }
      return timed([.confirmed(mutation, transactionID: transactionID)])
    case .failed(let error): return timed(failed(error, eventID: envelope.eventID, id, at: now))
    case .appStatusChanged(let status): return timed(changed(status, id, at: now))
    case .queryRemoved, .roomJoined, .roomLeft, .presenceSet, .presence, .broadcastDone,
      .broadcast:
      return []
    case .other(let name): return [.note("Ignored the unknown message '\(name)' from the server.")]
    }
  }

  private mutating func started(
    _ info: SessionInfo, over id: ConnectionID, at now: Int64
  ) -> [Action] {
    guard case .opening = phase else { return [] }
    phase = .ready(id, since: now)
    offlineSince = nil
    appStatus = info.status
    var actions: [Action] = [
      .status(.live), .appStatus(info.status), .attributes(info.attributes),
    ]
    if info.status == .disabled {
      return actions + queries.all.map { .queryFailed($0, Self.disabled) }
    }
    for query in queries.all {
      actions.append(.send(queries.send(query, as: newID(), at: now), over: id))
    }
    for mutation in mutations.all {
      if let envelope = mutations.send(mutation, at: now) {
        actions.append(.send(envelope, over: id))
      }
    }
    return actions
  }

  private mutating func changed(
    _ status: AppStatus, _ id: ConnectionID, at now: Int64
  ) -> [Action] {
    let before = appStatus
    appStatus = status
    var actions: [Action] = [.appStatus(status)]
    if status == .disabled {
      actions += queries.all.map { .queryFailed($0, Self.disabled) }
    } else if before == .disabled {
      failures = 0
      actions += [.disconnect(id)] + retreat("the app is enabled again", at: now)
    }
    return actions
  }

  private mutating func failed(
    _ error: ServerError, eventID: String?, _ id: ConnectionID, at now: Int64
  ) -> [Action] {
    let mutation = MutationID(eventID ?? "")
    if let sends = mutations.remove(mutation) {
      // A server that does not recognize a repeated mutation complains that its entity exists,
      // which means success.
      if sends > 1, error.message.contains("Creating entities that exist") {
        return [.confirmed(mutation, transactionID: 0)]
      }
      return [.refused(mutation, error)]
    }
    if error.originalOperation == "init" { return refusedSession(error, id, at: now) }
    if let query = queries.query(of: eventID) ?? queryOfError(error) {
      queries.failed(query)
      return [.queryFailed(query, error)]
    }
    if case .opening = phase { return refusedSession(error, id, at: now) }
    return [.note(error.message)]
  }

  private func queryOfError(_ error: ServerError) -> Value? {
    guard error.originalOperation == "add-query", let query = error.originalQuery,
      queries.contains(query)
    else { return nil }
    return query
  }

  /// Retries after a failure of the server, but not after a rejection.
  private mutating func refusedSession(
    _ error: ServerError, _ id: ConnectionID, at now: Int64
  ) -> [Action] {
    let failure = DataSourceError(.network(status: error.status), error.message)
    if Self.reconnection.isWorthRetrying(failure) {
      return [.disconnect(id)] + retreat(error.message, at: now)
    }
    forgetConnection()
    phase = .refused(error)
    return [.status(.refused(error)), .disconnect(id)]
      + queries.all.map { .queryFailed($0, error) }
  }
}
