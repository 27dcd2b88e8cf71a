import InstaQL
import LiveQueries
import Triples

// Encodes answers, and sends them to their readers.
extension SyncServer {
  /// Encodes an answer as JSON, outside the actor, so that other clients do not wait.
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

  /// Encodes an answer and sends it to its subscribers.
  ///
  /// A large answer waits for its turn. If a newer answer has arrived by then, that one is encoded
  /// instead.
  func writeAndPublish(_ answer: LiveAnswer, for key: SubscriptionKey, _ number: Int) async {
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

  /// Records a new answer to a query.
  ///
  /// - Returns: Whether to encode the answer now, because the queue of at least one reader has room
  ///   for it.
  func recordAnswer(_ answer: LiveAnswer, for key: SubscriptionKey, _ number: Int) -> Bool {
    guard served[key]?.number == number else { return false }
    updateSchema(from: answer.snapshot)
    // A client without room for the schema was removed, and the query may have ended with that
    // client.
    guard let entry = served[key], entry.number == number else { return false }
    recordTime(answer.elapsed, of: key.query)
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

  /// Returns whether the output queue of at least one reader has room for the answer.
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

  /// Starts to encode the newest answer, if the queue of at least one reader has room for it.
  ///
  /// - Returns: Whether the answer is being encoded.
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
    // The query failed while the answer was being encoded.
    guard served[key]?.newest != nil else { return }
    switch result {
    case .failure(let error):
      return publish(LiveFailure(error), for: key, number)
    case .success(let digested):
      served[key]?.recordAnswer(digested, of: answer)
      notifyListeners(of: key, digested)
      answerWaiting(key, digested.written)
    }
    // A newer answer may have arrived while this one was being encoded.
    guard let entry = served[key], entry.number == number, entry.isUnwritten else { return }
    if isWanted(entry) { _ = write(key) } else { markAllDue(key, entry) }
  }

  /// Sends an answer to all readers whose queues have room. The other readers get the newest answer
  /// later.
  private func notifyListeners(of key: SubscriptionKey, _ digested: DigestedResult) {
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

  /// Returns the newest transaction that all of a session's answers include; nil if the session has
  /// no answers.
  func oldestAnswer(of session: String) -> Int? {
    clients[session]?.session.subscriptions.compactMap { key in
      served[key].flatMap { $0.listeners.keys.contains(session) ? $0.lastAnswer?.processed : nil }
    }.min()
  }

  /// Sends the current answers to a session's queries again.
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
    for again in served[key]?.removeRepeats(of: waiter.session) ?? [] {
      subscribeAgain(to: key, again)
    }
  }

  /// Sends an answer to a client, after the attributes that the client may need for it.
  private func sendAnswer(_ key: SubscriptionKey, _ text: String, to id: String) {
    clients[id]?.due[.query(key)] = nil
    if clients[id]?.due.removeValue(forKey: .attributes) != nil { sendAttributes(to: id) }
    offer(text, to: id)
  }

  /// Sends the newest answer to a client, if the answer is encoded and the client's queue has room.
  ///
  /// - Returns: Whether the answer must be encoded first.
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

  func publish(_ failure: LiveFailure, for key: SubscriptionKey, _ number: Int) {
    guard let entry = served[key], entry.number == number else { return }
    served[key]?.waiting = []
    served[key]?.forgetAnswers()
    let error = ServerError.refusedQuery(
      failure.message, hint: failure.hint, key.query, ["op": "add-query", "q": key.query])
    // A client that received an answer stays subscribed, because the next evaluation may succeed.
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
}

/// The text of a refresh message. It is encoded only once for all of its readers.
private final class RefreshText {
  private var refresh: Refresh
  private lazy var plain = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
  private var withAttributes: String?

  init(_ refresh: Refresh) {
    self.refresh = refresh
  }

  /// Returns the text of the refresh.
  ///
  /// - Parameter wantsAttributes: Whether the reader needs the attributes in each refresh.
  func text(_ wantsAttributes: Bool?, _ attributes: [Attribute]) -> String {
    guard wantsAttributes == true else { return plain }
    if let withAttributes { return withAttributes }
    refresh.attributes = attributes
    let text = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
    withAttributes = text
    return text
  }
}
