internal import GRDB

/// The versions of the libraries that stores depend on.
package enum StoreLibraries {
  /// SQLite's version, such as `3.40.1`, or "not available".
  package static var sqlite: String {
    let version = try? DatabaseQueue().read {
      try String.fetchOne($0, sql: "SELECT sqlite_version()")
    }
    return version.flatMap { $0 } ?? "not available"
  }
}
