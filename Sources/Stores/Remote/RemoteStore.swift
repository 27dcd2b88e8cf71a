public import DataSources
import InstaQL
public import LiveQueries
package import Sync
public import Triples

/// A store behind a server, reached over messages.
///
/// Each query that is watched is asked of the server once, and its answer kept raw; snapshots show it
/// with the changes that the server has still to confirm or to show. Each query has a store of its
/// own, because a server sends for a query what answers it and no more. What is pending and what was
/// answered last survive the process when an archive is given.
///
/// - `watch` takes a `QueryDocument`, or anything else for the attributes alone. Of a document that
///   InstaQL cannot say, snapshots hold what answers its `question`, which is all that it needs. It goes on while the
///   server is away; the freshness of a snapshot says how far it can be trusted.
/// - `get` waits for the server's answer; while it is away it gives the archived one, or throws.
/// - `put` takes a `TransactionQuery`; see there.
public actor RemoteStore: StoreDataSource {
  /// Opens a channel to the server, or says why it cannot.
  package typealias Connector = @Sendable () async throws -> any MessageChannel

  let connector: Connector
  let access: StoreAccess
  let archive: RemoteArchive?
  let clock: any Clock<Duration>
  let now: @Sendable () -> Int64
  /// Measures waits.
  let stopwatch: Stopwatch
  let log: @Sendable (String) -> Void

  var session: ClientSession
  var status = ConnectionStatus.connecting
  /// What the server said last of what it allows.
  var appStatus = AppStatus.active
  var connections: [ConnectionID: RemoteConnection] = [:]
  var alarm: Task<Void, Never>?
  var preparing: Task<Void, Never>?

  var schema: Schema?
  /// Whether the server said the schema over the present connection.
  var isSchemaCurrent = false
  var documents: [RemoteSubject: RemoteDocument] = [:]
  var subjects: [Value: RemoteSubject] = [:]
  private var lastWatcher = 0
  private var lastOpening = 0
  var asked: [QueryDocument: AskedQuestion] = [:]
  var lastAsker = 0
  /// The number of the newest state that is shown of any subject.
  var lastState = 0
  /// The newest transaction that the server told of over the present connection.
  var newestTransaction: Int?
  /// Goes up each time that the server is lost: what it said before is not current any more.
  var life = 0

  var pending = PendingMutations()
  var writes = RemoteWrites()

  /// - Parameters:
  ///   - opening: Which app, and who asks.
  ///   - access: Whether anything may be changed. What was made earlier is sent in any case.
  ///   - patience: How long the server may take.
  ///   - clock: Measures waits; a clock that is never set.
  ///   - now: The time of day in milliseconds since 1970: what is shown and kept is stamped with it.
  ///   - log: Told what is worth a line and nobody's answer.
  package init(
    _ opening: Opening, access: StoreAccess = .readWrite, archive: RemoteArchive? = nil,
    patience: ClientPatience = ClientPatience(), clock: any Clock<Duration> = ContinuousClock(),
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
    session = ClientSession(opening, patience: patience, random: random)
  }

  deinit {
    alarm?.cancel()
    for connection in connections.values { connection.cancel() }
    for document in documents.values { document.following?.cancel() }
  }

  // MARK: Reading

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    var snapshots = watch(query).makeAsyncIterator()
    while let snapshot = try await snapshots.next(isolation: self) {
      switch snapshot.freshness {
      case .live, .optimistic: return snapshot
      case .connecting, .archived: continue
      case .stale(let reason), .offline(_, _, let reason):
        if documents[try subject(of: query).subject]?.isAnswered == true { return snapshot }
        if case .refused(let error) = status { throw DataSourceError(error, operation: .get) }
        throw DataSourceError(
          .network(status: nil), "No answer: \(reason.withoutFullStop).", operation: .get)
      }
    }
    throw DataSourceError(.cancelled, "The question was taken back.", operation: .get)
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

  /// Where a watcher sits.
  private struct Seat: Sendable {
    let subject: RemoteSubject
    let number: Int
  }

  private func enter(
    _ continuation: DataStream<StoreSnapshot>.Continuation, _ query: any Query
  ) async -> Seat? {
    await prepare()
    guard !Task.isCancelled else { return nil }
    do throws(DataSourceError) {
      let (subject, wireQuery) = try subject(of: query)
      if documents[subject] == nil { open(subject, wireQuery) }
      lastWatcher += 1
      show(subject)
      if let last = documents[subject]?.last { continuation.yield(last) }
      documents[subject]?.watchers[lastWatcher] = continuation
      return Seat(subject: subject, number: lastWatcher)
    } catch {
      continuation.finish(throwing: error)
      return nil
    }
  }

  private func leave(_ seat: Seat) {
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
    if case .query(let question) = subject { asked.removeValue(forKey: question)?.end() }
    tellWatched()
    dropShown()
  }

  private func subject(
    of query: any Query
  ) throws(DataSourceError) -> (subject: RemoteSubject, wireQuery: Value) {
    guard let document = query as? QueryDocument else { return (.schema, Self.schemaQuery) }
    // What InstaQL has no words for is worked out on this side, of all that is needed for it.
    let question = document.question
    return (.query(question), try wireQuery(of: question))
  }

  /// A question that has no answer, for servers tell of new attributes only to those who ask one.
  private static let schemaQuery: Value = ["sonde$schema": [:]]

  /// Begins to ask for a subject.
  private func open(_ subject: RemoteSubject, _ wireQuery: Value) {
    lastOpening += 1
    documents[subject] = RemoteDocument(wireQuery, number: lastOpening)
    subjects[wireQuery] = subject
    if let schema { take(schema, for: subject) }
    switch subject {
    case .schema:
      documents[subject]?.isOpening = false
      perform(session.subscribe(to: wireQuery, at: stopwatch.milliseconds))
    case .query(let question):
      documents[subject]?.isOpening = archive != nil
      documents[subject]?.following = follow(question, as: lastOpening)
      tellWatched()
    }
  }

  private func tellWatched() {
    guard let archive else { return }
    let watched = documents.keys.compactMap { subject -> QueryDocument? in
      if case .query(let question) = subject { question } else { nil }
    }
    archive.tell(.watched(Set(watched)))
  }

  // MARK: Beginning and ending

  /// Restores what was kept and calls the server, the first time.
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

  /// Hangs up and writes down what is to be kept. Streams end; asking again calls the server again.
  public func close() async {
    perform(session.stop())
    alarm?.cancel()
    for document in documents.values {
      for watcher in document.watchers.values { watcher.finish() }
      document.following?.cancel()
      perform(session.unsubscribe(from: document.wireQuery))
    }
    for question in asked.values { question.end() }
    asked = [:]
    documents = [:]
    subjects = [:]
    preparing = nil
    await archive?.flush()
  }

  /// Calls the server at once instead of waiting for the next try.
  public func retry() {
    perform(session.retryNow(at: stopwatch.milliseconds))
  }
}
