internal import GRDB

/// Versions of the libraries that stores stand on.
package enum StoreLibraries {
  /// SQLite's, as in `3.40.1`; "not available" when it does not even say that.
  package static var sqlite: String {
    let version = try? DatabaseQueue().read {
      try String.fetchOne($0, sql: "SELECT sqlite_version()")
    }
    return version.flatMap { $0 } ?? "not available"
  }
}
