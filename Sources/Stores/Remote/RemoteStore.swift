public import DataSources
import InstaQL
public import LiveQueries
package import Sync
public import Triples

/// A store behind a server, connected by a message channel.
///
/// Each watched query is subscribed once. Its snapshots consist of the server's answer and the
/// changes that the answer does not contain yet. Each query has a triple store of its own, because
/// a server returns only the data that the query asks for. With an archive, pending changes and the
/// last answers survive the process.
///
/// - `watch` accepts a `QueryDocument`; any other query returns only the attributes. If InstaQL
///   cannot express a document, snapshots contain the answer to its `question`, which includes all
///   the data that the document needs. Watching continues while the server is offline; see the
///   freshness of each snapshot.
/// - `get` waits for the server's answer. While offline, it returns the archived answer, or throws
///   an error if there is none.
/// - `put` accepts a `TransactionQuery`, whose documentation says when the call returns.
public actor RemoteStore: StoreDataSource {
  /// Connects a channel to the server, or throws the reason why it cannot.
  package typealias Connector = @Sendable () async throws -> any MessageChannel

  let connector: Connector
  let access: StoreAccess
  let archive: RemoteArchive?
  let clock: any Clock<Duration>
  let now: @Sendable () -> Int64
  /// Measures timeouts.
  let stopwatch: Stopwatch
  let log: @Sendable (String) -> Void

  var session: ClientSession
  var status = ConnectionStatus.connecting
  /// The operations that the server currently allows.
  var appStatus = AppStatus.active
  var connections: [ConnectionID: RemoteConnection] = [:]
  var alarm: Task<Void, Never>?
  /// Fires when failed queries are worth retrying.
  let revival = ChangeSignal()
  var revivalAlarm: Task<Void, Never>?
  var preparing: Task<Void, Never>?

  var schema: Schema?
  /// Whether the server sent the schema over the current connection.
  var isSchemaCurrent = false
  var documents: [RemoteSubject: RemoteSubscription] = [:]
  var subjects: [Value: RemoteSubject] = [:]
  private var lastWatcher = 0
  private var lastOpening = 0
  var inFlightQueries: [QueryDocument: InFlightQuery] = [:]
  var lastSubscriber = 0
  /// The highest state number so far, across all subscriptions.
  var lastState = 0
  /// The newest transaction reported over the current connection.
  var newestTransaction: Int?
  /// The number of connections lost so far, to recognize answers from earlier connections.
  var life = 0

  var pending = PendingMutations()
  var writes = RemoteWrites()

  /// Creates a store, which connects on its first use.
  ///
  /// - Parameters:
  ///   - opening: The app and the credentials.
  ///   - access: Whether changes are allowed. Earlier pending changes are sent in any case.
  ///   - timeouts: The timeouts of the server.
  ///   - clock: A monotonic clock for timeouts.
  ///   - now: Returns the milliseconds since 1970 for timestamps.
  ///   - log: Receives messages that belong to no request.
  package init(
    _ opening: Opening, access: StoreAccess = .readWrite, archive: RemoteArchive? = nil,
    timeouts: ClientTimeouts = ClientTimeouts(), clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds },
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) },
    log: @escaping @Sendable (String) -> Void = { _ in }, connector: @escaping Connector
  ) {
    self.connector = connector
    self.access = access
    self.archive = archive
    self.clock = clock
    self.now = now
    stopwatch = Stopwatch(clock)
    self.log = log
    session = ClientSession(opening, timeouts: timeouts, random: random)
  }

  deinit {
    alarm?.cancel()
    revivalAlarm?.cancel()
    for connection in connections.values { connection.cancel() }
    for document in documents.values { document.following?.cancel() }
  }

  // MARK: Reading

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    var snapshots = watch(query).makeAsyncIterator()
    while let snapshot = try await snapshots.next(isolation: self) {
      switch snapshot.freshness {
      case .live, .optimistic: return snapshot
      case .loading, .connecting, .archived: continue
      case .stale(let reason), .offline(_, _, let reason):
        if documents[try subject(of: query).subject]?.isAnswered == true { return snapshot }
        if case .refused(let error) = status {
          throw DataSourceError(error, of: session.opening, operation: .get)
        }
        throw .noAnswer(reason)
      }
    }
    throw .queryCanceled
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await get(query)]
  }

  public nonisolated func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    let (stream, continuation) = DataStream.makeStream(of: StoreSnapshot.self)
    let entering = Task { await enter(continuation, query) }
    continuation.onTermination { [weak self] in
      entering.cancel()
      Task { if let seat = await entering.value { await self?.leave(seat) } }
    }
    return stream
  }

  /// Identifies a watcher of a subscription, so that it can be removed.
  private struct WatcherSlot: Sendable {
    let subject: RemoteSubject
    let number: Int
  }

  private func enter(
    _ continuation: DataStream<StoreSnapshot>.Continuation, _ query: any Query
  ) async -> WatcherSlot? {
    await prepare()
    if let document = query as? QueryDocument, document.question != document {
      await waitForSchema()
    }
    guard !Task.isCancelled else { return nil }
    do throws(DataSourceError) {
      let (subject, wireQuery) = try subject(of: query)
      if documents[subject] == nil { open(subject, wireQuery) }
      lastWatcher += 1
      show(subject)
      if let last = documents[subject]?.last { continuation.yield(last) }
      documents[subject]?.watchers[lastWatcher] = continuation
      return WatcherSlot(subject: subject, number: lastWatcher)
    } catch {
      continuation.finish(throwing: error)
      return nil
    }
  }

  /// Waits for the schema, by which the links in a query that is evaluated locally are known. Does
  /// not wait for a server that cannot be reached.
  private func waitForSchema() async {
    guard schema == nil else { return }
    var snapshots = watch(AllObjectsQuery()).makeAsyncIterator()
    while schema == nil, let snapshot = try? await snapshots.next(isolation: self) {
      switch snapshot.freshness {
      case .loading, .connecting, .archived: continue
      case .live, .optimistic, .stale, .offline: return
      }
    }
  }

  private func leave(_ seat: WatcherSlot) {
    documents[seat.subject]?.watchers[seat.number] = nil
    closeUnwatched(seat.subject)
  }

  private func closeUnwatched(_ subject: RemoteSubject) {
    guard let document = documents[subject], document.watchers.isEmpty else { return }
    forget(subject)
    perform(session.unsubscribe(from: document.wireQuery))
  }

  func forget(_ subject: RemoteSubject) {
    guard let document = documents.removeValue(forKey: subject) else { return }
    subjects[document.wireQuery] = nil
    document.following?.cancel()
    if case .query(let serverQuery) = subject {
      inFlightQueries.removeValue(forKey: serverQuery)?.end()
    }
    sendWatchedQueries()
    dropShown()
  }

  private func subject(
    of query: any Query
  ) throws(DataSourceError) -> (subject: RemoteSubject, wireQuery: Value) {
    guard let document = query as? QueryDocument else { return (.schema, Self.schemaQuery) }
    // Documents that InstaQL cannot express are evaluated locally, on all data that they need.
    let serverQuery = document.question(in: schema)
    return (.query(serverQuery), try wireQuery(of: serverQuery))
  }

  /// A query without results, to which the store subscribes for the schema. Servers send new
  /// attributes only to clients with a subscription.
  private static let schemaQuery: Value = ["sonde$schema": [:]]

  /// Subscribes to a query, or to the schema.
  private func open(_ subject: RemoteSubject, _ wireQuery: Value) {
    lastOpening += 1
    documents[subject] = RemoteSubscription(wireQuery, number: lastOpening)
    subjects[wireQuery] = subject
    if let schema { applySchema(schema, for: subject) }
    switch subject {
    case .schema:
      documents[subject]?.isOpening = false
      perform(session.subscribe(to: wireQuery, at: stopwatch.milliseconds))
    case .query(let serverQuery):
      documents[subject]?.isOpening = archive != nil
      documents[subject]?.following = follow(serverQuery, as: lastOpening)
      sendWatchedQueries()
    }
  }

  private func sendWatchedQueries() {
    guard let archive else { return }
    let watched = documents.keys.compactMap { subject -> QueryDocument? in
      if case .query(let serverQuery) = subject { serverQuery } else { nil }
    }
    archive.enqueue(.watched(Set(watched)))
  }

  // MARK: Opening and closing

  /// Restores the archive and connects; repeated calls have no effect.
  func prepare() async {
    if let preparing { return await preparing.value }
    let task = Task {
      if let archive {
        schema = await archive.schema()
        restore(await archive.pending())
        pending.beginConnection()
      }
      perform(session.start(at: stopwatch.milliseconds))
    }
    preparing = task
    await task.value
  }

  /// Disconnects, finishes writing the archive, and leaves queued changes to the next store. Streams
  /// end; a later request connects again.
  public func close() async {
    perform(session.stop())
    alarm?.cancel()
    revivalAlarm?.cancel()
    revivalAlarm = nil
    for document in documents.values {
      for watcher in document.watchers.values { watcher.finish() }
      document.following?.cancel()
      perform(session.unsubscribe(from: document.wireQuery))
    }
    for query in inFlightQueries.values { query.end() }
    inFlightQueries = [:]
    documents = [:]
    subjects = [:]
    preparing = nil
    await archive?.flush()
    await archive?.release()
  }

  /// Whether the server rejected the session, for example because of a wrong token.
  package var isRejected: Bool {
    if case .refused = status { true } else { false }
  }

  /// Reconnects now instead of waiting for the next attempt.
  public func retry() {
    perform(session.retryNow(at: stopwatch.milliseconds))
  }
}
