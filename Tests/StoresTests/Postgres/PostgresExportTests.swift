import ConformanceSupport
import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import Testing
import Triples

/// A store written as tables of a PostgreSQL database, and opened again.
@Suite("A store written into a PostgreSQL database", .withPostgres, .timeLimit(.minutes(5)))
struct PostgresExportTests {
  private func export(
    _ store: TripleStore, to database: TestPostgres, isReplacing: Bool = false
  ) async throws -> [String] {
    try await StoreExport.write(
      WholeStore(StoreSnapshot(store)), to: PostgresParameters(database.address()),
      isReplacing: isReplacing)
  }

  @Test(
    "opened again it has the same answers, but for the order of rows that no query orders",
    .enabled(if: ConformanceFile.folder != nil), arguments: ["movies", "zeneca"])
  func answers(_ name: String) async throws {
    let file = try ConformanceFile(name)
    let database = try PostgresServer.running().database()
    _ = try await export(file.store, to: database)
    let store = try await PostgresStore.open(PostgresParameters(database.address()))
    let schema = try await store.get(SchemaQuery()).store.schema
    let added = Set(schema.attributes.map(\.label))
      .subtracting(file.store.schema.attributes.map(\.label))
    var compared = 0
    for example in file.cases where example.error == nil {
      let query = JSONWriter.text(example.query)
      let isPage = ["after", "before", "limit", "first", "last", "offset"].contains {
        query.contains("\"\($0)\"")
      }
      guard !isPage, let document = try? QueryDocument(json: query),
        let wanted = try? QueryEngine.json(document, in: file.store),
        let snapshot = try? await store.get(document)
      else { continue }
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      let (here, there) = try (data(output.text, without: added), data(wanted, without: []))
      // Links of movies have namespaces without entities, so other ones are used.
      if name == "movies", ["q07", "q08"].contains(example.id) { continue }
      #expect(here == there, "\(example.id): \(output.text) and \(wanted)")
      compared += 1
    }
    #expect(compared > 0)
  }

  @Test("numbers of any size are written to one column, and have the same sum again")
  func numbers() async throws {
    var store = TripleStore()
    let id = Attribute(id: AttributeID("n/id"), namespace: "n", label: "id")
    let size = Attribute(id: AttributeID("n/size"), namespace: "n", label: "size")
    for attribute in [id, size] { store.addAttribute(attribute) }
    let numbers: [Value] = [1, 2.5, .double(1e21), .integer(9_007_199_254_740_993)]
    for (place, number) in numbers.enumerated() {
      let entity = store.makeEntity(.derived(from: "\(place)"), in: "n")
      store.insert(.text(store.id(of: entity).text), of: entity, id.id, at: Int64(place))
      store.insert(number, of: entity, size.id, at: Int64(place))
    }
    let database = try PostgresServer.running().database()
    #expect(try await export(store, to: database) == [])
    let again = try await PostgresStore.open(PostgresParameters(database.address()))
    let memory = try await again.wholeStore(bytes: .counted).store
    let read = memory.rows(of: "n").handles.flatMap { entity in
      memory.schema.attribute("n", "size").map { memory.values(entity, $0.id) } ?? []
    }
    #expect(Set(read) == Set(numbers))
    let plan = QueryPlan(
      "n", aggregates: [Aggregation(.max, "size"), Aggregation(.median, "size")])
    let snapshot = try await again.get(QueryDocument(plan))
    let options = QueryOptions().answering(plan, in: snapshot)
    let found = try QueryEngine.answer(plan, in: snapshot.store, options: options)
    #expect(found.table?.rows == (try QueryEngine.answer(plan, in: store).table?.rows))
  }

  /// The data of an answer with sorted rows.
  private func data(_ json: String, without labels: Set<String>) throws -> String {
    guard case .object(let answer) = try JSONReader.value(of: Array(json.utf8)) else { return "" }
    return JSONWriter.text(sorted(answer["data"] ?? .null, labels))
  }

  private func sorted(_ value: Value, _ labels: Set<String>) -> Value {
    switch value {
    case .array(let values):
      return .array(
        values.map { sorted($0, labels) }.sorted { JSONWriter.text($0) < JSONWriter.text($1) })
    case .object(let object):
      let members = object.members.filter { !labels.contains($0.key) && $0.value != .null }
        .sorted { $0.key < $1.key }
        .map { JSONObject.Member(key: $0.key, value: sorted($0.value, labels)) }
      return .object(JSONObject(members))
    case .double(let number): return Int64(exactly: number).map { .integer($0) } ?? value
    case .null, .bool, .integer, .text: return value
    }
  }

  private func world() -> TripleStore {
    var store = TripleStore()
    func attribute(_ namespace: String, _ label: String, _ type: CheckedType? = nil) -> Attribute {
      var attribute = Attribute(
        id: AttributeID("\(namespace)/\(label)"), namespace: namespace, label: label)
      attribute.checkedType = type
      return attribute
    }
    let name = "a\"'; DROP"
    var indexed = attribute(name, "long")
    indexed.isIndexed = true
    var link = attribute(name, "up")
    link.valueType = .ref
    link.reverse = Attribute.Name(namespace: name, label: "down")
    let values: [(Attribute, Value)] = [
      (attribute(name, "mixed"), ["x", 1, nil, 1.5]), (attribute(name, "nul"), "a\0b"),
      (attribute(name, "day", .date), "2025-01-10"),
      (attribute(name, "moment", .date), "2025-01-10T10:00:00+02:00"),
      (attribute(name, "xmin"), 7), (attribute(name, String(repeating: "ü", count: 60)), "wide"),
      (indexed, .text(String(repeating: "long ", count: 1_000))), (attribute(name, "number"), 0.25),
    ]
    store.addAttribute(attribute(name, "id"))
    for (attribute, _) in values { store.addAttribute(attribute) }
    store.addAttribute(link)
    for number in 1...2 {
      let entity = store.makeEntity(
        EntityID("00000000-0000-4000-8000-00000000000\(number)"), in: name)
      store.insert(.text(store.id(of: entity).text), of: entity, AttributeID("\(name)/id"), at: 0)
      for (attribute, value) in values {
        store.insert(number == 1 ? value : .null, of: entity, attribute.id, at: 0)
      }
      store.insert(target: entity, of: entity, link.id, at: 0)
    }
    return store
  }

  @Test("what does not fit is reported, and hostile names and long ones are names")
  func report() async throws {
    let database = try PostgresServer.running().database("CREATE TABLE other (id int);")
    let store = world()
    let remarks = try await export(store, to: database)
    let words = remarks.joined(separator: "\n")
    for part in [
      "exported as column 'xmin_2'", "NUL characters", "written in UTC", "too long for an index",
    ] {
      #expect(words.contains(part), "\(words)")
    }
    let table = "\"a\"\"'; DROP\""
    #expect(
      try database.run("SELECT day, moment AT TIME ZONE 'UTC', mixed, nul FROM \(table) LIMIT 1")
        == "2025-01-10|2025-01-10 08:00:00|[\"x\", 1, null, 1.5]|ab")
    // Nothing is replaced without a word, and nothing is written by halves.
    let error = await #expect(throws: StoreError.self) { _ = try await export(store, to: database) }
    #expect(error.map { "\($0)".contains("--force") } == true, "\(String(describing: error))")
    _ = try await export(store, to: database, isReplacing: true)
    #expect(try database.run("SELECT count(*) FROM \(table)") == "2")
    let opened = try await PostgresStore.open(PostgresParameters(database.address()))
    let schema = try await opened.get(SchemaQuery()).store.schema
    #expect(schema.link("a\"'; DROP", "up") != nil && schema.link("a\"'; DROP", "down") != nil)
    #expect(schema.attribute("sonde_links", "id") == nil)
  }

  @Test("a database that cannot be opened cannot be written")
  func unreachable() async throws {
    let parameters = PostgresParameters("postgres://127.0.0.1:1/none")
    let error = await #expect(throws: StoreError.self) {
      try await StoreExport.write(WholeStore(StoreSnapshot(TripleStore())), to: parameters)
    }
    guard case .unwritable? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("quoted names with spaces and capitals keep their filters and links in every export")
  func orgChart() async throws {
    let server = try PostgresServer.running()
    let tables = try server.database(
      """
      CREATE SCHEMA "Org Chart";
      CREATE TABLE "Org Chart"."Team" ("Team Id" int PRIMARY KEY, "Name" text);
      CREATE TABLE "Org Chart"."Staff Member" ("Member Id" int PRIMARY KEY, "Full Name" text,
        "Boss Id" int REFERENCES "Org Chart"."Staff Member",
        "Team Id" int REFERENCES "Org Chart"."Team");
      INSERT INTO "Org Chart"."Team" VALUES (1, 'Sales'), (2, 'Research');
      INSERT INTO "Org Chart"."Staff Member" VALUES (1, 'Ann', NULL, 1), (2, 'Bob', 1, 2),
        (3, 'Cy', 2, 2);
      """)
    let plan = QueryPlan(
      "Org Chart.Staff Member",
      condition: .compare(AttributePath(["Boss", "Full Name"]), .equal, "Ann")
    ).with("Team")
    func expectBob(_ answer: Answer, _ place: String) throws {
      #expect(answer.rows.map { answer.value($0, "Full Name") } == ["Bob"], "\(place)")
      let team = try answer.related("Team", of: #require(answer.rows.first))
      #expect(team.rows.map { team.value($0, "Name") } == ["Research"], "\(place)")
    }
    func expectBob(_ store: PostgresStore, _ place: String) async throws {
      let snapshot = try await store.get(QueryDocument(plan))
      #expect(snapshot.served?.found[plan.text] != nil, "\(place)")
      try expectBob(
        QueryEngine.answer(
          plan, in: snapshot.store, options: QueryOptions().answering(plan, in: snapshot)), place)
    }
    let store = try await PostgresStore.open(PostgresParameters(tables.address()))
    try await expectBob(store, "the database")
    let whole = try await store.wholeStore(bytes: .spelled)
    let endings: [StoreExport.Format: String] = [
      .backup: ".zip", .dump: ".json", .sqlite: ".sqlite",
    ]
    try await withTemporaryFolder { folder in
      for format in StoreExport.Format.allCases {
        let path = folder + "/" + format.rawValue + (endings[format] ?? "")
        try await StoreExport.write(whole, to: path, as: format)
        let copy = try await FileSource.load(path).store
        try expectBob(QueryEngine.answer(plan, in: copy), "\(format)")
      }
    }
    let copies = try server.database()
    try await StoreExport.write(whole, to: PostgresParameters(copies.address()))
    let copy = try await PostgresStore.open(PostgresParameters(copies.address()))
    try await expectBob(copy, "the copy")
  }

  @Test("numbers and dates of PostgreSQL keep their types, or the report names them")
  func specialValues() async throws {
    let server = try PostgresServer.running()
    let source = try server.database(
      """
      CREATE TABLE v (id int PRIMARY KEY, f float8, n numeric, d date, t timestamptz, s timestamp,
        e float8);
      INSERT INTO v VALUES
        (1, 1.5, 1.5, '2025-01-01', '2025-01-01 10:00:00.123456+00', '2025-01-01 10:00', 'NaN'),
        (2, 'NaN', 'NaN', 'infinity', '-infinity', '0044-03-15 12:00 BC', 1e300),
        (3, '-Infinity', 123456789012345678901234567890.5, '0044-03-15 BC',
         '10000-01-01 00:00+00', 'infinity', NULL);
      """)
    let store = try await PostgresStore.open(PostgresParameters(source.address()))
    let whole = try await store.wholeStore(bytes: .spelled)
    let copy = try server.database()
    #expect(try await StoreExport.write(whole, to: PostgresParameters(copy.address())) == [])
    let types = try copy.run(
      """
      SELECT string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position)
      FROM information_schema.columns WHERE table_name = 'v'
      """)
    #expect(
      types == "id bigint, f double precision, n numeric, d date, t timestamp with time zone, "
        + "s timestamp without time zone, e double precision")
    let rows = "SELECT f, n, d, t, s, e FROM v ORDER BY id"
    #expect(try copy.run(rows) == source.run(rows))
    try await withTemporaryFolder { folder in
      let remarks = try await StoreExport.write(whole, to: folder + "/v.sqlite", as: .sqlite)
      let numbers = "numbers that SQLite cannot store exactly"
      let dates = "dates outside of ISO 8601"
      for remark in [
        "v.f: \(numbers), such as NaN, are written as text (2 in all).",
        "v.n: \(numbers), such as NaN, are written as text (2 in all).",
        "v.d: \(dates), such as infinity, are written as text (2 in all).",
        "v.s: \(dates), such as 0044-03-15 12:00:00 BC, are written as text (2 in all).",
        "v.e: \(numbers), such as NaN, are written as text (1 in all).",
      ] { #expect(remarks.contains(remark), "\(remarks)") }
      #expect(remarks.contains { $0.hasPrefix("v.t: \(dates), such as -infinity") })
      #expect(remarks.count == 6)
    }
  }

  @Test("columns without values, empty tables and floating-point columns keep their types")
  func declaredTypes() async throws {
    let server = try PostgresServer.running()
    let source = try server.database(
      """
      CREATE TABLE v (id int PRIMARY KEY, i int, s smallint, f real, n numeric, b boolean, d date,
        t timestamp, z timestamptz, j jsonb, w varchar(9));
      INSERT INTO v (id) VALUES (1);
      CREATE TABLE empty (id int PRIMARY KEY, size bigint);
      CREATE TABLE shares (id int PRIMARY KEY, share float8);
      INSERT INTO shares VALUES (1, 1.5), (2, 100);
      """)
    let store = try await PostgresStore.open(PostgresParameters(source.address()))
    let whole = try await store.wholeStore(bytes: .spelled)
    let copy = try server.database()
    #expect(try await StoreExport.write(whole, to: PostgresParameters(copy.address())) == [])
    let types = try copy.run(
      """
      SELECT table_name || ': '
        || string_agg(column_name || ' ' || data_type, ', ' ORDER BY ordinal_position)
      FROM information_schema.columns WHERE table_name IN ('empty', 'shares', 'v')
      GROUP BY table_name ORDER BY table_name
      """)
    #expect(
      types == """
        empty: id bigint, size bigint
        shares: id bigint, share double precision
        v: id bigint, i bigint, s bigint, f double precision, n numeric, b boolean, d date, \
        t timestamp without time zone, z timestamp with time zone, j jsonb, w text
        """)
    #expect(try copy.run("SELECT share FROM shares ORDER BY id") == "1.5\n100")
  }

  @Test("columns of JSON keep strings of JSON, and all digits of the numbers in lists and objects")
  func jsonColumns() async throws {
    let server = try PostgresServer.running()
    let source = try server.database(
      """
      CREATE TABLE v (id int PRIMARY KEY, a jsonb, b jsonb, c jsonb, d json);
      INSERT INTO v VALUES
        (1, '[12345678901234567890.123]', '"x"', '1', '12345678901234567890.123'),
        (2, '{"a": 0.12345678901234567890}', '"[1]"', 'true', '[]'),
        (3, '"[12345678901234567890.123]"', '"{\\"a\\": 0.12345678901234567890}"', '2', NULL);
      """)
    let store = try await PostgresStore.open(PostgresParameters(source.address()))
    let copy = try server.database()
    let remarks = try await StoreExport.write(
      store.wholeStore(bytes: .spelled), to: PostgresParameters(copy.address()))
    #expect(
      remarks == [
        "v.d: numbers with more digits than a double has, such as 12345678901234567890.123, are "
          + "written as strings (1 in all)."
      ])
    let rows = "SELECT a, b, c, pg_typeof(a), pg_typeof(b), pg_typeof(c) FROM v ORDER BY id"
    #expect(try copy.run(rows) == source.run(rows))
    #expect(
      try copy.run("SELECT string_agg(d::text, ' ' ORDER BY id) FROM v")
        == "\"12345678901234567890.123\" []")
  }

  @Test("a column id with different numbers stays the key, and foreign keys contain it")
  func numberedKeys() async throws {
    let sql = """
      CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE things (
        id INTEGER PRIMARY KEY, name TEXT, maker_id INTEGER REFERENCES makers(id));
      CREATE TABLE words (id TEXT PRIMARY KEY, thing_id INTEGER REFERENCES things(id));
      INSERT INTO makers VALUES (7, 'Ann'), (9, 'Bo');
      INSERT INTO things VALUES (1, 'lamp', 7), (5, 'chair', 9), (6, 'door', NULL);
      INSERT INTO words VALUES ('light', 1), ('wood', 5);
      """
    let database = try PostgresServer.running().database()
    try await OtherDatabase.with(sql) { file in
      let remarks = try await StoreExport.write(
        file.store.wholeStore(bytes: .spelled), to: PostgresParameters(database.address()))
      #expect(remarks == [])
    }
    #expect(
      try database.run(
        "SELECT string_agg(t.id || ' ' || t.name || coalesce(' ' || m.name, ''), ', ' ORDER BY t.id)"
          + " FROM things t LEFT JOIN makers m ON m.id = t.maker_id")
        == "1 lamp Ann, 5 chair Bo, 6 door")
    #expect(try database.run("SELECT string_agg(id, ', ' ORDER BY id) FROM words") == "light, wood")
    #expect(try database.run("INSERT INTO things(name) VALUES ('bed') RETURNING id") == "7")
  }
}
