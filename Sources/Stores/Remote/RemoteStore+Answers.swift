import DataSources
import InstaQL
import LiveQueries
import Sync
import Triples

// The server's answers: subscribed by `ServerAnswers`, archived, and received here.
extension RemoteStore {
  /// The server as a data source of answers. If the store has an archive, the archive is its cache.
  ///
  /// With an archive, the archived answer comes first, and each new answer is archived before it is
  /// emitted.
  private var answers: any WatchDataSource<RemoteAnswer> {
    let server = ServerAnswers(store: self)
    guard let archive else { return server }
    return server.archived(in: CachedAnswers(archive: archive))
  }

  /// Receives the answers to a query until the task is canceled or the server rejects the query.
  func follow(_ serverQuery: QueryDocument, as number: Int) -> Task<Void, Never> {
    let answers = answers.watch(serverQuery)
    return Task { [weak self] in
      do throws(DataSourceError) {
        for try await answer in answers {
          await self?.applyAnswer(answer, to: serverQuery, as: number)
        }
      } catch {
        await self?.give(up: serverQuery, as: number, for: error)
      }
    }
  }

  private func applyAnswer(_ answer: RemoteAnswer, to serverQuery: QueryDocument, as number: Int) {
    let subject = RemoteSubject.query(serverQuery)
    guard documents[subject]?.number == number else { return }
    documents[subject]?.isOpening = false
    var isDropping = false
    // Without attributes, an archived answer cannot be decoded.
    if let rows = answer.rows, answer.life != nil || schema != nil {
      let (schema, isCurrent) = (schema ?? Schema(), answer.life == life)
      let missing = pending.missing(
        from: AnswerMoment(processed: rows.processed, isCurrent: isCurrent))
      change(subject) {
        $0.applyAnswer(
          rows, schema: schema, at: answer.moment, isCurrent: isCurrent, pending: missing)
      }
      if answer.life != nil { isDropping = dropShown() }
    }
    if isDropping { showAll() } else { show(subject) }
  }

  private func give(up serverQuery: QueryDocument, as number: Int, for error: DataSourceError) {
    let subject = RemoteSubject.query(serverQuery)
    guard let document = documents[subject], document.number == number else { return }
    for watcher in document.watchers.values { watcher.finish(throwing: error) }
    forget(subject)
    perform(session.unsubscribe(from: document.wireQuery))
  }

  // MARK: Subscribing

  /// Subscribes to a query.
  ///
  /// - Returns: The subscriber, for unsubscribing; nil if the query cannot be sent.
  func subscribe(
    _ serverQuery: QueryDocument, for subscriber: DataStream<RemoteAnswer>.Continuation
  ) -> Int? {
    do throws(DataSourceError) {
      let wireQuery = try wireQuery(of: serverQuery)
      lastSubscriber += 1
      let isNew = inFlightQueries[serverQuery] == nil
      inFlightQueries[serverQuery, default: InFlightQuery()].add(subscriber, as: lastSubscriber)
      if isNew { perform(session.subscribe(to: wireQuery, at: stopwatch.milliseconds)) }
      return lastSubscriber
    } catch {
      subscriber.finish(throwing: error)
      return nil
    }
  }

  func unsubscribe(_ serverQuery: QueryDocument, _ subscriber: Int) {
    inFlightQueries[serverQuery]?.remove(subscriber)
    guard inFlightQueries[serverQuery]?.hasNoSubscribers == true else { return }
    inFlightQueries[serverQuery] = nil
    if let wireQuery = try? wireQuery(of: serverQuery) {
      perform(session.unsubscribe(from: wireQuery))
    }
  }

  func wireQuery(of serverQuery: QueryDocument) throws(DataSourceError) -> Value {
    do throws(QueryError) {
      return try serverQuery.instaQL()
    } catch {
      throw DataSourceError(
        .refused(type: "validation-failed"), error.message, operation: .watch, hint: error.hint)
    }
  }

  // MARK: Messages of the server

  /// Records the server's newest transaction; 0 means that the server has no transactions yet.
  func recordTransaction(_ transaction: Int) {
    guard transaction > 0 else { return }
    newestTransaction = max(newestTransaction ?? 0, transaction)
  }

  func applyResult(_ result: QueryResult, to query: Value, processed: Int) {
    recordTransaction(processed)
    guard case .query(let serverQuery)? = subjects[query] else { return }
    let rows = ServedRows(
      result, to: serverQuery, schema: schema ?? Schema(), processed: processed)
    inFlightQueries[serverQuery]?.publish(RemoteAnswer(rows: rows, moment: now(), life: life))
  }

  /// Handles a failed query.
  ///
  /// If the server rejected the query, its watchers end with the error, and it is not sent again.
  /// If the server only failed to answer, the previous answer remains.
  func fail(_ query: Value, _ error: ServerError) {
    guard let subject = subjects[query], case .query(let serverQuery) = subject,
      let document = documents[subject]
    else { return }
    if error.status >= 429 {
      reviveLater(after: error.retryAfter)
      if document.isAnswered {
        documents[subject]?.fault = error.message
        return
      }
    }
    let failure = DataSourceError(error, of: session.opening, operation: .watch)
    inFlightQueries.removeValue(forKey: serverQuery)?.end(throwing: failure)
    // The watchers end before the snapshot is shown, so that it is not shown as merely outdated.
    give(up: serverQuery, as: document.number, for: failure)
  }

  // MARK: Failed queries

  /// Emits when failed queries are worth retrying: after reconnecting, and some time after the
  /// server was overloaded or late.
  public nonisolated var retrySignals: AsyncStream<Void> { revival.ringsToCome() }

  private func reviveLater(after wait: Duration?) {
    guard revivalAlarm == nil else { return }
    let wait = wait ?? Self.revivalWait
    revivalAlarm = Task { [weak self, clock] in
      guard (try? await clock.sleep(for: wait)) != nil else { return }
      await self?.revive()
    }
  }

  private func revive() {
    revivalAlarm = nil
    revival.ring()
    // The server may have dropped the query, so the store subscribes again.
    for document in documents.values where document.fault != nil {
      perform(session.unsubscribe(from: document.wireQuery))
      perform(session.subscribe(to: document.wireQuery, at: stopwatch.milliseconds))
    }
  }

  /// The delay before failed queries are sent again, unless the server specifies another.
  private static let revivalWait = Duration.seconds(10)
}

extension ServerError {
  /// The delay after which the server allows another attempt, at most a minute.
  fileprivate var retryAfter: Duration? {
    guard case .object(let hint)? = hint, case .integer(let seconds)? = hint["retry-after"] else {
      return nil
    }
    return .seconds(min(max(seconds, 1), 60))
  }
}

/// The archive as a data source of archived answers.
///
/// Without an archived answer, it returns an empty value, because each subscription waits for a
/// value.
private struct CachedAnswers: GetDataSource, PutDataSource {
  let archive: RemoteArchive

  func get(_ query: any Query) async throws(DataSourceError) -> RemoteAnswer {
    let serverQuery = try serverQuery(query, .get)
    return await archive.answer(to: serverQuery) ?? RemoteAnswer(rows: nil, moment: 0, life: nil)
  }

  func getAll(_ query: any Query) async throws(DataSourceError) -> [RemoteAnswer] {
    [try await get(query)]
  }

  @discardableResult
  func put(
    _ answer: RemoteAnswer?, in query: any Query
  ) async throws(DataSourceError) -> RemoteAnswer {
    let serverQuery = try serverQuery(query, .put)
    guard let answer, let rows = answer.rows else {
      throw .illegalArgument("There is no answer to archive.")
    }
    await archive.save(rows, as: serverQuery)
    return answer
  }

  @discardableResult
  func putAll(
    _ answers: [RemoteAnswer], in query: any Query
  ) async throws(DataSourceError) -> [RemoteAnswer] {
    throw .notImplemented(source: "KeptAnswers", operation: .putAll)
  }

  private func serverQuery(
    _ query: any Query, _ operation: DataOperation
  ) throws(DataSourceError) -> QueryDocument {
    guard let serverQuery = query as? QueryDocument else {
      throw .unsupported(query, source: CachedAnswers.self, operation: operation)
    }
    return serverQuery
  }
}
