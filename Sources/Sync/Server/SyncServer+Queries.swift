import InstaQL
import LiveQueries
import Triples

/// Subscriptions of clients.
extension SyncServer {
  func subscribe(to key: SubscriptionKey, _ waiter: ServedQuery.Waiter) {
    guard hasMemory(forQueriesOf: waiter.session) else {
      return drop(
        waiter, key, .allQueriesTooLarge(limit: limits.allSubscriptionBytes, waiter.original))
    }
    guard let entry = served[key] else { return begin(key, waiter) }
    served[key]?.waiting.append(waiter)
    if entry.newest == nil { sweep() } else { deliver(key, to: waiter.session) }
  }

  /// Returns whether the queries of all sessions are within the memory limit. Also returns true if
  /// this session's queries are short.
  private func hasMemory(forQueriesOf session: String) -> Bool {
    let bytes = clients[session]?.session.queryBytes ?? 0
    if bytes <= limits.shortSubscriptionBytes { return true }
    return clients.values.reduce(0) { $0 + $1.session.queryBytes } <= limits.allSubscriptionBytes
  }

  /// Processes a repeated subscription. The client expects the answer to the query before the
  /// confirmation.
  func subscribeAgain(to key: SubscriptionKey, _ waiter: ServedQuery.Waiter) {
    if served[key]?.recordRepeat(waiter) == true { return }
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
      case .joinRows: .evidence
      case .tree, .inferredTree: .ownLinks
      }
    let results = NewestResult { [weak self] result in
      await self?.handleResult(result, for: key, number)
    }
    let subscription = await manager.subscribe(
      to: document, reach: reach, receive: { results.put($0) })
    // In the meantime, all subscribers may have left.
    guard served[key]?.number == number else { return await manager.unsubscribe(subscription) }
    served[key]?.subscription = subscription
    served[key]?.results = results
  }

  private func handleResult(_ result: LiveResult, for key: SubscriptionKey, _ number: Int) async {
    switch result {
    case .loading: return
    case .loaded(let answer):
      guard answer.snapshot.isSettled, recordAnswer(answer, for: key, number) else { return }
      await writeAndPublish(answer, for: key, number)
    case .failed(let failure): publish(failure, for: key, number)
    }
  }

  /// Parses a client's query. Invalid options are rejected in the same way as by Instant's client.
  /// Other errors are rejected as by Instant's server.
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
    _ = served[key]?.removeRepeats(of: session)
    guard let entry = served[key], entry.isUnused else { return }
    end(entry, of: key)
  }

  /// Drops clients that have waited too long for the first answer to a query.
  ///
  /// - Returns: Whether any clients are still waiting.
  func dropLate(at now: Int64) -> Bool {
    var isNeeded = false
    // An answer is not late if it exists, and only waits until a slow reader has room for it.
    for (key, entry) in served where !entry.waiting.isEmpty && entry.newest == nil {
      let overdue = entry.waiting.filter { now - $0.since >= limits.answerTime }
      isNeeded = isNeeded || overdue.count < entry.waiting.count
      if overdue.isEmpty { continue }
      served[key]?.waiting.removeAll { now - $0.since >= limits.answerTime }
      for waiter in overdue { drop(waiter, key, .timedOut(limits.answerTime, waiter.original)) }
      guard let left = served[key], left.number == entry.number, left.isUnused else { continue }
      end(left, of: key)
    }
    return isNeeded
  }

  func end(_ entry: ServedQuery, of key: SubscriptionKey) {
    served[key] = nil
    if served.isEmpty { served = [:] }
    entry.results?.cancel()
    if entry.lastAnswer?.bytes ?? 0 > LargeAnswers.minBytes { FreedMemory.giveBackSoon() }
    guard let subscription = entry.subscription else { return }
    Task { await manager.unsubscribe(subscription) }
  }

  /// Drops a query whose first evaluation failed. The client may then send the query again.
  func drop(_ waiter: ServedQuery.Waiter, _ key: SubscriptionKey, _ error: ServerError) {
    clients[waiter.session]?.session.dropped(key.query)
    send(ServerEnvelope(.failed(error), eventID: waiter.eventID), to: waiter.session)
    for again in served[key]?.removeRepeats(of: waiter.session) ?? [] {
      var own = error
      own.original = again.original
      send(ServerEnvelope(.failed(own), eventID: again.eventID), to: again.session)
    }
  }
}

extension StoreSnapshot {
  /// Whether the answer can be sent now. It cannot if an upstream server is about to send a newer
  /// one.
  fileprivate var isSettled: Bool {
    if isUnanswered { return false }
    return switch freshness {
    case .live, .stale, .optimistic, .offline: true
    case .loading: false
    case .archived, .connecting: served == nil
    }
  }
}
