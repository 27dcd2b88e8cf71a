import DataSources
import GRDB
import LiveQueries
import Stores
import Testing
import Triples

/// A SQLite database of another program, opened for writing.
struct OtherDatabase {
  let path: String
  let store: SQLiteStore
  let schema: Schema

  /// - Parameter sql: Makes its tables.
  static func with(
    _ sql: String, maxBytesInMemory: Int = SQLiteStore.maxBytesInMemory,
    _ body: (OtherDatabase) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/others.db"
      try TestDatabase.execute(sql, in: path)
      let store = try await SQLiteStore.open(
        file: path, maxBytesInMemory: maxBytesInMemory, access: .readWrite)
      let schema = try await store.get(SchemaQuery()).store.schema
      try await body(OtherDatabase(path: path, store: store, schema: schema))
    }
  }

  func id(_ namespace: String, _ number: Int64) -> EntityID {
    EntityID(number: number, in: EntityID.high(of: namespace)) ?? .random()
  }

  func id(_ namespace: String, key: String) -> EntityID {
    EntityID.derived(from: "\(namespace)/\(key)")
  }

  func attribute(_ namespace: String, _ label: String) -> AttributeID {
    schema.attribute(namespace, label)?.id ?? link(namespace, label)
  }

  func identity(_ namespace: String) -> AttributeID {
    schema.identity(of: namespace)?.id ?? AttributeID("none")
  }

  func link(_ namespace: String, _ label: String) -> AttributeID {
    schema.link(namespace, label)?.attribute.id ?? AttributeID("none")
  }

  func value(_ sql: String) throws -> String? {
    try TestDatabase.open(path).read { try String.fetchOne($0, sql: sql) }
  }

  /// All rows of all tables, each value as SQLite spells it.
  func dump() throws -> [String] {
    try TestDatabase.open(path).read { db in
      let tables = try String.fetchAll(
        db, sql: "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      return try tables.flatMap { table in
        let columns = try db.columns(in: table).map { "quote(\($0.name)) || hex(\($0.name))" }
        return try String.fetchAll(
          db,
          sql: """
            SELECT \(columns.joined(separator: " || ',' || ")) AS line FROM \(table) ORDER BY line
            """
        ).map { table + " " + $0 }
      }
    }
  }

  /// Makes a change, and takes it back: all is as it was.
  ///
  /// - Parameter meanwhile: The expected results before the undo, by query.
  func expectTakenBack(
    _ step: TransactionStep, meanwhile: [String: String] = [:],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let first = try dump()
    let made = try await store.transact(Transaction([step]))
    #expect(try dump() != first, sourceLocation: sourceLocation)
    for (sql, found) in meanwhile {
      #expect(try value(sql) == found, sourceLocation: sourceLocation)
    }
    let changes = try #require(made.changes, sourceLocation: sourceLocation)
    try await store.transact(Transaction(undoing: changes, in: made.store))
    #expect(try dump() == first, sourceLocation: sourceLocation)
  }
}
