import LiveQueries
import Triples

/// The transactions that a store executed in a database, and the data for their undo.
struct DatabaseJournal: Sendable {
  fileprivate var recentMutations = RecentMutations()
  /// The running transactions; a repeated transaction waits for the same result.
  fileprivate var running: [MutationID: Task<StoreSnapshot, any Error>] = [:]
  /// The deleted and renamed rows, which an undo may restore.
  private(set) var deletedRows = DeletedRows()
  private(set) var own = LastWrittenValues()

  fileprivate mutating func recordChange(
    _ query: TransactionQuery, _ outcome: TransactionExecutor.Outcome
  ) {
    recentMutations.insert(query, at: Instant.nowInMilliseconds)
    deletedRows.recordChange(gone: outcome.gone, returned: outcome.returned)
    own.recordChange(outcome.written, in: outcome.store, replacing: outcome.replaced)
  }
}

/// A database whose rows can be changed.
protocol WritableDatabaseStore: DatabaseStore {
  var written: DatabaseJournal { get set }

  /// Executes a transaction in the database.
  func attempt(_ query: TransactionQuery) async throws -> TransactionExecutor.Outcome

  /// Checks for a changed schema, after a transaction failed because tables or columns were
  /// missing.
  func lookForTables() async throws

  /// Delivers a change of this store to watchers, before the caller learns that it succeeded.
  func noticeOwnChange() async
}

extension WritableDatabaseStore {
  /// Executes a transaction unless it was executed before or is running.
  ///
  /// - Returns: A snapshot of the touched rows, with their changes as its history. The snapshot is
  ///   empty if the transaction was executed before.
  func carryOut(_ query: TransactionQuery) async throws -> StoreSnapshot {
    if written.recentMutations.contains(query.id, at: Instant.nowInMilliseconds) {
      return StoreSnapshot(shape.empty, freshness: freshness)
    }
    if let running = written.running[query.id] { return try await running.value }
    let running = Task { try await write(query) }
    written.running[query.id] = running
    defer { written.running[query.id] = nil }
    return try await withTaskCancellationHandler {
      try await running.value
    } onCancel: {
      running.cancel()
    }
  }

  private func write(_ query: TransactionQuery) async throws -> StoreSnapshot {
    let outcome: TransactionExecutor.Outcome
    do {
      outcome = try await attempt(query)
    } catch DatabaseWriteError.otherTables {
      // Another program may have changed the tables since the last check.
      try await lookForTables()
      outcome = try await attempt(query)
    }
    written.recordChange(query, outcome)
    await noticeOwnChange()
    var (store, history) = (outcome.store, ChangeHistory())
    store.transactionID = state
    if let changes = outcome.changes { history.append(changes, from: state - 1, to: state) }
    return StoreSnapshot(
      store, history: history, freshness: freshness, served: ServedAnswer(canGiveAll: true))
  }
}
