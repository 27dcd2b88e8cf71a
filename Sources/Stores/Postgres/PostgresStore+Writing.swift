import DataSources
import LiveQueries
import Triples

extension PostgresStore: WritableDatabaseStore {
  func attempt(_ query: TransactionQuery) async throws -> TransactionExecutor.Outcome {
    let (shape, deletedRows, own) = (shape, written.deletedRows, written.own)
    do {
      return try await writer.write { session in
        try PostgresTransaction.carryOut(
          query.transaction, session, shape, deletedRows: deletedRows, own: own)
      }
    } catch let error as PostgresError where error.isOfOtherTables {
      throw DatabaseWriteError.otherTables
    }
  }

  func lookForTables() async throws {
    try await readCatalog()
    startNewState()
  }

  func noticeOwnChange() { startNewState() }

  /// Converts an error that rolled back a transaction to a data source error.
  func failure(toWrite error: any Error) -> DataSourceError {
    switch error {
    case let refusal as DatabaseWriteError: DataSourceError(refusal)
    case let error as TransactionError: DataSourceError(error)
    case let error as PostgresError where error.isRejection:
      DataSourceError(DatabaseWriteError.postgres(error))
    case let error as PostgresError where error.isOfLock: .rowsLocked
    default: DataSourceError(StoreError(postgres: error, of: parameters))
    }
  }
}
