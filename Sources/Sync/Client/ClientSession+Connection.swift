import DataSources
import Triples

// Connecting, reconnecting and timeouts.
extension ClientSession {
  /// Connects to the server. Repeated calls have no effect unless the session was rejected.
  package mutating func start(at now: Int64) -> [Action] {
    switch phase {
    case .idle, .refused: return timed(connect(at: now))
    case .connecting, .opening, .ready, .waiting: return []
    }
  }

  /// Tries to connect now, instead of waiting until the next scheduled attempt.
  package mutating func retryNow(at now: Int64) -> [Action] {
    switch phase {
    case .waiting, .idle, .refused: return timed(connect(at: now))
    case .connecting, .opening, .ready: return []
    }
  }

  /// Ends the session. It keeps its queries and mutations, so that it can start again.
  package mutating func stop() -> [Action] {
    let connection = connection
    phase = .idle
    offlineSince = nil
    forgetConnection()
    return connection.map { [.disconnect($0)] } ?? []
  }

  /// Processes the notice that a connection is established.
  package mutating func opened(_ id: ConnectionID, at now: Int64) -> [Action] {
    guard case .connecting(id, _) = phase else { return [.disconnect(id)] }
    phase = .opening(id, until: now + timeouts.opening)
    return timed([.send(ClientEnvelope(.start(opening), eventID: newID()), over: id)])
  }

  /// Processes the notice that a connection is closed, or could not be established.
  package mutating func closed(_ id: ConnectionID, reason: String, at now: Int64) -> [Action] {
    guard connection == id else { return [] }
    return timed(retreat(reason, at: now))
  }

  /// Gives up a connection over which a message arrived that cannot be parsed.
  package mutating func faulted(
    _ id: ConnectionID, _ fault: MessageFault, at now: Int64
  ) -> [Action] {
    guard connection == id else { return [] }
    return timed([.disconnect(id)] + retreat(fault.description, at: now))
  }

  /// Handles the timeouts that have expired, for example by reconnecting. If no timeout has
  /// expired, the call has no effect.
  package mutating func wake(at now: Int64) -> [Action] {
    announcedWake = nil
    switch phase {
    case .waiting(let until) where until <= now: return timed(connect(at: now))
    case .connecting(let id, let until) where until <= now:
      return timed(
        [.disconnect(id)] + retreat("the connection timed out", at: now))
    case .opening(let id, let until) where until <= now:
      return timed(
        [.disconnect(id)] + retreat("the server did not accept the connection in time", at: now))
    case .ready(let id, _): return timed(overdue(id, at: now))
    case .idle, .refused, .waiting, .connecting, .opening: return timed([])
    }
  }

  var connection: ConnectionID? {
    switch phase {
    case .connecting(let id, _), .opening(let id, _), .ready(let id, _): id
    case .idle, .waiting, .refused: nil
    }
  }

  var readyConnection: ConnectionID? {
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

  /// Drops the current connection and schedules the next attempt to connect.
  mutating func retreat(_ cause: String, at now: Int64) -> [Action] {
    let reason = cause.withoutFullStop
    if case .ready(_, let since) = phase, now - since >= Self.minSessionDuration { failures = 0 }
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

  mutating func forgetConnection() {
    remark = nil
    queries.forgetSent()
    mutations.forgetSent()
  }

  private mutating func overdue(_ id: ConnectionID, at now: Int64) -> [Action] {
    let overdue = queries.removeOverdue(at: now)
    let timeout = queries.timeout(remark)
    var actions = overdue.map { Action.queryFailed($0, timeout) }
    guard let deadline = mutations.deadline, deadline <= now else { return actions }
    // A missing answer usually means that the connection is dead. The mutation is sent again over
    // the next connection.
    if let hopeless = mutations.recordTimeout() {
      actions.append(.refused(hopeless, MutationQueue.unanswered))
    }
    actions.append(.disconnect(id))
    let words = remark.map { ": \($0)" } ?? ""
    return actions + retreat("the server did not confirm a change in time\(words)", at: now)
  }

  /// Returns `actions`, followed by a `wake` action if the time of the next timeout has changed.
  mutating func timed(_ actions: [Action]) -> [Action] {
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
