import DataSources
import GRDB
import LiveQueries
import Triples

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// What a store wrote into a database of others: which changes it was given already, and what beside
/// the changes themselves it takes to take them back.
struct DatabaseJournal: Sendable {
  fileprivate var made = RecentMutations()
  /// Those that are being carried out: who sends one again waits for the same end.
  fileprivate var running: [MutationID: Task<StoreSnapshot, any Error>] = [:]
  /// Rows that were deleted from here, or are called otherwise by now.
  fileprivate var kept = KeptRows()
  fileprivate var own = OwnWrites()
}

extension SQLiteStore {
  /// Carries a transaction out, once.
  ///
  /// - Returns: The rows that it touched, and in the history what it changed.
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
    let outcome: DatabaseWriting.Outcome
    do {
      outcome = try await attempt(query)
    } catch DatabaseRefusal.otherTables {
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

  /// Writes with the tables as they are known, without looking first: what another program holds can be
  /// as impossible to read as to write, and is waited for once.
  private func attempt(_ query: TransactionQuery) async throws -> DatabaseWriting.Outcome {
    try takeWhatIsInPlace()
    let (shape, schema) = (shape, version.schema)
    let (kept, own) = (written.kept, written.own)
    return try await connection.write { db in
      guard try DatabaseConnection.version(db).schema == schema else {
        throw DatabaseRefusal.otherTables
      }
      return try DatabaseWriting.carryOut(query.transaction, db, shape, kept: kept, own: own)
    }
  }

  /// Why a change was not made: nothing was written then.
  func failure(toWrite error: any Error) -> DataSourceError {
    switch error {
    case let refusal as DatabaseRefusal: DataSourceError(refusal)
    case let error as TransactionError: DataSourceError(error)
    case let error as DatabaseError where error.isRule: DataSourceError(DatabaseRefusal.rule(error))
    case let error as DatabaseError where error.resultCode == .SQLITE_BUSY:
      .system(
        errno: EBUSY,
        "\(path) is locked by another process. Nothing was written; "
          + "try again later.")
    default: DataSourceError(StoreError(error, of: path))
    }
  }
}
