import Foundation
import GRDB
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Keys and rare values of a database of others", .timeLimit(.minutes(10)))
struct DatabaseKeysTests {
  private static let orders = """
    CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT UNIQUE, photo BLOB);
    CREATE TABLE lines (
      order_id INTEGER REFERENCES orders(id) ON UPDATE CASCADE ON DELETE CASCADE, no INTEGER,
      what TEXT, PRIMARY KEY (order_id, no));
    CREATE TABLE tags (word TEXT PRIMARY KEY, note TEXT);
    CREATE TABLE order_tags (
      order_id INTEGER REFERENCES orders(id) ON UPDATE CASCADE ON DELETE CASCADE,
      word TEXT REFERENCES tags(word) ON UPDATE CASCADE ON DELETE CASCADE,
      PRIMARY KEY (order_id, word)) WITHOUT ROWID;
    CREATE TABLE bills (
      id INTEGER PRIMARY KEY REFERENCES orders(id) ON UPDATE CASCADE, sum REAL);
    INSERT INTO orders VALUES (1, 'one', x'00ff'), (2, 'two', NULL);
    INSERT INTO lines VALUES (1, 1, 'a'), (1, 2, 'b'), (2, 1, 'c');
    INSERT INTO tags VALUES ('red', 'r'), ('blue', 'b');
    INSERT INTO order_tags VALUES (1, 'red'), (1, 'blue'), (2, 'red');
    """

  @Test(
    "a row whose key was changed is given it back, with all that leads to it",
    arguments: [("orders", 1, "key", Value.integer(17)), ("tags", 1, "word", "green")])
  func keys(_ namespace: String, _ row: Int, _ label: String, _ key: Value) async throws {
    try await Self.with(Self.orders) { file in
      let first = try file.dump()
      let name =
        namespace == "orders" ? file.id(namespace, 1) : EntityID.derived(from: "tags/red")
      let made = try await file.store.transact(
        Transaction([.addTriple(.id(name), file.attribute(namespace, label), key)]))
      let changed = try file.dump()
      #expect(changed != first)
      let undone = try await file.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(try file.dump() == first)
      try await file.store.transact(
        Transaction(undoing: try #require(undone.changes), in: undone.store))
      #expect(try file.dump() == changed)
    }
  }

  @Test("a key whose change reaches the number of another row is changed for good, and says so")
  func cascadedNumber() async throws {
    try await Self.with(Self.orders + "INSERT INTO bills VALUES (1, 9.5);") { file in
      let made = try await file.store.transact(
        Transaction([
          .addTriple(.id(file.id("orders", 1)), file.attribute("orders", "key"), .integer(17))
        ]))
      #expect(try file.value("SELECT id FROM bills") == "17")
      #expect(made.changes == nil)
    }
  }

  @Test("who has not seen that a key was changed from here still changes the same row")
  func formerName() async throws {
    try await Self.with(Self.orders) { file in
      let first = try file.dump()
      let (order, key) = (file.id("orders", 1), file.attribute("orders", "key"))
      for value in [17, 1] as [Value] {
        try await file.store.transact(
          Transaction([.addTriple(.id(order), key, value, .update)]))
      }
      #expect(try file.dump() == first)
    }
  }

  @Test("keys that are handed on from row to row cannot be taken back, and lose nothing")
  func handedOn() async throws {
    try await Self.with(Self.orders) { file in
      let key = file.attribute("orders", "key")
      try await file.store.transact(
        Transaction([.addTriple(.id(file.id("orders", 2)), key, 3)]))
      let made = try await file.store.transact(
        Transaction([
          .addTriple(.id(file.id("orders", 3)), key, 4),
          .addTriple(.id(file.id("orders", 1)), key, 3),
        ]))
      #expect(try file.value("SELECT name FROM orders WHERE id = 3") == "one")
      #expect(made.changes == nil)
    }
  }

  @Test("a rule of the database that forbids a deletion is told in its own words")
  func forbidden() async throws {
    try await Self.with(
      """
      CREATE TABLE books (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE pages (id INTEGER PRIMARY KEY, book INTEGER REFERENCES books(id));
      CREATE TRIGGER closed BEFORE DELETE ON books BEGIN SELECT RAISE(ABORT, 'the books are closed'); END;
      INSERT INTO books VALUES (1, 'a'); INSERT INTO pages VALUES (1, 1);
      """
    ) { file in
      await #expect {
        try await file.store.transact(
          Transaction([.deleteEntity(.id(file.id("books", 1)), namespace: "books")]))
      } throws: {
        "\($0)".contains("the books are closed")
      }
    }
  }

  private static let rare = """
    CREATE TABLE rare (id INTEGER PRIMARY KEY, word TEXT, size REAL, any_thing INTEGER);
    INSERT INTO rare VALUES
      (1, CAST(x'636166e9' AS TEXT), 9e999, x'0102'), (2, 'a' || char(0) || 'b', -9e999, 'text'),
      (3, 'plain', 1.5, 7);
    """

  @Test("bytes, texts and numbers that no value says come back as they were", arguments: 1...3)
  func rareValues(_ number: Int64) async throws {
    try await Self.with(Self.rare) { file in
      let first = try file.dump()
      let made = try await file.store.transact(
        Transaction([.deleteEntity(.id(file.id("rare", number)), namespace: "rare")]))
      #expect(try file.dump() != first)
      try await file.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(try file.dump() == first)
    }
  }

  @Test("a text with a NUL in it is written whole")
  func textWithNUL() async throws {
    try await Self.with(Self.rare) { file in
      let first = try file.dump()
      let made = try await file.store.transact(
        Transaction([
          .addTriple(.id(file.id("rare", 2)), file.attribute("rare", "word"), "a\0bc\0")
        ]))
      #expect(try file.value("SELECT hex(word) FROM rare WHERE id = 2") == "6100626300")
      try await file.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(try file.dump() == first)
    }
  }

  @Test("a text that is no UTF-8 is not written over with what is shown of it")
  func textOfOtherBytes() async throws {
    try await Self.with(Self.rare) { file in
      let first = try file.dump()
      await #expect {
        try await file.store.transact(
          Transaction([
            .addTriple(.id(file.id("rare", 1)), file.attribute("rare", "word"), "caf\u{FFFD}s")
          ]))
      } throws: {
        "\($0)".contains(
          "rare.word holds text that is no UTF-8: it is changed by the programs that wrote it.")
      }
      #expect(try file.dump() == first)
    }
  }

  @Test("a file in UTF-16 is read and written like any other")
  func wideFile() async throws {
    try await Self.with(
      """
      PRAGMA encoding = 'UTF-16';
      CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO t VALUES (1, 'Zoë'), (2, '日本');
      """
    ) { file in
      let made = try await file.store.transact(
        Transaction([.addTriple(.id(file.id("t", 1)), file.attribute("t", "name"), "Zoë!")]))
      #expect(try file.value("SELECT name FROM t WHERE id = 1") == "Zoë!")
      let changes = try #require(made.changes)
      #expect(changes.changes.map(\.old) == ["Zoë"])
    }
  }

  /// A database of others, opened for writing.
  private struct OpenFile {
    let path: String
    let store: SQLiteStore
    let schema: Schema

    func id(_ namespace: String, _ number: Int64) -> EntityID {
      EntityID(number: number, in: EntityID.high(of: namespace)) ?? .random()
    }

    func attribute(_ namespace: String, _ label: String) -> AttributeID {
      schema.attribute(namespace, label)?.id ?? AttributeID("none")
    }

    func value(_ sql: String) throws -> String? {
      try DatabaseQueue(path: path).read { try String.fetchOne($0, sql: sql) }
    }

    /// All rows of all tables, each value as SQLite spells it.
    func dump() throws -> [String] {
      try DatabaseQueue(path: path).read { db in
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
  }

  private static func with(
    _ sql: String, _ body: (OpenFile) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/others.db"
      try TestDatabase.execute(sql, in: path)
      let store = try await SQLiteStore.open(file: path, access: .readWrite)
      let schema = try await store.get(SchemaQuery()).store.schema
      try await body(OpenFile(path: path, store: store, schema: schema))
    }
  }
}
