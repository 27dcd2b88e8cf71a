import DataSources
import Foundation
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Keys and unusual values of a SQLite database", .timeLimit(.minutes(10)))
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

  @Test("a table with two foreign keys on one column is not a join table")
  func keysOfOneColumn() async throws {
    let sql = """
      CREATE TABLE users (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE artists (id INTEGER PRIMARY KEY, style TEXT);
      CREATE TABLE notes (
        id INTEGER PRIMARY KEY, author INTEGER REFERENCES users(id),
        FOREIGN KEY (author) REFERENCES users(id));
      CREATE TABLE works (
        id INTEGER PRIMARY KEY, maker INTEGER REFERENCES users(id),
        FOREIGN KEY (maker) REFERENCES artists(id));
      """
    try await OtherDatabase.with(sql) { file in
      let schema = try await file.store.get(SchemaQuery()).store.schema
      #expect(schema.namespaces.sorted() == ["artists", "notes", "users", "works"])
      #expect(schema.links(of: "notes").map(\.target) == ["users"])
      #expect(schema.links(of: "works").map(\.target).sorted() == ["artists", "users"])
    }
  }

  @Test(
    "undo restores a changed key and the references to it",
    arguments: [("orders", 1, "id", Value.integer(17)), ("tags", 1, "word", "green")])
  func keys(_ namespace: String, _ row: Int, _ label: String, _ key: Value) async throws {
    try await OtherDatabase.with(Self.orders) { file in
      let first = try file.dump()
      let name =
        namespace == "orders" ? file.id(namespace, 1) : file.id("tags", key: "red")
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

  @Test(
    "undo restores a changed key in a table that references itself", arguments: [1, 2, 4], [0, 1])
  func selfReferences(_ row: Int64, _ kind: Int) async throws {
    let type = kind == 0 ? "INTEGER" : "TEXT"
    let sql = """
      CREATE TABLE people (
        no \(type) PRIMARY KEY, name TEXT, boss \(type) REFERENCES people(no) ON UPDATE CASCADE);
      INSERT INTO people VALUES (1, 'Ann', NULL), (2, 'Bo', 1), (3, 'Cy', 2), (4, 'Di', 4);
      """
    try await OtherDatabase.with(sql) { file in
      let first = try file.dump()
      let id = kind == 0 ? file.id("people", row) : file.id("people", key: "\(row)")
      let key: Value = kind == 0 ? .integer(9) : "9"
      let made = try await file.store.transact(
        Transaction([.addTriple(.id(id), file.attribute("people", "no"), key)]))
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

  @Test("a key change that collides with another row's number is announced as final")
  func cascadedNumber() async throws {
    try await OtherDatabase.with(Self.orders + "INSERT INTO bills VALUES (1, 9.5);") { file in
      let made = try await file.store.transact(
        Transaction([
          .addTriple(.id(file.id("orders", 1)), file.attribute("orders", "id"), .integer(17))
        ]))
      #expect(try file.value("SELECT id FROM bills") == "17")
      #expect(made.changes == nil)
    }
  }

  @Test("an edit that does not know of a key change still changes the same row")
  func formerName() async throws {
    try await OtherDatabase.with(Self.orders) { file in
      let first = try file.dump()
      let (order, key) = (file.id("orders", 1), file.attribute("orders", "id"))
      for value in [17, 1] as [Value] {
        try await file.store.transact(
          Transaction([.addTriple(.id(order), key, value, .update)]))
      }
      #expect(try file.dump() == first)
    }
  }

  @Test("keys passed from row to row cannot be undone, and no data is lost")
  func handedOn() async throws {
    try await OtherDatabase.with(Self.orders) { file in
      let key = file.attribute("orders", "id")
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

  @Test("a constraint that forbids a deletion is reported in its own words")
  func forbidden() async throws {
    try await OtherDatabase.with(
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
      (3, 'plain', 1.5, 7), (4, 'large', 1e20, 1e20);
    """

  @Test("undo restores bytes, texts and numbers that have no exact value", arguments: 1...4)
  func rareValues(_ number: Int64) async throws {
    try await OtherDatabase.with(Self.rare) { file in
      try await file.expectTakenBack(
        .deleteEntity(.id(file.id("rare", number)), namespace: "rare"))
    }
  }

  @Test("a deletion that cascades to a table WITHOUT ROWID cannot be undone")
  func withoutRowIDTables() async throws {
    try await OtherDatabase.with(
      """
      CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE c (a REFERENCES a (id) ON DELETE CASCADE, word TEXT, PRIMARY KEY (a, word))
        WITHOUT ROWID;
      INSERT INTO a VALUES (1, 'one'), (2, 'two');
      INSERT INTO c VALUES (1, 'x'), (1, 'y');
      """
    ) { file in
      let first = try await file.store.transact(
        Transaction([.deleteEntity(.id(file.id("a", 1)), namespace: "a")]))
      #expect(first.changes == nil)
      try await file.expectTakenBack(.deleteEntity(.id(file.id("a", 2)), namespace: "a"))
    }
  }

  @Test("a text that contains NUL is written completely")
  func textWithNUL() async throws {
    try await OtherDatabase.with(Self.rare) { file in
      try await file.expectTakenBack(
        .addTriple(.id(file.id("rare", 2)), file.attribute("rare", "word"), "a\0bc\0"),
        meanwhile: ["SELECT hex(word) FROM rare WHERE id = 2": "6100626300"])
    }
  }

  @Test("a text that is not UTF-8 is not overwritten with its displayed form")
  func textOfOtherBytes() async throws {
    try await OtherDatabase.with(Self.rare) { file in
      let first = try file.dump()
      await #expect {
        try await file.store.transact(
          Transaction([
            .addTriple(.id(file.id("rare", 1)), file.attribute("rare", "word"), "caf\u{FFFD}s")
          ]))
      } throws: {
        "\($0)".contains(
          "rare.word contains text that is not valid UTF-8, which Sonde cannot edit.")
      }
      #expect(try file.dump() == first)
    }
  }

  @Test("a file in UTF-16 is read and written like any other")
  func wideFile() async throws {
    try await OtherDatabase.with(
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

  @Test("a deletion beyond the undo limit is not undone, with a notice")
  func forgotten() async throws {
    let sql = """
      CREATE TABLE photos (id INTEGER PRIMARY KEY, bytes BLOB);
      INSERT INTO photos SELECT value, zeroblob(15000000) FROM json_each('[1, 2, 3, 4, 5]');
      """
    try await OtherDatabase.with(sql) { file in
      var undoing: [Transaction] = []
      for number in 1...5 as ClosedRange<Int64> {
        let made = try await file.store.transact(
          Transaction([.deleteEntity(.id(file.id("photos", number)), namespace: "photos")]))
        undoing.append(Transaction(undoing: try #require(made.changes), in: made.store))
      }
      let error = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(undoing[0])
      }
      #expect(error?.message.hasPrefix("The deleted rows of photos cannot be restored") == true)
      #expect(try file.value("SELECT count(*) FROM photos") == "0")
      for transaction in undoing.dropFirst() { try await file.store.transact(transaction) }
      #expect(try file.value("SELECT group_concat(id) FROM photos") == "2,3,4,5")
      #expect(try file.value("SELECT min(length(bytes)) FROM photos") == "15000000")
    }
  }

  @Test("a row that a trigger creates with a deleted row's number is a different row")
  func numberTakenOver() async throws {
    let sql = """
      CREATE TABLE tags (word TEXT PRIMARY KEY, note TEXT, photo BLOB);
      CREATE TRIGGER heir AFTER DELETE ON tags WHEN old.word = 'red' BEGIN
        INSERT INTO tags(rowid, word, note) VALUES (old.rowid, 'green', 'made'); END;
      INSERT INTO tags VALUES ('red', 'r', x'00ff'), ('blue', 'b', NULL);
      """
    try await OtherDatabase.with(sql) { file in
      let red = TransactionStep.deleteEntity(.id(file.id("tags", key: "red")), namespace: "tags")
      try await file.expectTakenBack(
        red, meanwhile: ["SELECT word FROM tags WHERE rowid = 1": "green"])
      #expect(try file.value("SELECT word FROM tags WHERE rowid = 1") == "red")
      // Neither is what the other one was, in whichever order they come and go.
      try await file.expectTakenBack(
        red, meanwhile: ["SELECT photo IS NULL FROM tags WHERE word = 'green'": "1"])
    }
  }

  @Test("rows that had the same number one after the other are each restored")
  func numberUsedAgain() async throws {
    let sql = """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, body ANY);
      INSERT INTO notes VALUES (1, 'first'), (2, x'00ff41');
      """
    try await OtherDatabase.with(sql) { file in
      let first = try file.dump()
      let second = EntityReference.id(file.id("notes", 2))
      let steps: [[TransactionStep]] = [
        [.deleteEntity(second, namespace: "notes")],
        [
          .addTriple(second, file.identity("notes"), 2),
          .addTriple(second, file.attribute("notes", "body"), "another"),
        ],
        [.addTriple(second, file.attribute("notes", "body"), "changed")],
        [.deleteEntity(second, namespace: "notes")],
      ]
      // Twice: the restored values are kept again after the second deletion.
      for _ in 1...2 {
        var undoing: [Transaction] = []
        for steps in steps {
          let made = try await file.store.transact(Transaction(steps))
          undoing.append(Transaction(undoing: try #require(made.changes), in: made.store))
        }
        for transaction in undoing.reversed() { try await file.store.transact(transaction) }
        #expect(try file.dump() == first)
      }
    }
  }

  @Test("undoing a deletion does not overwrite a row of another program")
  func numberTakenByOthers() async throws {
    let sql = """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, photo BLOB);
      INSERT INTO notes VALUES (1, 'first', NULL), (2, 'second', x'0a0b');
      """
    try await OtherDatabase.with(sql) { file in
      let made = try await file.store.transact(
        Transaction([.deleteEntity(.id(file.id("notes", 2)), namespace: "notes")]))
      try TestDatabase.execute("INSERT INTO notes(id, body) VALUES (2, 'theirs')", in: file.path)
      let first = try file.dump()
      let undo = Transaction(undoing: try #require(made.changes), in: made.store)
      let error = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(undo)
      }
      #expect(error?.message.hasPrefix("The table notes already has a row with this key") == true)
      #expect(try file.dump() == first)
      // When it is gone, there is room again.
      try TestDatabase.execute("DELETE FROM notes WHERE body = 'theirs'", in: file.path)
      try await file.store.transact(undo)
      #expect(try file.value("SELECT body || hex(photo) FROM notes WHERE id = 2") == "second0A0B")
    }
  }

  /// Makes a second row, in which an attribute is "mine".
  private static func makeSecond(
    in file: OtherDatabase, _ namespace: String, _ label: String
  ) async throws -> StoreSnapshot {
    let second = EntityReference.id(file.id(namespace, 2))
    return try await file.store.transact(
      Transaction([
        .addTriple(second, file.identity(namespace), 2),
        .addTriple(second, file.attribute(namespace, label), "mine"),
      ]))
  }

  @Test("undoing a creation does not delete another program's row with the same number")
  func ownRowReplaced() async throws {
    let sql = """
      CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT);
      INSERT INTO notes VALUES (1, 'a');
      """
    try await OtherDatabase.with(sql) { file in
      let made = try await Self.makeSecond(in: file, "notes", "body")
      try TestDatabase.execute("UPDATE notes SET body = 'theirs' WHERE id = 2", in: file.path)
      let error = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(
          Transaction(undoing: try #require(made.changes), in: made.store))
      }
      #expect(error?.message.contains("changed notes.body to \"theirs\"") == true)
      #expect(try file.value("SELECT group_concat(body) FROM notes") == "a,theirs")
    }
  }

  @Test(
    "undoing a creation keeps rows that now reference it",
    arguments: [
      "CASCADE", "SET NULL",
    ])
  func ownRowLedTo(_ rule: String) async throws {
    let sql = """
      CREATE TABLE dept (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE emp (id INTEGER PRIMARY KEY, dept INTEGER REFERENCES dept(id) ON DELETE \(rule));
      INSERT INTO dept VALUES (1, 'a');
      INSERT INTO emp VALUES (1, 1), (2, 1);
      """
    try await OtherDatabase.with(sql) { file in
      let made = try await Self.makeSecond(in: file, "dept", "name")
      try TestDatabase.execute("UPDATE emp SET dept = 2 WHERE id = 2", in: file.path)
      let undo = Transaction(undoing: try #require(made.changes), in: made.store)
      let error = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(undo)
      }
      #expect(error?.message.contains("delete or unlink 1 row of emp that other changes") == true)
      #expect(try file.value("SELECT group_concat(dept) FROM emp") == "1,2")
      try TestDatabase.execute("UPDATE emp SET dept = 1 WHERE id = 2", in: file.path)
      try await file.store.transact(undo)
      #expect(try file.value("SELECT group_concat(name) FROM dept") == "a")
    }
  }

  @Test("a deleted row whose number is taken is restored under another number")
  func numberGivenAway() async throws {
    try await OtherDatabase.with(Self.orders) { file in
      let made = try await file.store.transact(
        Transaction([.deleteEntity(.id(file.id("tags", key: "red")), namespace: "tags")]))
      try TestDatabase.execute(
        "INSERT INTO tags(rowid, word) VALUES (1, 'green')", in: file.path)
      try await file.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(
        try file.value("SELECT group_concat(word || note) FROM tags WHERE word = 'red'") == "redr")
      #expect(try file.value("SELECT word FROM tags WHERE rowid = 1") == "green")
      #expect(try file.value("SELECT count(*) FROM order_tags WHERE word = 'red'") == "2")
    }
  }
}
