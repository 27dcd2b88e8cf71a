import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import SyncTestSupport
import Testing
import Triples

/// A column called `id` keeps its name, in SQLite and in PostgreSQL alike.
@Suite("A column called id", .timeLimit(.minutes(5)))
struct OwnIDTests {
  private static let tables = """
    CREATE TABLE users (
      id INTEGER PRIMARY KEY, _id TEXT, name TEXT, boss_id INTEGER REFERENCES users(id));
    CREATE TABLE things (code TEXT PRIMARY KEY NOT NULL, id TEXT, "key" INTEGER,
      owner_id INTEGER REFERENCES users(id));
    CREATE TABLE words ("ID" INTEGER PRIMARY KEY, word TEXT);
    CREATE TABLE plain (word TEXT PRIMARY KEY NOT NULL);
    INSERT INTO users VALUES (1, 'x', 'Ann', NULL), (2, 'y', 'Bob', 1), (5, NULL, 'Cy', 1);
    INSERT INTO things VALUES ('a', 'same', 7, 1), ('b', 'same', 8, 5), ('c', NULL, NULL, NULL);
    INSERT INTO words VALUES (3, 'three');
    INSERT INTO plain VALUES ('w');
    """

  /// The answer to a query as JSON.
  private func json(_ text: String, _ store: any StoreDataSource) async throws -> String {
    let schema = try await store.get(SchemaQuery()).store.schema
    let document = try QueryDocument(text: text, schema: schema)
    let snapshot = try await store.get(document)
    var output = JSONOutput(capacity: 1 << 10)
    try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
    return output.text
  }

  private func check(_ store: any StoreDataSource) async throws {
    func expect(
      _ text: String, _ json: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
      let answer = try await self.json(text, store)
      #expect(answer.contains(json), "\(text): \(answer)", sourceLocation: sourceLocation)
    }
    try await expect("users filter id = 5", #"[{"id":5,"_id":null,"name":"Cy","boss_id":1}]"#)
    try await expect("users filter id > 1 order id desc fields id", #"[{"id":5},{"id":2}]"#)
    // Like any id, a key called `id` is part of every object.
    try await expect(
      "users filter boss.id = 1 order id fields name",
      #"[{"name":"Bob","id":2},{"name":"Cy","id":5}]"#)
    try await expect(
      "things filter owner.id in (1, 5) order code fields code, id with owner { fields id }",
      #"[{"code":"a","id":"same","owner":[{"id":1}]},{"code":"b","id":"same","owner":[{"id":5}]}]"#)
    try await expect(#"things filter id = "same" and key = 8 fields code"#, #"[{"code":"b"}]"#)
    try await expect("things filter id is null fields code", #"[{"code":"c"}]"#)
    try await expect("words filter ID = 3", #"[{"ID":3,"word":"three"}]"#)
    try await expect("users count", ":3")
  }

  @Test("queries of SQLite use the column", arguments: [0, SQLiteStore.maxBytesInMemory])
  func sqlite(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.tables, maxBytesInMemory: maxBytesInMemory) {
      try await check($0.store)
    }
  }

  @Test("clients of a server use the column", arguments: [0, SQLiteStore.maxBytesInMemory])
  func served(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.tables, maxBytesInMemory: maxBytesInMemory) { file in
      let remote = RemoteStore(LoopbackServer(file.store))
      try await check(remote)
      await remote.close()
    }
  }

  @Test("queries of PostgreSQL use the column", .withPostgres)
  func postgres() async throws {
    let database = try PostgresServer.running().database(Self.tables)
    try await check(PostgresStore.open(PostgresParameters(database.address())))
  }

  @Test("the column is a field, the internal identity is none")
  func schema() async throws {
    try await OtherDatabase.with(Self.tables) { file in
      func labels(_ namespace: String) -> [String] {
        file.schema.attributes(of: namespace).map(\.label)
      }
      #expect(labels("users") == ["id", "_id", "name", "boss_id"])
      #expect(labels("things") == ["code", "id", "key", "owner_id"])
      #expect(labels("words") == ["ID", "word"])
      #expect(labels("plain") == ["id", "word"])
      #expect(file.schema.identity(of: "plain")?.label == "id")
      for namespace in ["users", "things", "words"] {
        let identity = try #require(file.schema.identity(of: namespace))
        #expect(identity.isIdentity)
        #expect(!labels(namespace).contains(identity.label))
      }
      let id = try #require(file.schema.attribute("users", "id"))
      #expect(!id.isIdentity)
      #expect(id.isUnique)
      #expect(id.checkedType == .number)
    }
  }

  @Test("queries with the column's earlier names name the new one")
  func earlierNames() async throws {
    try await OtherDatabase.with(Self.tables) { file in
      #expect {
        try QueryDocument(text: "users filter key = 5", schema: file.schema)
      } throws: {
        ($0 as? QueryError)?.hint == "Did you mean 'id'?"
      }
      #expect {
        try QueryDocument(
          text: #"users filter id = "c036b0c9-a683-894f-a000-000000000005""#, schema: file.schema)
      } throws: {
        "\(($0 as? QueryError)?.message ?? "")".contains("a number")
      }
    }
  }

  @Test("the column is set, changed and restored", arguments: [0, SQLiteStore.maxBytesInMemory])
  func writing(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.tables, maxBytesInMemory: maxBytesInMemory) { file in
      let identity = try #require(file.schema.identity(of: "users"))
      let id = try #require(file.schema.attribute("users", "id"))
      let new = EntityID.random()
      let first = try file.dump()
      let made = try await file.store.transact(
        Transaction([
          .addTriple(.id(new), identity.id, .text(new.text)), .addTriple(.id(new), id.id, 9),
        ]))
      #expect(try file.value("SELECT count(*) FROM users WHERE id = 9") == "1")
      try await file.store.transact(
        Transaction(undoing: try #require(made.changes), in: made.store))
      #expect(try file.dump() == first)
      try await file.expectTakenBack(
        .addTriple(.id(file.id("words", 3)), file.attribute("words", "ID"), 6),
        meanwhile: ["SELECT word FROM words WHERE ID = 6": "three"])
      try await file.expectTakenBack(.deleteEntity(.id(file.id("users", 2)), namespace: "users"))
    }
  }

  @Test("an update by a key that no row has creates one row with this key, unless it is strict")
  func missingKey() async throws {
    try await OtherDatabase.with(Self.tables) { file in
      let (id, name) = (file.attribute("users", "id"), file.attribute("users", "name"))
      let row = EntityReference.lookup(id, 6)
      try await file.store.transact(
        Transaction([
          .addTriple(row, file.identity("users"), row.json), .addTriple(row, name, "Dee"),
          .addTriple(row, file.attribute("users", "_id"), "z"),
        ]))
      #expect(try file.value("SELECT name || _id FROM users WHERE id = 6") == "Deez")
      #expect(try file.value("SELECT count(*) FROM users") == "4")
      let error = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(
          Transaction([.addTriple(.lookup(id, 7), name, "Ed", .update)]))
      }
      #expect(error?.message.contains("No row has users.id = 7. Nothing was written.") == true)
    }
  }

  @Test("a copy in any format is indexed where the database is, and allows the same conditions")
  func indexes() async throws {
    let tables = """
      CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER, note TEXT);
      CREATE INDEX ages ON people (age);
      INSERT INTO people VALUES (1, 30, 'text');
      """
    try await OtherDatabase.with(tables) { file in
      let whole = try await file.store.wholeStore(bytes: .spelled)
      for format in [StoreExport.Format.dump, .backup, .json, .csv] {
        let exported = file.path + (format == .dump ? ".dump.json" : ".\(format.rawValue)")
        try await StoreExport.write(whole, to: exported, as: format)
        let copy = try await FileSource.load(exported).store
        for (label, isIndexed) in [("age", true), ("note", false)] {
          #expect(file.schema.attribute("people", label)?.hasIndex == isIndexed)
          let attribute = try #require(copy.schema.attribute("people", label))
          #expect(attribute.isIndexed == isIndexed, "\(format) \(label)")
          #expect(attribute.hasIndex == isIndexed, "\(format) \(label)")
        }
        #expect(throws: Never.self, "\(format)") {
          try QueryDocument(
            text: #"{"people": {"$": {"where": {"note": {"$ilike": "T%"}}}}}"#, schema: copy.schema)
        }
      }
      let imported = try await FileSource.load(file.path).store.schema
      #expect(imported.attribute("people", "age")?.isIndexed == true)
      #expect(imported.attribute("people", "note")?.isIndexed == false)
    }
  }

  @Test("a copy for stores of other kinds has an id of its own and calls the column key")
  func copies() async throws {
    try await OtherDatabase.with(Self.tables) { file in
      let whole = try await file.store.wholeStore(bytes: .spelled)
      let exported = file.path + ".json"
      try await StoreExport.write(whole, to: exported, as: .dump)
      let loaded = try await SQLiteStore.load(file: file.path)
      for store in [try DumpStore.load(file: exported).store, loaded] {
        let schema = store.schema
        #expect(schema.identity(of: "users")?.label == "id")
        #expect(schema.attribute("users", "key")?.checkedType == .number)
        #expect(schema.attribute("things", "key_") != nil)
        #expect(store.checkInvariants().isEmpty)
        let ann = try #require(store.handle(of: file.id("users", 1)))
        #expect(store.value(ann, try #require(schema.attribute("users", "key")).id) == 1)
      }
    }
  }
}
