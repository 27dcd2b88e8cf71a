import InstaQL
import LiveQueries
import Triples

/// Subscriptions of clients.
extension SyncServer {
  func subscribe(to key: SubscriptionKey, _ waiter: ServedQuery.Waiter) {
    guard let entry = served[key] else { return begin(key, waiter) }
    served[key]?.waiting.append(waiter)
    if entry.newest == nil { sweep() } else { deliver(key, to: waiter.session) }
  }

  /// Handles a repeated subscription. The client expects the answer before the confirmation.
  func subscribeAgain(to key: SubscriptionKey, _ waiter: ServedQuery.Waiter) {
    if served[key]?.note(again: waiter) == true { return }
    send(ServerEnvelope(.queryExists(key.query), eventID: waiter.eventID), to: waiter.session)
  }

  private func begin(_ key: SubscriptionKey, _ waiter: ServedQuery.Waiter) {
    let document: QueryDocument
    do throws(ServerError) {
      guard served.count < limits.queries else {
        throw .tooManyQueries(limit: limits.queries, waiter.original)
      }
      document = try Self.document(key.query, original: waiter.original)
    } catch { return drop(waiter, key, error) }
    let number = makeNumber()
    var entry = ServedQuery(number: number)
    entry.waiting = [waiter]
    served[key] = entry
    sweep()
    Task { await watch(document, for: key, number) }
  }

  private func watch(_ document: QueryDocument, for key: SubscriptionKey, _ number: Int) async {
    let reach: AnswerReach =
      switch key.form {
      case .joinRows: .answer
      case .tree, .inferredTree: .ownLinks
      }
    let results = NewestResult { [weak self] result in
      await self?.receive(result, for: key, number)
    }
    let subscription = await manager.subscribe(
      to: document, reach: reach, receive: { results.put($0) })
    // All subscribers may have left in the meantime.
    guard served[key]?.number == number else { return await manager.unsubscribe(subscription) }
    served[key]?.subscription = subscription
    served[key]?.results = results
  }

  private func receive(_ result: LiveResult, for key: SubscriptionKey, _ number: Int) async {
    switch result {
    case .loading: return
    case .loaded(let answer):
      guard answer.snapshot.isSettled, note(answer, for: key, number) else { return }
      await writeAndPublish(answer, for: key, number)
    case .failed(let failure): publish(failure, for: key, number)
    }
  }

  /// Parses a client's query: invalid options are rejected as by Instant's client, other errors as
  /// by its server.
  ///
  /// Unknown names match nothing.
  static func document(
    _ query: Value, original: Value?
  ) throws(ServerError) -> QueryDocument {
    do throws(QueryError) { try QueryValidator().validate(query) } catch {
      throw .refusedQuery(error, query, original)
    }
    do throws(QueryForm.Fault) { try QueryForm.check(query) } catch {
      throw .refusedQuery(error, query, original)
    }
    do throws(QueryError) {
      return try QueryDocument(instaQL: query, reading: .served)
    } catch { throw .refusedQuery(error, query, original) }
  }

  func unsubscribe(_ session: String, from key: SubscriptionKey) {
    served[key]?.listeners[session] = nil
    clients[session]?.due[.query(key)] = nil
    served[key]?.waiting.removeAll { $0.session == session }
    _ = served[key]?.takeRepeats(of: session)
    guard let entry = served[key], entry.isUnused else { return }
    end(entry, of: key)
  }

  // MARK: Answers

  /// Writes an answer outside of the actor, so that other clients do not wait.
  @concurrent
  private static func write(
    _ answer: LiveAnswer, for key: SubscriptionKey, maxBytes: Int
  ) async -> Result<DigestedResult, QueryError> {
    await EvaluationPool.shared.run(for: key.hashValue) {
      Result { () throws(QueryError) in
        DigestedResult(try WrittenResult(answer.answers, as: key.form, maxBytes: maxBytes))
      }
    }
  }

  /// Writes and sends an answer; a large one waits for its turn and is replaced by the newest one.
  private func writeAndPublish(_ answer: LiveAnswer, for key: SubscriptionKey, _ number: Int) async
  {
    if served[key]?.lastAnswer?.bytes ?? 0 <= LargeAnswers.minBytes {
      let written = await Self.write(answer, for: key, maxBytes: LargeAnswers.minBytes)
      guard case .failure(let error) = written, error == QueryEngine.tooLarge else {
        return publish(written, of: answer, for: key, number)
      }
    }
    await LargeAnswers.shared.waitForTurn()
    defer { LargeAnswers.shared.endTurn() }
    guard served[key]?.number == number else { return }
    served[key]?.isWriting = false
    guard let entry = served[key], let newest = entry.newest else { return }
    guard isWanted(entry, bytes: LargeAnswers.minBytes) else {
      served[key]?.isUnwritten = true
      return markAllDue(key, entry)
    }
    beginWriting(key)
    let written = await Self.write(newest, for: key, maxBytes: WrittenResult.maxBytes)
    publish(written, of: newest, for: key, number)
  }

  /// Records a new answer.
  ///
  /// - Returns: Whether to write it now, since some reader has room for it.
  private func note(_ answer: LiveAnswer, for key: SubscriptionKey, _ number: Int) -> Bool {
    guard served[key]?.number == number else { return false }
    note(schemaOf: answer.snapshot)
    // A client without room even for the schema is closed, and perhaps the query with it.
    guard let entry = served[key], entry.number == number else { return false }
    noteTime(answer.elapsed, of: key.query)
    served[key]?.newest = answer
    served[key]?.isUnwritten = true
    if entry.isWriting { return false }
    guard isWanted(entry) else {
      markAllDue(key, entry)
      return false
    }
    beginWriting(key)
    return true
  }

  /// Whether some reader has room for the answer.
  ///
  /// - Parameter bytes: The minimum size of the answer.
  private func isWanted(_ entry: ServedQuery, bytes: Int = 0) -> Bool {
    let bytes = max(bytes, entry.lastAnswer?.bytes ?? 0)
    return entry.waiting.contains { hasRoom(for: bytes, $0.session) }
      || entry.listeners.keys.contains { hasRoom(for: bytes, $0) }
  }

  private func markAllDue(_ key: SubscriptionKey, _ entry: ServedQuery) {
    for waiter in entry.waiting { markDue(.query(key), for: waiter.session) }
    for session in entry.listeners.keys { markDue(.query(key), for: session) }
  }

  private func beginWriting(_ key: SubscriptionKey) {
    served[key]?.isWriting = true
    served[key]?.isUnwritten = false
  }

  /// Writes the newest answer for a reader with room.
  ///
  /// - Returns: Whether it is being written.
  func write(_ key: SubscriptionKey) -> Bool {
    guard let entry = served[key], let answer = entry.newest else { return false }
    if entry.isWriting { return true }
    beginWriting(key)
    Task { await writeAndPublish(answer, for: key, entry.number) }
    return true
  }

  private func publish(
    _ result: Result<DigestedResult, QueryError>, of answer: LiveAnswer, for key: SubscriptionKey,
    _ number: Int
  ) {
    guard served[key]?.number == number else { return }
    served[key]?.isWriting = false
    // It failed in the meantime.
    guard served[key]?.newest != nil else { return }
    switch result {
    case .failure(let error):
      return publish(LiveFailure(message: error.message, hint: error.hint), for: key, number)
    case .success(let digested):
      served[key]?.note(digested, of: answer)
      tellListeners(of: key, digested)
      answerWaiting(key, digested.written)
    }
    // A newer answer may have arrived while this one was written.
    guard let entry = served[key], entry.number == number, entry.isUnwritten else { return }
    if isWanted(entry) { _ = write(key) } else { markAllDue(key, entry) }
  }

  /// Sends an answer to all readers with room; the others receive the newest one later.
  private func tellListeners(of key: SubscriptionKey, _ digested: DigestedResult) {
    guard let entry = served[key], let lastAnswer = entry.lastAnswer, !entry.listeners.isEmpty
    else { return }
    let text = RefreshText(
      Refresh(
        processed: publicID(of: lastAnswer.processed),
        computations: [.init(key.query, .written(digested.written))]))
    for (id, last) in entry.listeners where last != lastAnswer.digest {
      guard hasRoom(for: lastAnswer.bytes, id) else {
        markDue(.query(key), for: id)
        continue
      }
      served[key]?.listeners[id] = lastAnswer.digest
      sendAnswer(key, text.text(clients[id]?.session.wantsAttributes, attributes), to: id)
    }
  }

  /// The oldest transaction among a session's answers; nil if it has none.
  func oldestAnswer(of session: String) -> Int? {
    clients[session]?.session.subscriptions.compactMap { key in
      served[key].flatMap { $0.listeners.keys.contains(session) ? $0.lastAnswer?.processed : nil }
    }.min()
  }

  /// Sends a session the current answers to its queries again.
  func refresh(_ session: String) {
    for key in clients[session]?.session.subscriptions ?? [] {
      guard served[key]?.listeners.keys.contains(session) == true else { continue }
      served[key]?.listeners.updateValue(nil, forKey: session)
      deliver(key, to: session)
    }
  }

  private func answerWaiting(_ key: SubscriptionKey, _ written: WrittenResult) {
    guard let entry = served[key], let lastAnswer = entry.lastAnswer else { return }
    for waiter in entry.waiting {
      guard hasRoom(for: lastAnswer.bytes, waiter.session) else {
        markDue(.query(key), for: waiter.session)
        continue
      }
      answer(waiter, key, written, lastAnswer)
    }
  }

  private func answer(
    _ waiter: ServedQuery.Waiter, _ key: SubscriptionKey, _ written: WrittenResult,
    _ lastAnswer: ServedQuery.LastAnswer
  ) {
    served[key]?.waiting.removeAll { $0.session == waiter.session }
    served[key]?.listeners[waiter.session] = lastAnswer.digest
    let envelope = ServerEnvelope(
      .queryAdded(key.query, .written(written), processed: publicID(of: lastAnswer.processed)),
      eventID: waiter.eventID)
    sendAnswer(key, MessageCoding.text(envelope), to: waiter.session)
    for again in served[key]?.takeRepeats(of: waiter.session) ?? [] {
      subscribeAgain(to: key, again)
    }
  }

  /// Sends an answer, after the attributes that it may need.
  private func sendAnswer(_ key: SubscriptionKey, _ text: String, to id: String) {
    clients[id]?.due[.query(key)] = nil
    if clients[id]?.due.removeValue(forKey: .attributes) != nil { sendAttributes(to: id) }
    offer(text, to: id)
  }

  /// Sends a client the newest answer to a query once it is written and there is room.
  ///
  /// - Returns: Whether an answer has to be written first.
  @discardableResult
  func deliver(_ key: SubscriptionKey, to id: String) -> Bool {
    guard let entry = served[key], entry.newest != nil else {
      clients[id]?.due[.query(key)] = nil
      return false
    }
    let waiter = entry.waiting.first { $0.session == id }
    if waiter == nil, !entry.isUnwritten, entry.listeners[id] == entry.lastAnswer?.digest {
      clients[id]?.due[.query(key)] = nil
      return false
    }
    guard hasRoom(for: entry.lastAnswer?.bytes ?? 0, id) else {
      markDue(.query(key), for: id)
      return false
    }
    guard let lastAnswer = entry.lastAnswer, let written = entry.keptText else { return write(key) }
    if let waiter {
      answer(waiter, key, written, lastAnswer)
    } else {
      served[key]?.listeners[id] = lastAnswer.digest
      let refresh = Refresh(
        processed: publicID(of: lastAnswer.processed),
        computations: [.init(key.query, .written(written))])
      sendAnswer(
        key, RefreshText(refresh).text(clients[id]?.session.wantsAttributes, attributes), to: id)
    }
    return false
  }

  private func publish(_ failure: LiveFailure, for key: SubscriptionKey, _ number: Int) {
    guard let entry = served[key], entry.number == number else { return }
    served[key]?.waiting = []
    served[key]?.forgetAnswers()
    let error = ServerError.refusedQuery(
      failure.message, hint: failure.hint, key.query, ["op": "add-query", "q": key.query])
    // Answered clients stay subscribed, as the next evaluation may succeed.
    for id in entry.listeners.keys {
      clients[id]?.due[.query(key)] = nil
      send(ServerEnvelope(.failed(error)), to: id)
    }
    for waiter in entry.waiting {
      var own = error
      own.original = waiter.original
      drop(waiter, key, own)
    }
    guard let left = served[key], left.number == number, left.isUnused else { return }
    end(left, of: key)
  }

  /// Drops clients whose first answer is late.
  ///
  /// - Returns: Whether any clients still wait.
  func dropLate(at now: Int64) -> Bool {
    var isNeeded = false
    // An answer that waits for its reader is not late.
    for (key, entry) in served where !entry.waiting.isEmpty && entry.newest == nil {
      let late = entry.waiting.filter { now - $0.since >= limits.answerTime }
      isNeeded = isNeeded || late.count < entry.waiting.count
      if late.isEmpty { continue }
      served[key]?.waiting.removeAll { now - $0.since >= limits.answerTime }
      for waiter in late { drop(waiter, key, .late(limits.answerTime, waiter.original)) }
      guard let left = served[key], left.number == entry.number, left.isUnused else { continue }
      end(left, of: key)
    }
    return isNeeded
  }

  private func end(_ entry: ServedQuery, of key: SubscriptionKey) {
    served[key] = nil
    if served.isEmpty { served = [:] }
    entry.results?.cancel()
    if entry.lastAnswer?.bytes ?? 0 > LargeAnswers.minBytes { FreedMemory.giveBackSoon() }
    guard let subscription = entry.subscription else { return }
    Task { await manager.unsubscribe(subscription) }
  }

  /// Drops a query whose first evaluation failed, so that the client may send it again.
  private func drop(_ waiter: ServedQuery.Waiter, _ key: SubscriptionKey, _ error: ServerError) {
    clients[waiter.session]?.session.dropped(key.query)
    send(ServerEnvelope(.failed(error), eventID: waiter.eventID), to: waiter.session)
    for again in served[key]?.takeRepeats(of: waiter.session) ?? [] {
      var own = error
      own.original = again.original
      send(ServerEnvelope(.failed(own), eventID: again.eventID), to: again.session)
    }
  }
}

extension StoreSnapshot {
  /// Whether no upstream server may soon have a newer answer.
  fileprivate var isSettled: Bool {
    if isUnanswered { return false }
    return switch freshness {
    case .live, .stale, .optimistic, .offline: true
    case .archived, .connecting: served == nil
    }
  }
}

/// A refresh as text, written once for all its readers.
private final class RefreshText {
  private var refresh: Refresh
  private lazy var plain = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
  private var withAttributes: String?

  init(_ refresh: Refresh) {
    self.refresh = refresh
  }

  /// The text of the refresh.
  ///
  /// - Parameter wantsAttributes: Whether its reader needs the attributes in each refresh.
  func text(_ wantsAttributes: Bool?, _ attributes: [Attribute]) -> String {
    guard wantsAttributes == true else { return plain }
    if let withAttributes { return withAttributes }
    refresh.attributes = attributes
    let text = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
    withAttributes = text
    return text
  }
}
