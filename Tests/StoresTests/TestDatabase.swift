import GRDB

/// A database changed behind a store's back.
enum TestDatabase {
  static func execute(_ sql: String, in path: String) throws {
    let queue = try open(path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }

  /// A file that another connection may be reading or writing.
  static func open(_ path: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    // Files of other programs may have dangling foreign keys.
    configuration.foreignKeysEnabled = false
    configuration.busyMode = .timeout(60)
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Locks the file until the returned function is called.
  static func hold(_ path: String) throws -> () throws -> Void {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: "BEGIN EXCLUSIVE") }
    return { try queue.inDatabase { try $0.execute(sql: "ROLLBACK") } }
  }
}
