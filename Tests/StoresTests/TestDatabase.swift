import GRDB

/// A database changed behind a store's back.
enum TestDatabase {
  static func execute(_ sql: String, in path: String) throws {
    var configuration = Configuration()
    // Files of others hold keys that lead nowhere.
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    try queue.close()
  }
}
