import GRDB

/// The objects that the child process stores.
struct Number: Codable, Sendable, FetchableRecord, PersistableRecord {
  static let databaseTableName = "numbers"
  var id: String
  var value: Int

  @Sendable static func makeTable(_ database: Database) throws {
    try database.execute(
      sql: "CREATE TABLE IF NOT EXISTS numbers (id TEXT PRIMARY KEY, value INTEGER NOT NULL)")
  }
}
