import GRDB

/// A database changed behind a store's back.
enum TestDatabase {
  static func execute(_ sql: String, in path: String) throws {
    let queue = try DatabaseQueue(path: path)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}
