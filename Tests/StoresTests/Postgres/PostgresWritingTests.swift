import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

@Suite("Changes of a PostgreSQL database", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresWritingTests {
  @Test("values, links and labels are written, and undo restores the database")
  func values() async throws {
    let shop = try await TestShop()
    let first = try shop.dump()
    let (lamp, chair) = (shop.id("things", 1), shop.id("things", 2))
    let bo = shop.id("makers", 2)
    for (step, sql, expected) in [
      (shop.set(lamp, "price", 7), "SELECT price FROM things WHERE id = 1", "7.0000000000"),
      (
        shop.set(lamp, "price", "12345678901234567890.5"), "SELECT price FROM things WHERE id = 1",
        "12345678901234567890.5000000000"
      ),
      (shop.set(lamp, "title", "L'am\"p\\"), "SELECT title FROM things WHERE id = 1", "L'am\"p\\"),
      (shop.set(lamp, "is_new", false), "SELECT is_new FROM things WHERE id = 1", "f"),
      (shop.set(lamp, "made", .null), "SELECT made IS NULL FROM things WHERE id = 1", "t"),
      (shop.set(lamp, "made", "2021-02-03"), "SELECT made FROM things WHERE id = 1", "2021-02-03"),
      (
        shop.set(lamp, "at", "2021-02-03T04:05:06Z"),
        "SELECT extract(epoch FROM at)::bigint FROM things WHERE id = 1", "1612325106"
      ),
      (
        shop.set(lamp, "info", ["a": [1, nil]]), "SELECT info FROM things WHERE id = 1",
        "{\"a\": [1, null]}"
      ),
      (shop.set(lamp, "feeling", "sad"), "SELECT feeling FROM things WHERE id = 1", "sad"),
      (
        shop.set(chair, "maker", .text(bo.text)), "SELECT maker_id FROM things WHERE id = 2", "2"
      ),
      (
        .retractTriple(
          .id(lamp), shop.attribute("things", "maker"), .text(shop.id("makers", 1).text)),
        "SELECT maker_id IS NULL FROM things WHERE id = 1", "t"
      ),
      (
        shop.set(chair, "labels", .text(shop.id("labels", key: "light").text)),
        "SELECT count(*) FROM thing_labels WHERE thing = 2", "2"
      ),
      (
        .retractTriple(
          .id(chair), shop.attribute("things", "labels"),
          .text(shop.id("labels", key: "home").text)),
        "SELECT count(*) FROM thing_labels WHERE thing = 2", "0"
      ),
    ] {
      let made = try await shop.store.transact(Transaction([step]))
      #expect(try shop.database.run(sql) == expected, "\(sql)")
      let changes = try #require(made.changes)
      #expect(!changes.isEmpty, "\(sql)")
      try await shop.store.transact(Transaction(undoing: changes, in: made.store))
      #expect(try shop.dump() == first, "\(sql)")
    }
  }

  @Test("undo of a deletion restores the row and what the database deleted with it")
  func deleting() async throws {
    let shop = try await TestShop()
    let first = try shop.dump()
    let gone = try await shop.store.transact(
      Transaction([.deleteEntity(.id(shop.id("things", 1)), namespace: "things")]))
    #expect(
      try shop.database.run(
        "SELECT count(*), (SELECT count(*) FROM parts), (SELECT count(*) FROM screws), "
          + "(SELECT count(*) FROM thing_labels) FROM things") == "1|0|0|1")
    try await shop.store.transact(
      Transaction(undoing: try #require(gone.changes), in: gone.store))
    #expect(try shop.dump() == first)
    let all = ["things", "makers"].flatMap { namespace in
      [1, 2].map { TransactionStep.deleteEntity(.id(shop.id(namespace, $0)), namespace: namespace) }
    }
    let emptied = try await shop.store.transact(Transaction(all.reversed()))
    #expect(try shop.database.run("SELECT count(*) FROM makers") == "0")
    try await shop.store.transact(
      Transaction(undoing: try #require(emptied.changes), in: emptied.store))
    #expect(try shop.dump() == first)
  }

  @Test("a key that is changed keeps its references, and is changed back")
  func keys() async throws {
    let shop = try await TestShop(
      TestShop.sql
        + """
        ALTER TABLE parts DROP CONSTRAINT parts_thing_id_fkey;
        ALTER TABLE screws DROP CONSTRAINT screws_part_fkey, ADD CONSTRAINT screws_part_fkey
          FOREIGN KEY (part) REFERENCES parts ON UPDATE CASCADE ON DELETE CASCADE;
        ALTER TABLE screws DROP CONSTRAINT screws_other_fkey, ADD CONSTRAINT screws_other_fkey
          FOREIGN KEY (other) REFERENCES parts ON UPDATE CASCADE;
        """)
    let first = try shop.dump()
    let made = try await shop.store.transact(
      Transaction([shop.set(shop.id("parts", key: "bulb"), "code", "led", of: "parts")]))
    #expect(try shop.database.run("SELECT part FROM screws") == "led")
    try await shop.store.transact(
      Transaction(undoing: try #require(made.changes), in: made.store))
    #expect(try shop.dump() == first)
  }

  @Test(
    "undo restores a changed key in a table that references itself", arguments: [1, 2, 4],
    ["int", "text"])
  func selfReferences(_ row: Int64, _ type: String) async throws {
    let shop = try await TestShop(
      """
      CREATE TABLE people (
        no \(type) PRIMARY KEY, name text, boss \(type) REFERENCES people(no) ON UPDATE CASCADE);
      INSERT INTO people VALUES
        ('1', 'Ann', NULL), ('2', 'Bo', '1'), ('3', 'Cy', '2'), ('4', 'Di', '4');
      """)
    func dump() throws -> String { try shop.database.run("TABLE people ORDER BY name") }
    let first = try dump()
    let isNumber = type == "int"
    let id = isNumber ? shop.id("people", row) : shop.id("people", key: "\(row)")
    let made = try await shop.store.transact(
      Transaction([shop.set(id, "no", isNumber ? 9 : "9", of: "people")]))
    let changed = try dump()
    #expect(changed != first)
    let undone = try await shop.store.transact(
      Transaction(undoing: try #require(made.changes), in: made.store))
    #expect(try dump() == first)
    try await shop.store.transact(
      Transaction(undoing: try #require(undone.changes), in: undone.store))
    #expect(try dump() == changed)
  }

  @Test("new rows that reference each other are created at once, and undone")
  func making() async throws {
    let shop = try await TestShop()
    let first = try shop.dump()
    let (thing, maker, screw) = (EntityID.random(), EntityID.random(), EntityID.random())
    let made = try await shop.store.transact(
      Transaction([
        shop.member(thing, of: "things"), shop.set(thing, "title", "Table"),
        shop.set(thing, "maker", .text(maker.text)),
        shop.member(maker, of: "makers"),
        shop.set(maker, "name", "Cy", of: "makers"), shop.set(maker, "id", 3, of: "makers"),
        shop.member(screw, of: "screws"),
        shop.set(screw, "part", .text(shop.id("parts", key: "cord").text), of: "screws"),
      ]))
    #expect(
      try shop.database.run(
        "SELECT title || ' by ' || name FROM things JOIN makers ON makers.id = maker_id "
          + "WHERE title = 'Table'") == "Table by Cy")
    #expect(
      try shop.database.run("SELECT part, size FROM screws WHERE id = '\(screw.text)'") == "cord|1")
    try await shop.store.transact(
      Transaction(undoing: try #require(made.changes), in: made.store))
    #expect(try shop.dump() == first)
  }

  @Test("a change that the database does not allow is rejected with a sentence")
  func refusals() async throws {
    let shop = try await TestShop()
    let first = try shop.dump()
    let (lamp, ann) = (shop.id("things", 1), shop.id("makers", 1))
    let missing = EntityID.random()
    for (steps, words) in [
      (
        [shop.set(lamp, "price", -1)],
        "The change violates a constraint of the database (things_price_check)"
      ),
      ([shop.set(lamp, "price", "dear")], "things.price must be a number"),
      ([shop.set(lamp, "made", "soon")], "things.made must be a date"),
      ([shop.set(lamp, "title", .null)], "things.title must have a value"),
      ([shop.set(lamp, "title", "longer than ten")], "The value is not valid for its column"),
      ([shop.set(lamp, "feeling", "so so")], "The value is not valid for its column"),
      ([shop.set(lamp, "photo", "x")], "things.photo contains binary data"),
      ([shop.set(lamp, "words", ["x"])], "things.words is an array or composite value"),
      ([shop.set(lamp, "twice", 3)], "things.twice is a generated column"),
      ([shop.set(lamp, "maker", .text(missing.text))], "should link to does not exist"),
      ([shop.set(ann, "name", "Bo", of: "makers")], "Another row has the same makers.name"),
      (
        [.deleteEntity(.id(ann), namespace: "makers")], "Rows of things still reference this row"
      ),
      (
        [shop.set(lamp, "title", "half"), shop.set(missing, "title", "gone")],
        "things has no row with the id \(missing.text)."
      ),
      ([shop.set(lamp, "title", "x", of: "cheap")], "cheap is a view"),
      ([shop.set(lamp, "what", "x", of: "log")], "log has no primary key"),
      (
        [.deleteEntity(.id(lamp), namespace: "nothing")],
        "The database has no table 'nothing'. Nothing was written."
      ),
      ([.deleteAttribute(shop.attribute("things", "title"))], "cannot change the schema"),
    ] as [([TransactionStep], String)] {
      let message = await shop.refusal(steps)
      #expect(message.contains(words), "\(message) – \(words)")
      #expect(try shop.dump() == first)
    }
  }

  @Test("a deletion that deletes or unlinks rows without a key cannot be undone, and any other can")
  func rowsWithoutKey() async throws {
    let shop = try await TestShop(
      """
      CREATE TABLE users (id int PRIMARY KEY);
      CREATE TABLE visits (who int REFERENCES users ON DELETE CASCADE, what text);
      CREATE TABLE notes (who int REFERENCES users ON DELETE SET NULL, what text);
      INSERT INTO users VALUES (1), (2), (3);
      INSERT INTO visits VALUES (1, 'a');
      INSERT INTO notes VALUES (2, 'b');
      """)
    for (number, canBeUndone) in [(1, false), (2, false), (3, true)] as [(Int64, Bool)] {
      let made = try await shop.store.transact(
        Transaction([.deleteEntity(.id(shop.id("users", number)), namespace: "users")]))
      #expect((made.changes != nil) == canBeUndone, "\(number)")
    }
    #expect(try shop.database.run("SELECT count(*) FROM users") == "0")
  }

  @Test("a row that more rows reference than an answer may have is deleted, without undo")
  func manyDependents() async throws {
    let shop = try await TestShop(
      """
      CREATE TABLE makers (id int PRIMARY KEY, name text);
      CREATE TABLE things (id int PRIMARY KEY, maker_id int REFERENCES makers ON DELETE CASCADE);
      CREATE INDEX ON things (maker_id);
      INSERT INTO makers VALUES (1, 'Ann'), (2, 'Bo');
      INSERT INTO things SELECT g, 1 FROM generate_series(1, 100001) AS g;
      """)
    let made = try await shop.store.transact(
      Transaction([.deleteEntity(.id(shop.id("makers", 1)), namespace: "makers")]))
    #expect(made.changes == nil)
    #expect(
      try shop.database.run("SELECT count(*), (SELECT count(*) FROM things) FROM makers") == "1|0")
  }

  @Test("an unseen change of another program is not overwritten")
  func meanwhile() async throws {
    let shop = try await TestShop()
    let lamp = shop.id("things", 1)
    let seen = try await shop.store.get(try QueryDocument(text: "things")).store
    let wish = Transaction(
      [shop.set(lamp, "price", 7), shop.set(lamp, "title", "Lampe")], seenIn: seen)
    try shop.database.run("UPDATE things SET price = 99 WHERE id = 1")
    #expect(await shop.refusal(wish).contains("changed things.price to 99"))
    #expect(
      try shop.database.run("SELECT price, title FROM things WHERE id = 1") == "99.0000000000|Lamp")
    // The undo of a missing change is rejected, too.
    let made = try await shop.store.transact(Transaction([shop.set(lamp, "price", 5)]))
    try shop.database.run("UPDATE things SET price = 98 WHERE id = 1")
    let undo = Transaction(undoing: try #require(made.changes), in: made.store)
    #expect(await shop.refusal(undo).contains("98"))
    #expect(try shop.database.run("SELECT price::int FROM things WHERE id = 1") == "98")
    // Only a row that was shown is known to have existed.
    try shop.database.run("DELETE FROM thing_labels; DELETE FROM things WHERE id = 1")
    let gone = await shop.refusal(wish)
    #expect(gone.hasPrefix("The row is no longer in things: it was deleted"), "\(gone)")
  }

  @Test("concurrent writers change the same row one after the other")
  func atOnce() async throws {
    let shop = try await TestShop()
    let lamp = shop.id("things", 1)
    let other = try await PostgresStore.open(
      PostgresParameters(shop.database.address()), access: .readWrite)
    for round in 1...10 {
      async let one = shop.store.transact(
        Transaction([shop.set(lamp, "price", .integer(Int64(round)))]))
      async let two = other.transact(Transaction([shop.set(lamp, "title", .text("t\(round)"))]))
      _ = try await (one, two)
      #expect(
        try shop.database.run("SELECT price::int, title FROM things WHERE id = 1")
          == "\(round)|t\(round)")
    }
  }

  @Test("missing rights and row security are reported, and nothing else is written")
  func rights() async throws {
    let shop = try await TestShop(
      TestShop.sql
        + """
        DO $$ BEGIN CREATE ROLE clerk LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
        GRANT SELECT ON ALL TABLES IN SCHEMA public TO clerk;
        GRANT UPDATE (title), DELETE ON things TO clerk;
        GRANT UPDATE ON makers TO clerk;
        ALTER TABLE makers ENABLE ROW LEVEL SECURITY;
        CREATE POLICY reading ON makers FOR SELECT USING (true);
        CREATE POLICY writing ON makers FOR UPDATE USING (id = 2);
        """, user: "clerk")
    let (lamp, ann) = (shop.id("things", 1), shop.id("makers", 1))
    try await shop.store.transact(Transaction([shop.set(lamp, "title", "Lampe")]))
    let first = try shop.dump()
    #expect(
      await shop.refusal([shop.set(lamp, "title", "x"), shop.set(lamp, "price", 1)])
        .contains("has no permission for this change"))
    #expect(
      await shop.refusal([shop.set(ann, "name", "Al", of: "makers")])
        .contains("because of row security or a trigger"))
    #expect(
      await shop.refusal([shop.set(shop.id("labels", key: "home"), "word", "x", of: "labels")])
        .contains("labels is not writable for your database role"))
    #expect(try shop.dump() == first)
  }

  @Test(
    "a full disk and a timeout are reported, and nothing is written",
    arguments: [("53100", "server's disk is full"), ("57014", "took longer than")])
  func shortage(_ state: String, _ words: String) async throws {
    let shop = try await TestShop(
      TestShop.sql
        + """
        CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
          RAISE EXCEPTION 'no space or timeout' USING ERRCODE = '\(state)'; END $$;
        CREATE TRIGGER fail BEFORE UPDATE ON makers FOR EACH ROW EXECUTE FUNCTION fail();
        """)
    let first = try shop.dump()
    let refusal = await shop.refusal([
      shop.set(shop.id("things", 1), "title", "x"),
      shop.set(shop.id("makers", 1), "name", "x", of: "makers"),
    ])
    #expect(refusal.contains(words) && refusal.contains("Nothing was written"), "\(refusal)")
    #expect(try shop.dump() == first)
    try shop.database.run("DROP TRIGGER fail ON makers")
    try await shop.store.transact(
      Transaction([shop.set(shop.id("makers", 1), "name", "x", of: "makers")]))
  }

  @Test("a change of a column that no longer exists says so")
  func droppedColumn() async throws {
    let shop = try await TestShop()
    try shop.database.run("ALTER TABLE things DROP COLUMN is_new CASCADE")
    let refusal = await shop.refusal([shop.set(shop.id("things", 1), "is_new", false)])
    #expect(refusal.contains("no longer has this table or column"), "\(refusal)")
  }

  @Test("a change waits two seconds for the lock of another session, then says so")
  func locks() async throws {
    let shop = try await TestShop()
    let lamp = shop.id("things", 1)
    let sleeps = "datname = current_database() AND wait_event = 'PgSleep'"
    async let holding = Task.detached { [database = shop.database] in
      try database.run(
        "BEGIN; UPDATE things SET title = 'held' WHERE id = 1; SELECT pg_sleep(60); ROLLBACK;")
    }.value
    try await waitUntil("another session holds the lock") {
      try shop.database.run("SELECT count(*) FROM pg_stat_activity WHERE \(sleeps)") == "1"
    }
    let error = await #expect(throws: DataSourceError.self) {
      try await shop.store.transact(Transaction([shop.set(lamp, "title", "mine")]))
    }
    #expect(
      error?.message.contains("Another program has locked the row or its table") == true,
      "\(String(describing: error))")
    try shop.database.run(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE \(sleeps)")
    _ = try? await holding
    try await shop.store.transact(Transaction([shop.set(lamp, "title", "mine")]))
    #expect(try shop.database.run("SELECT title FROM things WHERE id = 1") == "mine")
  }

  @Test("names and values are never a part of a statement")
  func hostile() async throws {
    let name = "a\"'; DROP TABLE log; --"
    let quoted = "\"" + name.replacing("\"", with: "\"\"") + "\""
    let shop = try await TestShop(
      TestShop.sql + "CREATE TABLE \(quoted) (\(quoted) text PRIMARY KEY, v text);")
    let row = EntityID.random()
    for value in [name, "\\'; DROP TABLE log; --", "$1", "{\"a\",NULL}"] {
      let made = try await shop.store.transact(
        Transaction([
          shop.member(row, of: name),
          shop.set(row, "v", .text(value), of: name),
        ]))
      #expect(try shop.database.run("SELECT v FROM \(quoted)") == value)
      try await shop.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
    }
    #expect(try shop.database.run("SELECT what FROM log") == "start")
    let statements = try shop.database.statements().filter {
      $0.contains("INSERT INTO \"public\".\(quoted)")
    }
    #expect(statements.count >= 4)
    #expect(!statements.contains { $0.contains("{\"a\"") })
  }

  @Test("a change of a table outside of the search path names it with its schema")
  func otherSchema() async throws {
    let shop = try await TestShop(
      "CREATE SCHEMA private; CREATE TABLE private.sec (id int PRIMARY KEY, word text);")
    func refusal(_ namespace: String) async -> String {
      await shop.refusal([
        .addAttribute(
          Attribute(id: AttributeID("new"), namespace: namespace, label: "word"))
      ])
    }
    #expect(
      await refusal("sec")
        == "The database has no table 'sec'. Did you mean 'private.sec'?")
    #expect(await refusal("unknown").hasPrefix("The database has no table 'unknown'. Use one of"))
  }

  @Test("no transaction stays open after a change or its refusal")
  func idle() async throws {
    let shop = try await TestShop()
    let lamp = shop.id("things", 1)
    try await shop.store.transact(Transaction([shop.set(lamp, "price", 3)]))
    _ = await shop.refusal([shop.set(lamp, "price", -3)])
    #expect(
      try shop.database.run(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
          + "AND state LIKE 'idle in transaction%'") == "0")
  }
}
