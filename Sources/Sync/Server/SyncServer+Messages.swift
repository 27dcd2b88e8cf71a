import DataSources
import LiveQueries
import Triples

// Processes the messages of clients.
extension SyncServer {
  /// Parses a text, and performs its actions up to the first one that would have to wait.
  ///
  /// - Returns: Whether all actions were performed.
  func process(_ text: String, from id: String) -> Bool {
    guard text.utf8.count <= Self.longText else { return false }
    enter(Self.messages(in: text, limits), from: id)
    return performReady(for: id)
  }

  /// Performs the remaining actions, waiting where necessary.
  func processSlowly(_ text: String, from id: String) async {
    if text.utf8.count > Self.longText { enter(await Self.read(text, limits), from: id) }
    while !performReady(for: id) {
      guard let action = clients[id]?.actions.popFirst() else { return }
      await performSlowly(action, for: id)
    }
  }

  /// The size in bytes above which a text is parsed outside the actor.
  private static let longText = 32 << 10

  @concurrent
  private static func read(
    _ text: String, _ limits: ServerLimits
  ) async -> Result<[ReceivedMessage], ServerError> {
    messages(in: text, limits)
  }

  /// Parses the messages in a text. Fails if there are too many.
  private static func messages(
    in text: String, _ limits: ServerLimits
  ) -> Result<[ReceivedMessage], ServerError> {
    Result { () throws(ServerError) in
      try MessageCoding.clientMessages(
        in: text, maxBytes: limits.textBytes, maxMessages: limits.messageBurst)
    }
  }

  private func enter(_ received: Result<[ReceivedMessage], ServerError>, from id: String) {
    let now = stopwatch.milliseconds
    switch received {
    case .failure(let error):
      let actions = clients[id]?.session.faulted(error, at: now) ?? []
      clients[id]?.actions += actions
    case .success(let messages):
      if let client = clients[id], !client.session.isOpen, access.token != nil,
        let wait = attempts.wait(for: client.address)
      {
        clients[id]?.actions += [
          .send(ServerEnvelope(.failed(.tooManyAttempts(wait)))),
          .end(reason: "too many wrong tokens"),
        ]
        return
      }
      for message in messages {
        let actions = clients[id]?.session.received(message, at: now) ?? []
        clients[id]?.actions += actions
        // The session ends, so the messages after this one are ignored.
        if case .end? = actions.last { return }
      }
    }
  }

  /// Performs actions in order, up to the first one that has to wait.
  ///
  /// - Returns: Whether all actions were performed.
  private func performReady(for id: String) -> Bool {
    while let action = clients[id]?.actions.first {
      guard perform(action, for: id) else { return false }
      clients[id]?.actions.removeFirst()
    }
    return true
  }

  /// Performs an action.
  ///
  /// - Returns: False, without any effect, if the action has to wait.
  private func perform(_ action: ServerSession.Action, for id: String) -> Bool {
    switch action {
    case .transact, .refuseToken: return false
    case .open(let appID, let isAdmin, let eventID):
      guard let schema else { return false }
      open(id, appID: appID, isAdmin: isAdmin, eventID, schema)
    case .send(let envelope): send(envelope, to: id)
    case .subscribe(let key, let eventID, let original):
      subscribe(
        to: key,
        ServedQuery.Waiter(
          session: id, eventID: eventID, original: original, since: stopwatch.milliseconds))
    case .subscribeAgain(let key, let eventID, let original):
      subscribeAgain(
        to: key,
        ServedQuery.Waiter(
          session: id, eventID: eventID, original: original, since: stopwatch.milliseconds))
    case .unsubscribe(let key): unsubscribe(id, from: key)
    case .enter(let room, let data, let eventID):
      show(data, of: id, in: room, answering: .roomJoined(room), eventID)
    case .leave(let room, let eventID):
      rooms.leave(room, session: id)
      send(ServerEnvelope(.roomLeft(room), eventID: eventID), to: id)
      sendPresence(in: room)
    case .setPresence(let room, let data, let eventID):
      show(data, of: id, in: room, answering: .presenceSet(room), eventID)
    case .broadcast(let broadcast, let eventID): deliverBroadcast(broadcast, from: id, eventID)
    case .end: leave(id)
    }
    return true
  }

  private func performSlowly(_ action: ServerSession.Action, for id: String) async {
    switch action {
    case .transact(let transaction, let eventID, let original):
      await confirm(transaction, of: id, eventID: eventID, original: original)
    case .open(_, _, let eventID):
      let original: Value = ["op": "init"]
      let failure: ServerError
      switch await ask({ store throws(DataSourceError) in try await store.get(SchemaQuery()) })
      {
      case .success(let snapshot)?:
        updateSchema(from: snapshot)
        _ = perform(action, for: id)
        return
      case .failure(let error)?: failure = ServerError(error, original: original)
      case nil: failure = .timedOut(limits.answerTime, original)
      }
      send(ServerEnvelope(.failed(failure), eventID: eventID), to: id)
    case .refuseToken(let envelope, let isMissing):
      let address = clients[id]?.address
      // If the task is canceled, the error is just sent earlier.
      let delay = recordWrongToken(from: address, isMissing: isMissing)
      try? await clock.sleep(for: .milliseconds(delay))
      attempts.finished(from: address)
      send(envelope, to: id)
    case .send, .subscribe, .subscribeAgain, .unsubscribe, .enter, .leave, .setPresence, .broadcast,
      .end:
      _ = perform(action, for: id)
    }
  }

  /// Executes a transaction and confirms it.
  ///
  /// If the confirmation was lost, the client sends the change again. The client shows the change
  /// on top of its answers, until an answer includes the confirmed transaction. But the server does
  /// not send unchanged answers again, so that might never happen. Therefore, a repeated change is
  /// confirmed with a transaction number that the client's answers already include, and these
  /// answers are sent again.
  private func confirm(
    _ transaction: Transaction, of id: String, eventID: String?, original: Value
  ) async {
    let start = ContinuousClock.now
    let newestBefore = newestTransaction
    let query = TransactionQuery(
      transaction, id: MutationID(event: eventID), author: clients[id]?.address)
    var answer: ServerMessage
    var isRepeated = false
    switch await ask({ store throws(DataSourceError) in try await store.put(nil, in: query) }) {
    case .success(let snapshot)?:
      let number = snapshot.transactionID
      isRepeated = number <= newestBefore
      newestTransaction = max(newestTransaction, number)
      let reached = isRepeated ? min(number, oldestAnswer(of: id) ?? number) : number
      answer = .transacted(transactionID: publicID(of: reached))
      recordTransaction(
        publicID(of: number), steps: transaction.steps.count, since: start,
        from: clients[id]?.address)
    case .failure(let error)?: answer = .failed(ServerError(error, original: original))
    case nil: answer = .failed(.timedOut(limits.answerTime, original))
    }
    send(ServerEnvelope(answer, eventID: eventID), to: id)
    if isRepeated { refresh(id) }
  }
}
