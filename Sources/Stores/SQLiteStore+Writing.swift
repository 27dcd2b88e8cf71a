import DataSources
import GRDB
import LiveQueries
import Triples

extension SQLiteStore: WritableDatabaseStore {
  /// Executes a transaction with the known schema, without first checking for changes.
  ///
  /// A lock that blocks reading also blocks writing. Without the check, the store waits for the
  /// lock only once.
  func attempt(_ query: TransactionQuery) async throws -> TransactionExecutor.Outcome {
    try reopenReplacedFile()
    let (shape, schema) = (shape, version.schema)
    let (deletedRows, own) = (written.deletedRows, written.own)
    return try await connection.write { db in
      guard try DatabaseConnection.version(db).schema == schema else {
        throw DatabaseWriteError.otherTables
      }
      return try TransactionExecutor.carryOut(
        query.transaction, db, shape, deletedRows: deletedRows, own: own)
    }
  }

  func lookForTables() async { await look() }

  func noticeOwnChange() async { await look() }

  /// Converts an error that rolled back a transaction to a data source error.
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
