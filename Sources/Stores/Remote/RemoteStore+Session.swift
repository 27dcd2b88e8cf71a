import DataSources
import InstaQL
import LiveQueries
import Sync
import Triples

// Performs the session's actions, and passes events to the session.
extension RemoteStore {
  func opened(_ id: ConnectionID) {
    guard connections[id] != nil else { return }
    perform(session.opened(id, at: stopwatch.milliseconds))
  }

  func received(_ messages: Result<[ServerEnvelope], MessageFault>, from id: ConnectionID) {
    switch messages {
    case .success(let messages):
      var actions: [ClientSession.Action] = []
      for message in messages {
        actions += session.received(message, from: id, at: stopwatch.milliseconds)
      }
      perform(actions)
    case .failure(let fault): perform(session.faulted(id, fault, at: stopwatch.milliseconds))
    }
  }

  func closed(_ id: ConnectionID, reason: String) {
    connections[id] = nil
    perform(session.closed(id, reason: reason, at: stopwatch.milliseconds))
  }

  private func wake() {
    perform(session.wake(at: stopwatch.milliseconds))
  }

  func perform(_ actions: [ClientSession.Action]) {
    guard !actions.isEmpty else { return }
    for action in actions { perform(action) }
    showAll()
  }

  private func perform(_ action: ClientSession.Action) {
    switch action {
    case .connect(let id):
      connections[id] = RemoteConnection(id, of: self, by: connector)
    case .disconnect(let id): connections.removeValue(forKey: id)?.cancel()
    case .send(let envelope, let id):
      markAsked(envelope)
      connections[id]?.send(MessageCoding.text(adopted(envelope)))
    case .wake(let moment): setAlarm(moment)
    case .status(let status): applyStatus(status)
    case .attributes(let attributes): applySchema(Schema(attributes))
    case .appStatus(let status): appStatus = status
    case .result(let query, let result, let processed):
      applyResult(result, to: query, processed: processed)
    case .queryFailed(let query, let error): fail(query, error)
    case .confirmed(let id, let transactionID): confirm(id, as: transactionID)
    case .refused(let id, let error): refuse(id, error)
    case .note(let text): log(text)
    }
  }

  private func markAsked(_ envelope: ClientEnvelope) {
    guard case .addQuery(let query, _) = envelope.message, let subject = subjects[query] else {
      return
    }
    documents[subject]?.wasAsked = true
  }

  /// Returns a message with the current version of its mutation.
  ///
  /// The version changes if the server has created attributes of the mutation under other ids.
  private func adopted(_ envelope: ClientEnvelope) -> ClientEnvelope {
    guard case .transact = envelope.message, let id = envelope.eventID,
      let mutation = pending[MutationID(id)]
    else { return envelope }
    return ClientEnvelope(.transact(mutation.sentTransaction), eventID: id)
  }

  private func setAlarm(_ moment: Int64) {
    alarm?.cancel()
    let wait = Duration.milliseconds(max(0, moment - stopwatch.milliseconds))
    alarm = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      await self?.wake()
    }
  }

  // MARK: Status

  private func applyStatus(_ status: ConnectionStatus) {
    let status = timeOfDay(status)
    self.status = status
    switch status {
    case .live:
      sendLeftovers()
      if life > 0 { revival.ring() }
    case .connecting: break
    case .offline(let since, _, _):
      endLife()
      for subject in documents.keys { documents[subject]?.loseConnection(at: since) }
      isSchemaCurrent = false
      releaseWriters()
    case .refused(let error):
      endLife()
      let moment = now()
      for subject in documents.keys { documents[subject]?.loseConnection(at: moment) }
      isSchemaCurrent = false
      refuseWriters(error)
    }
  }

  /// Converts the times of a status from the monotonic clock to the time of day.
  ///
  /// The displayed start of an outage stays the same even if the system's clock is set.
  private func timeOfDay(_ status: ConnectionStatus) -> ConnectionStatus {
    guard case .offline(var since, let nextTry, let reason) = status else { return status }
    let difference = now() - stopwatch.milliseconds
    if case .offline(let before, _, _) = self.status { since = before } else { since += difference }
    return .offline(since: since, nextTry: nextTry.map { $0 + difference }, reason: reason)
  }

  /// Resets the data that belongs to the lost connection.
  private func endLife() {
    life += 1
    newestTransaction = nil
    pending.beginConnection()
  }

  private func freshness(of document: RemoteSubscription) -> StoreSnapshot.Freshness {
    switch status {
    case .live:
      if let fault = document.fault { return .stale(reason: fault) }
      guard document.isCurrent else {
        return document.answeredAt.map { .archived(since: $0) } ?? .connecting
      }
      return pending.changes.count > 0 ? .optimistic : .live
    case .connecting: return document.answeredAt.map { .archived(since: $0) } ?? .connecting
    case .offline(let since, let nextTry, let reason):
      return .offline(
        since: document.answeredAt ?? since, nextTry: nextTry, reason: reason)
    case .refused(let error): return .stale(reason: error.sentence(session.opening))
    }
  }

  // MARK: Publishing

  func showAll() {
    for subject in documents.keys { show(subject) }
  }

  /// Publishes the snapshot of a watched query, or of the schema, if it changed.
  ///
  /// While there is no data and the server may still answer, nothing is published, so that watchers
  /// show the query as loading.
  func show(_ subject: RemoteSubject) {
    guard let document = documents[subject], !document.isOpening else { return }
    let pending = shownPending(of: subject, document.answered)
    var shouldShow = document.isAnswered || !self.pending.isEmpty
    switch status {
    case .offline, .refused: shouldShow = true
    case .connecting, .live: break
    }
    let freshness = freshness(of: document)
    let changes = pendingChanges
    let transaction = transaction(of: subject, document)
    let refusal = appStatus == .readOnly ? ClientSession.readOnly.message : nil
    change(subject) { document in
      document.applyPending(pending)
      if shouldShow { document.show(freshness, changes, transaction, readOnlyReason: refusal) }
    }
  }

  /// Returns the newest server transaction in the snapshot of a query.
  ///
  /// For the schema, returns the newest transaction reported over the connection.
  private func transaction(of subject: RemoteSubject, _ document: RemoteSubscription) -> Int? {
    switch subject {
    case .schema: newestTransaction
    case .query: document.processed
    }
  }

  /// Changes a subscription. All subscriptions number their states with one counter.
  ///
  /// This lets a server that relays this store determine which states contain a local change.
  func change(_ subject: RemoteSubject, _ change: (inout RemoteSubscription) -> Void) {
    // The subscription is removed from the dictionary to avoid a copy.
    guard var document = documents.removeValue(forKey: subject) else { return }
    document.minNumber = lastState
    change(&document)
    lastState = max(lastState, document.overlay.shown.transactionID)
    documents[subject] = document
  }

  /// Returns the pending mutations that an answer does not contain; for the schema, only their
  /// attributes.
  private func shownPending(of subject: RemoteSubject, _ answer: AnswerMoment?) -> [PendingMutation]
  {
    switch subject {
    case .query: pending.missing(from: answer ?? AnswerMoment())
    case .schema: pending.mutations.compactMap(\.ofAttributesAlone)
    }
  }

  // MARK: Answers

  private func applySchema(_ schema: Schema) {
    isSchemaCurrent = true
    if self.schema != schema {
      self.schema = schema
      archive?.enqueue(.schema(schema))
    }
    if pending.adopt(schema) { archive?.enqueue(.save(pending.waiting)) }
    for subject in documents.keys { applySchema(schema, for: subject) }
  }

  func applySchema(_ schema: Schema, for subject: RemoteSubject) {
    let pending = shownPending(of: subject, documents[subject]?.answered)
    switch subject {
    case .schema:
      let (moment, isCurrent) = (now(), isSchemaCurrent)
      change(subject) {
        $0.applySchemaAsAnswer(schema, at: moment, isCurrent: isCurrent, pending: pending)
      }
    case .query: change(subject) { $0.applySchema(schema, pending: pending) }
    }
  }

  /// Drops each pending mutation that is contained in the answers to all watched queries.
  ///
  /// - Returns: Whether it dropped any mutation.
  @discardableResult
  func dropShown() -> Bool {
    let before = pending.mutations.map(\.id)
    let answers = documents.compactMap { subject, document -> AnswerMoment? in
      if case .query = subject { document.answered } else { nil }
    }
    pending.drop(shownBy: answers, at: stopwatch.milliseconds)
    let gone = before.filter { pending[$0] == nil }
    if !gone.isEmpty { archive?.enqueue(.forget(gone)) }
    return !gone.isEmpty
  }
}

extension PendingMutation {
  /// The mutation with only its attribute steps; nil if it has no such steps.
  fileprivate var ofAttributesAlone: PendingMutation? {
    let steps = transaction.steps.filter { $0.entity == nil }
    if steps.isEmpty { return nil }
    return PendingMutation(Transaction(steps), id: id, order: order, created: created, state: state)
  }
}

extension DataSourceError {
  /// Converts the error of a rejected or failed request; the message is the server's.
  ///
  /// - Parameter opening: The credentials of the client, to advise about a rejected token.
  init(_ error: ServerError, of opening: Opening, operation: DataOperation) {
    self.init(
      error.status >= 500 && error.type == nil
        ? .network(status: error.status) : .refused(type: error.type ?? "\(error.status)"),
      error.sentence(opening), operation: operation, hint: error.hint.map { JSONWriter.text($0) })
  }
}

extension ServerError {
  /// Returns the server's message, with advice if a token is required.
  fileprivate func sentence(_ opening: Opening) -> String {
    guard case .object(let hint)? = hint,
      ["app-admin-token", "app-user"].contains(hint["record-type"]?.textValue)
    else { return message }
    return opening.rejection ?? AccessAdvice.tokenNeeded
  }
}
