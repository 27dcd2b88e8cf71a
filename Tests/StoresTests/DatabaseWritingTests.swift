import DataSources
import Foundation
import GRDB
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("Changes of a SQLite database", .timeLimit(.minutes(10)))
struct DatabaseWritingTests {
  private static let shop = """
    CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
    CREATE TABLE things (
      id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL CHECK (price >= 0), is_new BOOLEAN,
      made DATE, photo BLOB, stock INTEGER, twice REAL GENERATED ALWAYS AS (price * 2) VIRTUAL,
      maker_id INTEGER REFERENCES makers(id));
    CREATE TABLE parts (
      code TEXT PRIMARY KEY, thing_id INTEGER NOT NULL REFERENCES things(id) ON DELETE CASCADE);
    CREATE TABLE labels (word TEXT PRIMARY KEY);
    CREATE TABLE thing_labels (
      thing INTEGER REFERENCES things(id), word TEXT REFERENCES labels(word),
      PRIMARY KEY (thing, word)) WITHOUT ROWID;
    CREATE TABLE log (what TEXT);
    CREATE TRIGGER gone AFTER DELETE ON things BEGIN INSERT INTO log VALUES ('gone ' || old.title); END;
    INSERT INTO makers VALUES (1, 'Ann'), (2, 'Bo');
    INSERT INTO things(id, title, price, is_new, made, photo, maker_id) VALUES
      (10, 'Lamp', 4.5, 1, '2020-01-02', x'00ff10', 1), (11, 'Chair', NULL, 0, NULL, NULL, NULL);
    INSERT INTO parts VALUES ('bulb', 10), ('cord', 10);
    INSERT INTO labels VALUES ('light'), ('home');
    INSERT INTO thing_labels VALUES (10, 'light'), (10, 'home'), (11, 'home');
    """

  @Test(
    "values, links and labels are written to the file, and undo restores them",
    arguments: [0, Int.max])
  func values(_ maxInMemory: Int) async throws {
    try await Self.withShop(maxInMemory) { shop in
      let first = try shop.dump()
      let (lamp, chair) = (shop.id("things", 10), shop.id("things", 11))
      let bo = shop.id("makers", 2)
      for (step, sql, expected) in [
        (shop.set(lamp, "price", 7), "SELECT price FROM things WHERE id = 10", "7.0"),
        (shop.set(lamp, "title", "Lampe"), "SELECT title FROM things WHERE id = 10", "Lampe"),
        (shop.set(lamp, "is_new", false), "SELECT is_new FROM things WHERE id = 10", "0"),
        (shop.set(lamp, "made", .null), "SELECT made IS NULL FROM things WHERE id = 10", "1"),
        (
          shop.set(chair, "maker", .text(bo.text)), "SELECT maker_id FROM things WHERE id = 11", "2"
        ),
        (
          .retractTriple(
            .id(lamp), shop.link("things", "maker"), .text(shop.id("makers", 1).text)),
          "SELECT maker_id IS NULL FROM things WHERE id = 10", "1"
        ),
        (
          shop.set(chair, "labels", .text(shop.id("labels", key: "light").text)),
          "SELECT count(*) FROM thing_labels WHERE thing = 11", "2"
        ),
        (
          .retractTriple(
            .id(chair), shop.link("things", "labels"),
            .text(shop.id("labels", key: "home").text)),
          "SELECT count(*) FROM thing_labels WHERE thing = 11", "0"
        ),
      ] {
        let made = try await shop.store.transact(Transaction([step]))
        #expect(try shop.value(sql) == expected, "\(sql)")
        let changes = try #require(made.changes)
        #expect(!changes.isEmpty)
        try await shop.store.transact(Transaction(undoing: changes, in: made.store))
        #expect(try shop.dump() == first, "\(sql)")
      }
    }
  }

  @Test("undo restores a deleted row with its cascades and bytes")
  func deleting() async throws {
    try await Self.withShop { shop in
      let first = try shop.dump()
      let lamp = shop.id("things", 10)
      let gone = try await shop.store.transact(
        Transaction([.deleteEntity(.id(lamp), namespace: "things")]))
      #expect(try shop.value("SELECT count(*) FROM things") == "1")
      #expect(try shop.value("SELECT count(*) FROM parts") == "0")
      #expect(try shop.value("SELECT count(*) FROM thing_labels") == "1")
      #expect(try shop.value("SELECT what FROM log") == "gone Lamp")
      try await shop.store.transact(
        Transaction(undoing: try #require(gone.changes), in: gone.store))
      #expect(try shop.dump() == first)
      #expect(try shop.value("SELECT hex(photo) FROM things WHERE id = 10") == "00FF10")
    }
  }

  @Test("new rows that reference each other are created at once, and undone")
  func making() async throws {
    try await Self.withShop { shop in
      let first = try shop.dump()
      let (thing, maker) = (EntityID.random(), EntityID.random())
      let made = try await shop.store.transact(
        Transaction([
          .addTriple(.id(thing), shop.identity("things"), .text(thing.text)),
          shop.set(thing, "title", "Table"),
          shop.set(thing, "maker", .text(maker.text)),
          .addTriple(.id(maker), shop.identity("makers"), .text(maker.text)),
          .addTriple(.id(maker), shop.attribute("makers", "name"), "Cy"),
        ]))
      #expect(
        try shop.value(
          "SELECT title || ' by ' || name FROM things JOIN makers ON makers.id = maker_id WHERE "
            + "title = 'Table'") == "Table by Cy")
      try await shop.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(try shop.value("SELECT what FROM log") == "gone Table")
      try TestDatabase.execute("DELETE FROM log", in: shop.path)
      #expect(try shop.dump() == first)
    }
  }

  @Test("a blocked change that is sent again is applied once")
  func sentAgain() async throws {
    try await Self.withShop { shop in
      let maker = EntityID.random()
      let query = TransactionQuery(
        Transaction([
          .addTriple(.id(maker), shop.identity("makers"), .text(maker.text)),
          .addTriple(.id(maker), shop.attribute("makers", "name"), "Cy"),
        ]))
      let store = shop.store
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try await store.put(nil, in: query) } }
        try await group.waitForAll()
      }
      #expect(try shop.value("SELECT count(*) FROM makers WHERE name = 'Cy'") == "1")
    }
  }

  @Test("a row never replaces another one, even if its table says ON CONFLICT REPLACE")
  func replacing() async throws {
    let boats = """
      CREATE TABLE boats (
        id INTEGER PRIMARY KEY, name TEXT UNIQUE ON CONFLICT REPLACE, masts INTEGER);
      INSERT INTO boats VALUES (1, 'Ada', 2), (2, 'Eva', 1);
      """
    try await OtherDatabase.with(boats, maxBytesInMemory: .max) { shop in
      let first = try shop.dump()
      let name = shop.attribute("boats", "name")
      let new = EntityID.random()
      let making = TransactionStep.addTriple(
        .id(new), shop.identity("boats"), .text(new.text))
      for steps in [
        [.addTriple(.id(shop.id("boats", 2)), name, "Ada")],
        [making, .addTriple(.id(new), name, "Ada")],
      ] {
        let error = await #expect(throws: DataSourceError.self) {
          try await shop.store.transact(Transaction(steps))
        }
        #expect(error?.message.contains("Another row has the same boats.name") == true)
        #expect(try shop.dump() == first)
      }
    }
  }

  @Test("a change that the database does not allow is rejected with a sentence")
  func refusals() async throws {
    try await Self.withShop { shop in
      let first = try shop.dump()
      let (lamp, ann) = (shop.id("things", 10), shop.id("makers", 1))
      let missing = EntityID.random()
      for (steps, words) in [
        (
          [shop.set(lamp, "price", -1)],
          "The change violates a constraint of the database (price >= 0)"
        ),
        ([shop.set(lamp, "price", "dear")], "things.price must be a number"),
        ([shop.set(lamp, "made", "soon")], "things.made must be a date"),
        (
          [shop.set(lamp, "stock", .double(0x1p63))],
          "things.stock must be a whole number from -9223372036854775808 to 9223372036854775807"
        ),
        ([shop.set(lamp, "stock", .double(-1e20))], "not -1e+20"),
        ([shop.set(lamp, "title", .null)], "things.title must have a value"),
        ([shop.set(lamp, "title", ["x"])], "things.title must be a string"),
        ([shop.set(lamp, "photo", "x")], "things.photo contains binary data"),
        ([shop.set(lamp, "twice", 3)], "things.twice is a generated column"),
        ([shop.set(lamp, "maker", .text(missing.text))], "should link to does not exist"),
        (
          [.addTriple(.id(ann), shop.attribute("makers", "name"), "Bo")],
          "Another row has the same makers.name"
        ),
        (
          [.deleteEntity(.id(ann), namespace: "makers")],
          "1 row of things would have a broken reference. Nothing was written. Delete or re-link"
        ),
        (
          [shop.set(lamp, "title", "half"), shop.set(missing, "title", "gone")],
          "things has no row with the id \(missing.text)."
        ),
        (
          [.deleteEntity(.id(lamp), namespace: "nothing")],
          "The database has no table 'nothing'. Nothing was written."
        ),
        ([.deleteAttribute(shop.attribute("things", "title"))], "cannot change the schema"),
      ] as [([TransactionStep], String)] {
        let error = await #expect(throws: DataSourceError.self) {
          try await shop.store.transact(Transaction(steps))
        }
        #expect(error?.message.contains(words) == true, "\(error?.message ?? "") – \(words)")
        guard case .refused? = error?.code else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(try shop.dump() == first)
      }
    }
  }

  @Test(
    "the rows that prevent a deletion are reported by table",
    arguments: ["", "ON DELETE NO ACTION", "ON DELETE RESTRICT", "DEFERRABLE INITIALLY DEFERRED"])
  func keepers(_ rule: String) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/keys.db"
      try TestDatabase.execute(
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE b (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id) \(rule));
        CREATE TABLE c (id INTEGER PRIMARY KEY, a_id INTEGER REFERENCES a(id) ON DELETE SET NULL);
        INSERT INTO a VALUES (1, 'one'), (2, 'two');
        INSERT INTO b VALUES (1, 1), (2, 1), (3, 99);
        INSERT INTO c VALUES (1, 1), (2, 2);
        """, in: path)
      let store = try await SQLiteStore.open(file: path, access: .readWrite)
      let one = EntityID(number: 1, in: EntityID.high(of: "a")) ?? .random()
      let two = EntityID(number: 2, in: EntityID.high(of: "a")) ?? .random()
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(Transaction([.deleteEntity(.id(one), namespace: "a")]))
      }
      #expect(
        error?.message.hasPrefix("2 rows of b would have a broken reference. Nothing was written.")
          == true)
      try await store.transact(Transaction([.deleteEntity(.id(two), namespace: "a")]))
      let schema = try await store.get(SchemaQuery()).store.schema
      #expect(schema.link("b", "a")?.attribute.keepsTarget == true)
      #expect(schema.link("c", "a")?.attribute.keepsTarget == false)
    }
  }

  @Test("an unseen change of another program is not overwritten", arguments: [0, Int.max])
  func meanwhile(_ maxInMemory: Int) async throws {
    try await Self.withShop(maxInMemory) { shop in
      let lamp = shop.id("things", 10)
      let seen = try await shop.store.get(try QueryDocument(text: "things")).store
      let wish = Transaction(
        [shop.set(lamp, "price", 7), shop.set(lamp, "title", "Lampe")], seenIn: seen)
      try TestDatabase.execute("UPDATE things SET price = 99 WHERE id = 10", in: shop.path)
      let error = await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(wish)
      }
      #expect(error?.message.contains("changed things.price to 99") == true)
      #expect(try shop.value("SELECT price || title FROM things WHERE id = 10") == "99.0Lamp")
      // The undo of a missing change is rejected, too.
      let made = try await shop.store.transact(Transaction([shop.set(lamp, "price", 5)]))
      try TestDatabase.execute("UPDATE things SET price = 98 WHERE id = 10", in: shop.path)
      await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(
          Transaction(undoing: try #require(made.changes), in: made.store))
      }
      #expect(try shop.value("SELECT price FROM things WHERE id = 10") == "98.0")
      // Only a row that was shown is known to have existed.
      try TestDatabase.execute("DELETE FROM parts; DELETE FROM things WHERE id = 10", in: shop.path)
      let gone = await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(wish)
      }
      #expect(
        gone?.message.hasPrefix("The row is no longer in things: it was deleted") == true,
        "\(gone?.message ?? "")")
    }
  }

  @Test("a link that the rows on a screen lack is changed", arguments: [0, Int.max])
  func linkLoadedLater(_ maxInMemory: Int) async throws {
    try await Self.withShop(maxInMemory) { shop in
      let (lamp, chair) = (shop.id("things", 10), shop.id("things", 11))
      let (ann, bo) = (shop.id("makers", 1), shop.id("makers", 2))
      let view = AnswerView(reach: .neighbors, window: .init(count: 10))
      var answers = shop.store.watch(try QueryDocument(text: "things"), showing: view)
        .awaited("an answer").makeAsyncIterator()
      let rows = try #require(try await answers.next()).store
      let linked = try await shop.store.get(QueryDocument(QueryPlan("things").with("maker"))).store
      let toBo = [lamp, chair].map { shop.set($0, "maker", .text(bo.text)) }
      let lampToBo = Transaction([toBo[0]], seenIn: rows, linksIn: [linked])
      let chairToBo = Transaction([toBo[1]], seenIn: rows, linksIn: [])
      #expect(lampToBo.seen == [0: .text(ann.text)])
      #expect(chairToBo.seen == [0: .null])
      // Even without the links, the rows do not show that the lamp has no maker.
      try await shop.store.transact(Transaction([toBo[0]], seenIn: rows, linksIn: []))
      try await shop.store.transact(Transaction(toBo, seenIn: rows, linksIn: [linked]))
      #expect(try shop.value("SELECT group_concat(maker_id) FROM things") == "2,2")
      // Changes of other programs are still conflicts.
      try TestDatabase.execute(
        """
        UPDATE things SET maker_id = NULL WHERE id = 10;
        UPDATE things SET maker_id = 1 WHERE id = 11;
        """, in: shop.path)
      for wish in [lampToBo, chairToBo] {
        let error = await #expect(throws: DataSourceError.self) {
          try await shop.store.transact(wish)
        }
        #expect(error?.message.contains("changed things.maker to") == true)
      }
    }
  }

  @Test("a row that changed since it was shown is not deleted", arguments: [0, Int.max])
  func deletedMeanwhile(_ maxInMemory: Int) async throws {
    try await Self.withShop(maxInMemory) { shop in
      let delete = TransactionStep.deleteEntity(.id(shop.id("things", 10)), namespace: "things")
      let seen = try await shop.store.get(try QueryDocument(text: "things")).store
      try TestDatabase.execute("UPDATE things SET title = 'Lampe' WHERE id = 10", in: shop.path)
      let error = await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(Transaction([delete], seenIn: seen))
      }
      #expect(error?.message.contains("changed things.title to \"Lampe\"") == true)
      #expect(try shop.value("SELECT count(*) FROM things") == "2")
      // A row under the same number is another row.
      try TestDatabase.execute(
        "DELETE FROM things WHERE id = 11; INSERT INTO things(id, title) VALUES (11, 'Sofa')",
        in: shop.path)
      let chair = TransactionStep.deleteEntity(.id(shop.id("things", 11)), namespace: "things")
      await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(Transaction([chair], seenIn: seen))
      }
      let now = try await shop.store.get(try QueryDocument(text: "things")).store
      try await shop.store.transact(Transaction([delete, chair], seenIn: now))
      #expect(try shop.value("SELECT count(*) FROM things") == "0")
    }
  }

  @Test(
    "an own write that is not shown yet is not a conflict",
    arguments: [0, Int.max])
  func ownWrites(_ maxInMemory: Int) async throws {
    try await Self.withShop(maxInMemory) { shop in
      let lamp = shop.id("things", 10)
      let seen = try await shop.store.get(try QueryDocument(text: "things")).store
      let dearer = Transaction([shop.set(lamp, "price", 7)], seenIn: seen)
      let bo = Transaction(
        [shop.set(lamp, "maker", .text(shop.id("makers", 2).text))], seenIn: seen)
      let delete = Transaction([.deleteEntity(.id(lamp), namespace: "things")], seenIn: seen)
      let made = try await shop.store.transact(dearer)
      try await shop.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      try await shop.store.transact(dearer)
      try await shop.store.transact(Transaction([shop.set(lamp, "price", 8)], seenIn: seen))
      try await shop.store.transact(bo)
      try await shop.store.transact(
        Transaction(
          [shop.set(lamp, "maker", .text(shop.id("makers", 1).text))], seenIn: seen))
      #expect(try shop.value("SELECT price || ' ' || maker_id FROM things") == "8.0 1")
      // Another program may well write what was there before.
      try TestDatabase.execute("UPDATE things SET price = 9 WHERE id = 10", in: shop.path)
      await #expect(throws: DataSourceError.self) { try await shop.store.transact(delete) }
      try TestDatabase.execute("UPDATE things SET price = 8 WHERE id = 10", in: shop.path)
      try await shop.store.transact(delete)
      #expect(try shop.value("SELECT count(*) FROM things") == "1")
    }
  }

  @Test("a write of another program between two own changes is a conflict")
  func between() async throws {
    try await Self.withShop { shop in
      let lamp = shop.id("things", 10)
      let seen = try await shop.store.get(try QueryDocument(text: "things")).store
      try await shop.store.transact(Transaction([shop.set(lamp, "title", "one")], seenIn: seen))
      try TestDatabase.execute("UPDATE things SET title = 'two' WHERE id = 10", in: shop.path)
      try await shop.store.transact(Transaction([shop.set(lamp, "title", "three")]))
      let error = await #expect(throws: DataSourceError.self) {
        try await shop.store.transact(
          Transaction([.deleteEntity(.id(lamp), namespace: "things")], seenIn: seen))
      }
      #expect(error?.message.contains("changed things.title to \"three\"") == true)
    }
  }

  @Test("the last of several steps for one value applies")
  func lastStep() async throws {
    try await Self.withShop { shop in
      let lamp = shop.id("things", 10)
      let chair = shop.id("things", 11)
      let bo = Value.text(shop.id("makers", 2).text)
      try await shop.store.transact(
        Transaction([
          shop.set(lamp, "price", 7), shop.set(lamp, "price", 4.5),
          shop.set(chair, "maker", bo),
          .retractTriple(.id(chair), shop.link("things", "maker"), bo),
        ]))
      #expect(try shop.value("SELECT price FROM things WHERE id = 10") == "4.5")
      #expect(try shop.value("SELECT maker_id IS NULL FROM things WHERE id = 11") == "1")
    }
  }

  @Test("the remark of a writable store names its read-only tables")
  func withoutNumbers() async throws {
    try await Self.withShop { shop in
      try TestDatabase.execute(
        "CREATE TABLE codes (word TEXT PRIMARY KEY) WITHOUT ROWID", in: shop.path)
      let open = try await SQLiteStore.open(file: shop.path, access: .readWrite)
      let remark = try #require(open.remark)
      #expect(remark.contains("codes ") && remark.contains("WITHOUT ROWID"), "\(remark)")
      #expect(try await SQLiteStore.open(file: shop.path).remark?.contains("codes") != true)
    }
  }

  @Test("a repeated change is applied once, and watchers see it")
  func once() async throws {
    try await Self.withShop { shop in
      let manager = QueryManager(store: shop.store)
      let query = TransactionQuery(
        Transaction([
          .addTriple(
            .lookup(shop.attribute("makers", "name"), "Cy"), shop.attribute("makers", "name"), "Cy")
        ]))
      var isAsked = false
      let results = try await manager.subscribe(to: QueryDocument(text: "makers")).results
        .awaited("three makers")
      for try await result in results {
        guard case .loaded(let live) = result else { continue }
        if live.answers.first?.rows.count == 3 { break }
        if isAsked { continue }
        isAsked = true
        try await shop.store.put(nil, in: query)
        try await shop.store.put(nil, in: query)
      }
      #expect(try shop.value("SELECT count(*) FROM makers WHERE name = 'Cy'") == "1")
    }
  }

  @Test("a read-only database says how to open it for writing")
  func readOnly() async throws {
    try await withTemporaryFolder { folder in
      try TestDatabase.execute(Self.shop, in: folder + "/a.db")
      let store = try await SQLiteStore.open(file: folder + "/a.db")
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(Transaction())
      }
      #expect(error?.message.contains("--write") == true)
    }
  }

  // MARK: Around

  private static func withShop(
    _ maxInMemory: Int = .max, _ body: (OtherDatabase) async throws -> Void
  ) async throws {
    try await OtherDatabase.with(shop, maxBytesInMemory: maxInMemory, body)
  }
}

extension OtherDatabase {
  /// Sets a value of one of the things.
  fileprivate func set(_ thing: EntityID, _ label: String, _ value: Value) -> TransactionStep {
    .addTriple(.id(thing), attribute("things", label), value)
  }
}
