import DataSources
import Triples

// Processing messages of the server.
extension ClientSession {
  /// Processes a message. Messages of previous connections are ignored.
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
    case .other(let name):
      return [.note("The server sent a message of the unknown kind '\(name)'. It was ignored.")]
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
      actions += [.disconnect(id)] + retreat("the server enabled the app again", at: now)
    }
    return actions
  }

  private mutating func failed(
    _ error: ServerError, eventID: String?, _ id: ConnectionID, at now: Int64
  ) -> [Action] {
    let mutation = MutationID(eventID ?? "")
    if let sends = mutations.remove(mutation) {
      // If a server does not recognize a repeated mutation, it reports that the entity to create
      // already exists. So the mutation has succeeded.
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
    remark = error.message
    return [.note(error.message)]
  }

  private func queryOfError(_ error: ServerError) -> Value? {
    guard error.originalOperation == "add-query", let query = error.originalQuery,
      queries.contains(query)
    else { return nil }
    return query
  }

  /// Processes the server's error for the `init` message. If the server failed, the client
  /// reconnects; if the server rejected the session, it does not.
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
