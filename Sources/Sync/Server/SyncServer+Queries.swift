import InstaQL
import LiveQueries
import Triples

/// The queries that clients subscribe to.
extension SyncServer {
  func subscribe(to key: QueryKey, _ waiter: ServedQuery.Waiter) {
    guard let entry = served[key] else { return begin(key, waiter) }
    defer { sweep() }
    guard let told = entry.told else {
      served[key]?.waiting.append(waiter)
      return
    }
    guard let text = told.text else {
      served[key]?.waiting.append(waiter)
      Task { await writeForWaiting(key, entry.number) }
      return
    }
    served[key]?.listeners.insert(waiter.session)
    send(
      ServerEnvelope(
        .queryAdded(key.query, .written(text), processed: publicID(of: told.processed)),
        eventID: waiter.eventID), to: waiter.session)
  }

  /// Whoever hears that a query is known takes its answer for granted: so that one comes first.
  func subscribeAgain(to key: QueryKey, _ waiter: ServedQuery.Waiter) {
    if served[key]?.note(again: waiter) == true { return }
    send(ServerEnvelope(.queryExists(key.query), eventID: waiter.eventID), to: waiter.session)
  }

  private func begin(_ key: QueryKey, _ waiter: ServedQuery.Waiter) {
    let document: QueryDocument
    do throws(ServerError) {
      guard served.count < limits.queries else {
        throw .tooMuch(
          "The server answers \(limits.queries) queries, which is its limit; remove one, or try again "
            + "in some seconds.", retryAfter: 10,
          waiter.original)
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

  private func watch(_ document: QueryDocument, for key: QueryKey, _ number: Int) async {
    let reach: AnswerReach =
      switch key.form {
      case .joinRows: .answer
      case .tree, .inferredTree: .ownLinks
      }
    let subscription = await manager.subscribe(to: document, reach: reach)
    // All who wanted it may have gone in the meantime.
    guard served[key]?.number == number else { return await manager.unsubscribe(subscription.id) }
    served[key]?.subscription = subscription.id
    served[key]?.reading = Task { [weak self] in
      for await result in subscription.results {
        switch result {
        case .loading: continue
        case .loaded(let answer):
          guard answer.snapshot.isSettled else { continue }
          let written = await Self.write(answer, as: key.form)
          await self?.publish(written, of: answer, for: key, number)
        case .failed(let failure): await self?.publish(failure, for: key, number)
        }
      }
    }
  }

  /// Reads a query as clients write them: odd options are refused in the words of their own library,
  /// what is no query in those of its server; unknown names match nothing.
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

  func unsubscribe(_ session: String, from key: QueryKey) {
    served[key]?.listeners.remove(session)
    served[key]?.waiting.removeAll { $0.session == session }
    _ = served[key]?.takeRepeats(of: session)
    guard let entry = served[key], entry.isUnused else { return }
    end(entry, of: key)
  }

  // MARK: Answers

  /// Writes away from the actor, so that a long answer holds up nobody else.
  @concurrent
  private static func write(
    _ answer: LiveAnswer, as form: ResultForm
  ) async -> Result<DigestedResult, QueryError> {
    do throws(QueryError) {
      return .success(DigestedResult(try WrittenResult(answer.answers, as: form)))
    } catch { return .failure(error) }
  }

  private func publish(
    _ result: Result<DigestedResult, QueryError>, of answer: LiveAnswer, for key: QueryKey,
    _ number: Int
  ) {
    let digested: DigestedResult
    switch result {
    case .success(let value): digested = value
    case .failure(let error):
      return publish(
        LiveFailure(message: error.message, hint: error.hint), for: key, number)
    }
    guard served[key]?.number == number else { return }
    note(schemaOf: answer.snapshot)
    guard served[key]?.number == number, let isNew = served[key]?.take(digested, of: answer)
    else { return }
    let processed = answer.snapshot.transactionID
    if isNew { tellListeners(of: key, digested.written, processed: processed) }
    answerWaiting(key, digested.written, processed: processed)
  }

  private func tellListeners(
    of key: QueryKey, _ written: WrittenResult, processed: Int
  ) {
    guard let listeners = served[key]?.listeners, !listeners.isEmpty else { return }
    var refresh = Refresh(
      processed: publicID(of: processed), computations: [.init(key.query, .written(written))])
    let text = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
    var textWithAttributes: String?
    for id in listeners {
      guard clients[id]?.session.wantsAttributes == true else {
        offer(text, to: id)
        continue
      }
      if textWithAttributes == nil {
        refresh.attributes = attributes
        textWithAttributes = MessageCoding.text(ServerEnvelope(.refreshed(refresh)))
      }
      offer(textWithAttributes ?? text, to: id)
    }
  }

  /// Up to which transaction the oldest of a session's answers goes; nil when it has none.
  func oldestAnswer(of session: String) -> Int? {
    clients[session]?.session.subscriptions.compactMap { key in
      served[key].flatMap { $0.listeners.contains(session) ? $0.told?.processed : nil }
    }.min()
  }

  /// Sends a session the present answers to its queries once more.
  func refresh(_ session: String) async {
    for key in clients[session]?.session.subscriptions ?? [] {
      guard let entry = served[key], entry.listeners.contains(session), let told = entry.told
      else { continue }
      var text = told.text
      if text == nil, case .success(let digested) = await Self.write(told.answer, as: key.form) {
        text = digested.written
      }
      guard let text, let now = served[key], now.listeners.contains(session),
        now.told?.digest == told.digest, let processed = now.told?.processed
      else { continue }
      var refresh = Refresh(
        processed: publicID(of: processed), computations: [.init(key.query, .written(text))])
      if clients[session]?.session.wantsAttributes == true { refresh.attributes = attributes }
      send(ServerEnvelope(.refreshed(refresh)), to: session)
    }
  }

  private func answerWaiting(
    _ key: QueryKey, _ written: WrittenResult, processed: Int
  ) {
    guard let waiting = served[key]?.waiting, !waiting.isEmpty else { return }
    served[key]?.waiting = []
    for waiter in waiting { served[key]?.listeners.insert(waiter.session) }
    for waiter in waiting {
      send(
        ServerEnvelope(
          .queryAdded(key.query, .written(written), processed: publicID(of: processed)),
          eventID: waiter.eventID), to: waiter.session)
      for again in served[key]?.takeRepeats(of: waiter.session) ?? [] {
        subscribeAgain(to: key, again)
      }
    }
  }

  /// Writes the answer that was told last again, for those who came later. When another one was told
  /// in the meantime, they have been answered with that.
  private func writeForWaiting(_ key: QueryKey, _ number: Int) async {
    guard let told = served[key]?.told else { return }
    guard case .success(let digested) = await Self.write(told.answer, as: key.form) else { return }
    guard let entry = served[key], entry.number == number, let now = entry.told,
      now.digest == digested.digest
    else { return }
    answerWaiting(key, digested.written, processed: now.processed)
  }

  private func publish(_ failure: LiveFailure, for key: QueryKey, _ number: Int) {
    guard let entry = served[key], entry.number == number else { return }
    served[key]?.waiting = []
    served[key]?.forgetTold()
    let error = ServerError.refusedQuery(
      failure.message, hint: failure.hint, key.query, ["op": "add-query", "q": key.query])
    // Who has been answered stays subscribed: the next answer may be sound again.
    for id in entry.listeners { send(ServerEnvelope(.failed(error)), to: id) }
    for waiter in entry.waiting {
      var own = error
      own.original = waiter.original
      drop(waiter, key, own)
    }
    guard let left = served[key], left.number == number, left.isUnused else { return }
    end(left, of: key)
  }

  /// Gives up on those whose first answer does not come in time.
  /// - Returns: Whether there is somebody left to wait for.
  func dropLate(at now: Int64) -> Bool {
    var isNeeded = false
    for (key, entry) in served where !entry.waiting.isEmpty {
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

  private func end(_ entry: ServedQuery, of key: QueryKey) {
    served[key] = nil
    entry.reading?.cancel()
    guard let subscription = entry.subscription else { return }
    Task { await manager.unsubscribe(subscription) }
  }

  /// A query that fails at first is not subscribed: the client may send it again.
  private func drop(_ waiter: ServedQuery.Waiter, _ key: QueryKey, _ error: ServerError) {
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
  /// Whether no other server is being asked that may soon know better: what was true once is no
  /// answer then.
  fileprivate var isSettled: Bool {
    if isUnanswered { return false }
    return switch freshness {
    case .live, .stale, .optimistic, .offline: true
    case .archived, .connecting: served == nil
    }
  }
}
