import DataSources
import GRDB
import LiveQueries
import Triples

/// The transactions that a store executed in a database, and the data for their undo.
struct DatabaseJournal: Sendable {
  fileprivate var made = RecentMutations()
  /// The running transactions; a repeated one waits for the same result.
  fileprivate var running: [MutationID: Task<StoreSnapshot, any Error>] = [:]
  /// Deleted and renamed rows.
  fileprivate var kept = DeletedRows()
  fileprivate var own = LastWrittenValues()
}

extension SQLiteStore {
  /// Executes a transaction once.
  ///
  /// - Returns: The touched rows, with the changes in the history.
  func carryOut(_ query: TransactionQuery) async throws -> StoreSnapshot {
    if written.made.contains(query.id, at: Instant.nowInMilliseconds) {
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
      // Another program may have changed them since the last check.
      await look()
      outcome = try await attempt(query)
    }
    written.made.insert(query, at: Instant.nowInMilliseconds)
    written.kept.note(gone: outcome.gone, returned: outcome.returned)
    written.own.note(outcome.written, in: outcome.store)
    // Watchers receive the change before this returns.
    await look()
    var (store, history) = (outcome.store, ChangeHistory())
    store.transactionID = state
    if let changes = outcome.changes { history.append(changes, from: state - 1, to: state) }
    return StoreSnapshot(
      store, history: history, freshness: freshness, served: ServedAnswer(canGiveAll: true))
  }

  /// Executes a transaction with the known schema, without a check for changes first: a lock that
  /// blocks reading blocks writing, too, and is waited for only once.
  private func attempt(_ query: TransactionQuery) async throws -> TransactionExecutor.Outcome {
    try takeWhatIsInPlace()
    let (shape, schema) = (shape, version.schema)
    let (kept, own) = (written.kept, written.own)
    return try await connection.write { db in
      guard try DatabaseConnection.version(db).schema == schema else {
        throw DatabaseWriteError.otherTables
      }
      return try TransactionExecutor.carryOut(query.transaction, db, shape, kept: kept, own: own)
    }
  }

  /// The error for a transaction that was rolled back.
  func failure(toWrite error: any Error) -> DataSourceError {
    switch error {
    case let refusal as DatabaseWriteError: DataSourceError(refusal)
    case let error as TransactionError: DataSourceError(error)
    case let error as DatabaseError where error.isRule:
      DataSourceError(DatabaseWriteError.rule(error))
    case let error as DatabaseError where error.resultCode == .SQLITE_BUSY:
      .locked(path)
    default: DataSourceError(StoreError(error, of: path))
    }
  }
}
