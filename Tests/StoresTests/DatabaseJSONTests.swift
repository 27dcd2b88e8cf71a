import DataSources
import DataSourcesTesting
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

/// Columns of SQLite that are declared for JSON, in a database in memory and queried in place.
@Suite("JSON in a SQLite database", .timeLimit(.minutes(10)))
struct DatabaseJSONTests {
  /// Cells of JSON text, JSONB, numbers, and texts and bytes that are not JSON.
  private static let things = #"""
    CREATE TABLE kinds (id INTEGER PRIMARY KEY, name TEXT, meta json);
    CREATE TABLE things (
      id INTEGER PRIMARY KEY, meta JSON, extra JSONB, kind_id INTEGER REFERENCES kinds(id));
    INSERT INTO kinds VALUES (1, 'a', '{"size": 2}'), (2, 'b', '{"size": 5}'), (3, 'c', 'oops');
    INSERT INTO things(id, meta, extra) VALUES
      (1, '{"size": 3, "tags": ["new", "red"], "a": {"b": true}, "it''s": 1, "x.y": 7}', NULL),
      (2, '{"size":3.0,"tags":[]}', x'7C4773697A651333'),
      (3, '{"size": "3", "a": {"b": 1}}', '{"size": 4}'),
      (4, '{"size": "big", "a": {"b": null}}', x'00ff'),
      (5, '{"size": true}', 'null'),
      (6, '[5, 6, {"size": 8}]', 7),
      (7, 'not json {', 'x'),
      (8, NULL, '"x"'), (9, 'null', x'00'), (10, 12, x'7C4773697A651334'), (11, '"text"', NULL),
      (12, x'00ff', NULL), (13, '{"size": 9007199254740993}', NULL),
      (14, '{"size": 9007199254740992}', NULL), (15, '{"size": 12345678901234567890123}', NULL),
      (16, 'plain', NULL), (17, '{"size": -1e2}', NULL), (18, '{"size": "😀"}', NULL),
      (19, '{"size": "｡"}', NULL), (20, '{"size": [1]}', NULL), (21, '{"size": {"deep": 1}}', NULL),
      (22, '{"size": ""}', NULL), (23, '{"size": 1, "size": 2}', NULL), (24, 'true', NULL);
    UPDATE things SET kind_id = nullif(id % 4, 0);
    """#

  private struct Both {
    let memory: TripleStore
    let store: SQLiteStore

    init(_ sql: String, in folder: String) async throws {
      let path = folder + "/a.db"
      try TestDatabase.execute(sql, in: path)
      memory = try await SQLiteStore.open(file: path, maxBytesInMemory: .max)
        .get(AllObjectsQuery()).store
      store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
    }

    /// Expects that the database answers like the engine, by SQL if `isPushed`.
    func check(
      _ document: QueryDocument, isPushed: Bool?, _ comment: @autoclosure () -> String
    ) async throws {
      let snapshot = try await store.get(document)
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      let text = comment()
      #expect(output.text == (try QueryEngine.json(document, in: memory)), "\(text)")
      for plan in document.plans {
        let total = try QueryEngine.answer(plan, in: snapshot).total
        #expect(total == (try QueryEngine.answer(plan, in: memory).total), "\(text)")
      }
      guard let isPushed else { return }
      #expect((snapshot.served?.found.isEmpty == false) == isPushed, "\(text)")
    }
  }

  private func withThings(_ body: (Both) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body(Both(Self.things, in: $0)) }
  }

  @Test("cells are read as JSON, and as they are if they are not JSON", arguments: [0, Int.max])
  func values(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.things, maxBytesInMemory: maxBytesInMemory) { file in
      let snapshot = try await file.store.get(try QueryDocument(text: "things"))
      #expect(file.schema.attribute("things", "meta")?.checkedType == nil)
      #expect(file.schema.attribute("things", "meta")?.typeName == "json")
      let expected: [(Int64, String, Value)] = [
        (2, "meta", ["size": 3.0, "tags": []]), (2, "extra", ["size": 3]),
        (3, "extra", ["size": 4]),
        (4, "extra", ["bytes": 2]), (5, "extra", .null), (6, "meta", [5, 6, ["size": 8]]),
        (6, "extra", 7), (7, "meta", "not json {"), (7, "extra", "x"), (8, "extra", "x"),
        (8, "meta", .null), (9, "meta", .null), (9, "extra", .null), (10, "meta", 12),
        (11, "meta", "text"), (12, "meta", ["bytes": 2]),
        (13, "meta", ["size": 9_007_199_254_740_993]),
        (15, "meta", #"{"size": 12345678901234567890123}"#), (16, "meta", "plain"),
        (23, "meta", ["size": 2]), (24, "meta", true),
      ]
      for (number, label, value) in expected {
        let row = try #require(snapshot.store.handle(of: file.id("things", number)))
        let found = snapshot.store.value(row, file.attribute("things", label))
        #expect(found == value, "\(number) \(label)")
      }
    }
  }

  @Test("every form of JSONB is read, and other bytes are not")
  func binary() async throws {
    try await OtherDatabase.with(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, doc JSONB);
      INSERT INTO t VALUES (1, x'CB104430783146262E35495C783431285C6E'), (2, x'0B'), (3, x'0C'),
        (4, x'1733'), (5, x'2A225C'), (6, x'D3000135'), (7, x'3B0133'), (8, x'1C00'), (9, x'C3'),
        (10, x''), (11, x'0D'), (12, x'17223A'), (13, x'59610A092262'), (14, x'38610A62');
      """
    ) { file in
      let store = try await file.store.get(AllObjectsQuery()).store
      let expected: [(Int64, Value)] = [
        (1, [31, 0.5, "A", "\n"]), (2, []), (3, [:]), (4, "3"), (5, "\"\\"), (6, 5),
        // An element that is cut, a member without a value, a size that is cut, no bytes, an unknown
        // kind, and a byte after the element.
        (7, ["bytes": 3]), (8, ["bytes": 2]), (9, ["bytes": 1]), (10, ["bytes": 0]),
        (11, ["bytes": 1]), (12, ["bytes": 3]),
        // Only texts of JSON5 have control characters and quotes without a backslash.
        (13, "a\n\t\"b"), (14, ["bytes": 4]),
      ]
      for (number, value) in expected {
        let row = try #require(store.handle(of: file.id("t", number)))
        #expect(store.value(row, file.attribute("t", "doc")) == value, "\(number)")
      }
    }
  }

  @Test("paths into JSON are answered by the database like by the engine")
  func queries() async throws {
    try await withThings { both in
      for text in Self.pushed {
        let document = try QueryDocument(text: text, schema: both.memory.schema)
        try await both.check(document, isPushed: true, text)
      }
    }
  }

  private static let pushed = [
    "things", "things filter meta.size > 3", "things filter meta.size >= 9007199254740993",
    "things filter meta.size = 3", "things filter meta.size = \"3\"",
    "things filter meta.size != 3", "things filter not meta.size > 3",
    "things filter meta.size is null", "things filter meta.size is not null",
    "things filter meta.size in (3, \"big\", null)", "things filter meta.size < \"c\"",
    "things filter meta.size > \"3\"", "things filter meta.size <= \"3\"",
    "things filter meta.size >= false", "things filter not meta.size < \"3\"",
    "things filter meta.size like \"b%\"", "things filter meta.size ilike \"B%\"",
    "things filter meta.size matches \"^b\"", "things filter meta.size = true",
    "things filter meta.a.b = true", "things filter meta.a.b = 1",
    "things filter meta.tags[0] = \"new\"", "things filter meta.tags[-1] = \"red\"",
    "things filter meta[0] = 5", "things filter meta[2].size = 8",
    "things filter meta.`it's` = 1", "things filter meta.`no \"such\" key` is null",
    "things filter meta = \"text\" or meta = \"plain\" or meta = 12", "things filter meta = true",
    "things filter meta is null", "things filter meta is not null", "things filter meta > 5",
    "things filter meta != \"plain\"", "things filter meta like \"%json%\"",
    "things filter meta in (12, null)", "things filter extra.size = 3 fields extra",
    "things filter extra.size >= 3", "things filter kind.meta.size > 2",
    "things filter kind.meta.size != 2", "things filter kind.meta.size is null",
    "kinds filter things.meta.size = 3", "kinds filter any things (meta.size > 5)",
    "kinds filter every things (meta.size is not null)", "things filter meta.size > 3 count",
    "things order meta.size", "things order meta.size desc", "things order meta.size last 4",
    "things order meta", "things order extra desc limit 6", "things order kind.meta.size desc",
    "things fields meta.size", "things fields meta.size as big order big desc limit 3",
    "things group meta.size aggregate count()", "things distinct fields meta.size",
    "things filter meta.size < 100 aggregate sum(meta.size), average(meta.size), count(meta.size)",
    "things group kind.meta.size aggregate count(distinct meta.size)",
    "kinds with things { filter meta.size > 3 order meta.size desc }",
    "things aggregate max(meta.size), min(meta.size), median(meta.size)",
  ]

  @Test("a query of JSON that SQL cannot express has the engine's answer")
  func fallingBack() async throws {
    try await withThings { both in
      for text in [
        "things filter meta.size > extra.size", "things filter length(meta.tags) = 2",
        "things order kind.meta.size + 1 desc, meta.size",
      ] {
        let document = try QueryDocument(text: text, schema: both.memory.schema)
        try await both.check(document, isPushed: false, text)
      }
    }
  }

  @Test("random queries of JSON have the engine's answer", arguments: [1, 2, 3])
  func random(_ seed: UInt64) async throws {
    try await withThings { both in
      var queries = RandomDatabaseQueries(
        random: SeededGenerator(seed: seed), roots: ["things", "things", "kinds"],
        links: ["things": ["kind"], "kinds": ["things"]],
        targets: ["kind": "kinds", "things": "things"],
        fields: ["things": ["meta", "extra", "id"], "kinds": ["name", "meta", "id"]],
        values: [
          1, 2, 3, 3.0, 5, true, false, "3", "big", "", "plain", "text", 9_007_199_254_740_992,
        ],
        paths: [
          "things": ["meta.size", "meta.a.b", "meta.tags.0", "meta.2.size", "extra.size"],
          "kinds": ["meta.size", "meta.size.deep"],
        ])
      for number in 0..<60 {
        let document = QueryDocument([queries.plan(depth: 0)])
        try await both.check(
          document, isPushed: nil, "seed \(seed), query \(number): \(document.text)")
      }
    }
  }

  // MARK: Writing

  private static let notes = #"""
    CREATE TABLE notes (id INTEGER PRIMARY KEY, name TEXT, meta JSON, extra JSONB);
    INSERT INTO notes VALUES (1, 'a', '{ "size": 3 }', x'7C4773697A651333'),
      (2, 'b', 'plain', NULL), (3, 'c', 5, 'null'), (4, 'd', '{"a":1}', x'00ff');
    """#

  @Test("an edited cell keeps its kind, and undo restores the cell", arguments: [0, Int.max])
  func editing(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(Self.notes, maxBytesInMemory: maxBytesInMemory) { file in
      func set(_ number: Int64, _ label: String, _ value: Value) -> TransactionStep {
        .addTriple(.id(file.id("notes", number)), file.attribute("notes", label), value)
      }
      for (step, cell, expected) in [
        // Other cells of the row stay as they are.
        (set(1, "name", "z"), "quote(meta) FROM notes WHERE id = 1", #"'{ "size": 3 }'"#),
        (set(1, "name", "z"), "quote(extra) FROM notes WHERE id = 1", "X'7C4773697A651333'"),
        (set(1, "meta", ["size": 4]), "quote(meta) FROM notes WHERE id = 1", #"'{"size":4}'"#),
        (
          set(1, "extra", ["size": 4]), "quote(extra) FROM notes WHERE id = 1",
          "X'7C4773697A651334'"
        ),
        (set(2, "meta", "other"), "quote(meta) FROM notes WHERE id = 2", "'other'"),
        (set(2, "meta", "12"), "quote(meta) FROM notes WHERE id = 2", #"'"12"'"#),
        (set(2, "meta", ["a": [true]]), "quote(meta) FROM notes WHERE id = 2", #"'{"a":[true]}'"#),
        (set(2, "extra", "text"), "quote(extra) FROM notes WHERE id = 2", #"'"text"'"#),
        (set(3, "meta", "text"), "quote(meta) FROM notes WHERE id = 3", #"'"text"'"#),
        (set(3, "meta", 6.5), "quote(meta) FROM notes WHERE id = 3", "6.5"),
        (set(3, "extra", false), "quote(extra) FROM notes WHERE id = 3", "'false'"),
        (set(4, "meta", .null), "quote(meta) FROM notes WHERE id = 4", "NULL"),
      ] {
        try await file.expectTakenBack(step, meanwhile: ["SELECT \(cell)": expected])
      }
      for number: Int64 in 1...4 {
        try await file.expectTakenBack(
          .deleteEntity(.id(file.id("notes", number)), namespace: "notes"))
      }
      let refusal = await #expect(throws: DataSourceError.self) {
        try await file.store.transact(Transaction([set(4, "extra", ["bytes": 3])]))
      }
      #expect(refusal?.message.contains("binary data") == true, "\(refusal?.message ?? "")")
    }
  }

  @Test("new rows contain JSON text")
  func creating() async throws {
    try await OtherDatabase.with(Self.notes) { file in
      let row = EntityID.random()
      try await file.store.transact(
        Transaction([
          .addTriple(.id(row), file.identity("notes"), .text(row.text)),
          .addTriple(.id(row), file.attribute("notes", "name"), "e"),
          .addTriple(.id(row), file.attribute("notes", "meta"), ["size": 4, "tags": ["x"]]),
          .addTriple(.id(row), file.attribute("notes", "extra"), "text"),
        ]))
      #expect(
        try file.value("SELECT meta || extra FROM notes WHERE name = 'e'")
          == #"{"size":4,"tags":["x"]}"text""#)
    }
  }

  @Test("an export keeps JSON")
  func exporting() async throws {
    try await OtherDatabase.with(Self.notes) { file in
      try await withTemporaryFolder { folder in
        let whole = try await file.store.wholeStore(bytes: .spelled)
        let imported = try await SQLiteStore.load(file: file.path)
        let column = try #require(imported.schema.attribute("notes", "meta"))
        #expect(
          imported.rows(of: "notes").handles.compactMap { imported.value($0, column.id) }
            == [["size": 3], "plain", 5, ["a": 1]])
        let (database, own) = (folder + "/copy.sqlite", folder + "/copy")
        try await StoreExport.write(whole, to: database, as: .sqlite)
        let copy = try await SQLiteStore.open(file: database).get(AllObjectsQuery()).store
        let meta = try #require(copy.schema.attribute("notes", "meta"))
        #expect(meta.typeName == "json")
        let values = copy.rows(of: "notes").handles.compactMap { copy.value($0, meta.id) }
        #expect(values == [["size": 3], "plain", 5, ["a": 1]])
        try await StoreExport.write(whole, to: own, as: .json)
        let store = try await FolderStore.open(folder: own)
        let plan = QueryPlan("notes").filter(.compare("meta.size", .equal, 3))
        let snapshot = try await store.get(QueryDocument(plan))
        #expect(try QueryEngine.answer(plan, in: snapshot).total == 1)
      }
    }
  }
}
