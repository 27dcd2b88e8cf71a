import DataSources
import InstaQL
package import LiveQueries
import Triples

/// Stores a remote store's data on disk: pending mutations immediately, answers after a short
/// delay.
///
/// An archive belongs to one server, app and user, since users have different permissions.
///
/// Answers are archived by an ``ArchivedDataSource`` that wraps the server. The store passes
/// attributes and mutations to the archive directly. Attributes must be applied before the next
/// message is read, which a stream does not guarantee. Mutations are written before they are sent,
/// and deleted when they are confirmed.
package actor RemoteArchive {
  /// A pending write; writes are performed in the order of the calls.
  enum WriteRequest: Sendable {
    case save([PendingMutation])
    case forget([MutationID])
    case schema(Schema)
    /// The watched queries, whose answers are not evicted.
    case watched(Set<QueryDocument>)
    case flush(CheckedContinuation<Void, Never>)
  }

  /// The delay before answers are written, so that answers in quick succession are written once.
  private static let pause = Duration.milliseconds(250)

  private var places: PendingQueueDirectories
  private let answers: AnswerArchive
  private let clock: any Clock<Duration>
  private let now: @Sendable () -> Int64
  private let log: @Sendable (String) -> Void
  private nonisolated let requests: AsyncStream<WriteRequest>.Continuation
  private var worker: Task<Void, Never>?
  private var writing: Task<Void, Never>?
  private var dirty: [QueryDocument: ServedRows] = [:]
  private var watched: Set<QueryDocument> = []

  /// Creates an archive in subfolders of `folder`. The first write creates the folder.
  package init(
    folder: String, clock: any Clock<Duration> = ContinuousClock(),
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(
      PendingQueueDirectories(in: folder),
      AnswerArchive(FileSystemStorageDataSource(folder: folder + "/answers")), clock: clock,
      now: { Instant.nowInMilliseconds }, log: log)
  }

  package init(
    _ mutations: PendingArchive, _ answers: AnswerArchive,
    clock: any Clock<Duration> = ContinuousClock(),
    now: @escaping @Sendable () -> Int64 = { Instant.nowInMilliseconds },
    log: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.init(PendingQueueDirectories(mutations), answers, clock: clock, now: now, log: log)
  }

  private init(
    _ places: sending PendingQueueDirectories, _ answers: AnswerArchive, clock: any Clock<Duration>,
    now: @escaping @Sendable () -> Int64, log: @escaping @Sendable (String) -> Void
  ) {
    self.places = places
    self.answers = answers
    self.clock = clock
    self.now = now
    self.log = log
    let (stream, continuation) = AsyncStream.makeStream(of: WriteRequest.self)
    requests = continuation
    Task { await self.work(through: stream) }
  }

  deinit {
    requests.finish()
    worker?.cancel()
  }

  private func work(through stream: AsyncStream<WriteRequest>) {
    worker = Task { [weak self] in
      for await request in stream { await self?.perform(request) }
    }
  }

  /// Adds a write to the queue.
  nonisolated func enqueue(_ request: WriteRequest) { requests.yield(request) }

  /// Waits until all queued writes are done.
  func flush() async {
    await withCheckedContinuation { enqueue(.flush($0)) }
  }

  /// Releases the folders of this process, because the store is closed.
  ///
  /// The next process that opens the store takes over the changes; it may be this process again.
  func release() { places.release() }

  /// Writes mutations, and returns when they are on disk.
  func save(_ mutations: [PendingMutation]) async throws(DataSourceError) {
    for (place, ids) in try places.places(of: mutations.map(\.id)) {
      try await place.mutations.save(mutations.filter { ids.contains($0.id) })
    }
  }

  private func forget(_ ids: [MutationID]) async throws(DataSourceError) {
    for (place, ids) in try places.places(of: ids) { try await place.mutations.forget(ids) }
  }

  // MARK: Reading

  func answer(to document: QueryDocument) async -> RemoteAnswer? {
    if let rows = dirty[document] { return RemoteAnswer(rows: rows, moment: now(), life: nil) }
    return await answers.answer(to: document).map {
      RemoteAnswer(rows: $0.rows, moment: $0.saved, life: nil)
    }
  }

  func schema() async -> Schema? { await answers.schema() }

  /// Reads the mutations that terminated processes have left in the archive.
  ///
  /// Each mutation is returned only once; afterward the store keeps it up to date.
  func pending() async -> PendingMutations {
    var all = PendingMutations()
    do throws(DataSourceError) {
      for place in try places.unread() {
        place.isUnread = false
        do throws(DataSourceError) {
          let (found, unreadable) = try await place.mutations.restore()
          if unreadable > 0 { log(RemoteLog.unreadableChanges(unreadable)) }
          places.record(found, in: place)
          for mutation in found.mutations { all.insert(mutation) }
        } catch {
          place.isUnread = true
          throw error
        }
      }
    } catch {
      log(RemoteLog.unreadableChanges(error))
    }
    return all
  }

  // MARK: Writing

  private func perform(_ request: WriteRequest) async {
    do throws(DataSourceError) {
      switch request {
      case .save(let mutations): try await save(mutations)
      case .forget(let ids): try await forget(ids)
      case .schema(let schema): try await answers.save(schema)
      case .watched(let queries): watched = queries
      case .flush(let continuation):
        writing?.cancel()
        await write()
        continuation.resume()
      }
    } catch {
      log(RemoteLog.unwritableArchive(error))
    }
  }

  /// Replaces the archived answer to a query. It is written to disk after a short delay.
  func save(_ rows: ServedRows, as document: QueryDocument) {
    dirty[document] = rows
    writeSoon()
  }

  private func writeSoon() {
    guard writing == nil else { return }
    writing = Task { [weak self, clock] in
      try? await clock.sleep(for: Self.pause)
      if !Task.isCancelled { await self?.write() }
    }
  }

  private func write() async {
    writing = nil
    let answers = dirty
    guard !answers.isEmpty else { return }
    do throws(DataSourceError) {
      try await self.answers.save(answers, at: now(), watched: watched)
    } catch {
      log(RemoteLog.unwritableArchive(error))
    }
    for (document, rows) in answers where dirty[document] == rows { dirty[document] = nil }
  }
}
