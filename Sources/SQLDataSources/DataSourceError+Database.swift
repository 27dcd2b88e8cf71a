import DataSources
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

extension DataSourceError {
  /// Converts an error of the database to an error of the data source.
  init(database error: any Error, source: Any.Type, operation: DataOperation?) {
    let name = String(describing: source)
    guard let error = error as? DatabaseError else {
      if error is RowDecodingError {
        self.init(
          .dataSerialization, "A row of the table cannot be decoded as an object.", source: name,
          operation: operation, cause: "\(error)")
      } else {
        self.init(
          wrapping: error, "The database call failed.", source: name, operation: operation)
      }
      return
    }
    let (code, sentence) = Self.meaning(of: error.resultCode)
    self.init(code, sentence, source: name, operation: operation, cause: error.message)
  }

  private static func meaning(of code: ResultCode) -> (Code, String) {
    switch code {
    case .SQLITE_CONSTRAINT: (.illegalArgument, "The row violates a constraint of the table.")
    case .SQLITE_BUSY, .SQLITE_LOCKED:
      (.system(errno: EBUSY), "The database is locked by another program. Try again later.")
    case .SQLITE_CORRUPT, .SQLITE_NOTADB:
      (.dataSerialization, "The file is damaged or is not a SQLite database.")
    case .SQLITE_FULL: (.system(errno: ENOSPC), "The disk is full.")
    case .SQLITE_READONLY: (.system(errno: EROFS), "The database is read-only.")
    case .SQLITE_IOERR: (.system(errno: EIO), "Reading or writing the database file failed.")
    case .SQLITE_CANTOPEN: (.system(errno: ENOENT), "The database file cannot be opened.")
    case .SQLITE_PERM, .SQLITE_AUTH:
      (.system(errno: EACCES), "Permission to use the database was denied.")
    case .SQLITE_INTERRUPT: (.cancelled, "The call was canceled.")
    default: (.failed, "The database call failed.")
    }
  }
}
