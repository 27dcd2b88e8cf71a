import ConformanceSupport
import DataSources
import InstaQL
import LiveQueries
import PostgresTestSupport
import Stores
import TestSupport
import Testing
import Triples

/// Apps in the database of a self-hosted Instant server.
@Suite(
  "The database of an Instant server",
  .withPostgres, .enabled(if: ConformanceFile.folder != nil), .timeLimit(.minutes(5)))
struct InstantAppTests {
  /// The maximum numbers of triples with which an app is loaded, and its queries run as SQL.
  private static let limits = [1_000_000, 0]

  private func open(
    _ database: TestPostgres, _ app: String = InstantDatabase.mine, user: String? = nil, limit: Int
  ) async throws -> any StoreDataSource {
    let address = user.map { database.address(user: $0) } ?? database.address()
    return try await PostgresStore.openAny(
      PostgresParameters(address + "#" + app), maxLoadedTriples: limit)
  }

  private func remark(of store: any StoreDataSource) -> String? {
    (store as? PostgresStore)?.remark ?? (store as? InstantAppStore)?.remark
  }

  /// The cases that SQL cannot express: their links lead to namespaces without entities, their
  /// paths share a linked entity, or they compare values without a checked type.
  private static let loadedCases = [
    "movies": [
      "q04", "q05", "q06", "q07", "q08", "q09", "q10", "q12", "q13", "q15", "q25", "q38",
      "q45", "q50", "q54", "q57",
    ],
    "zeneca": [
      "q08", "q13", "q16", "q17", "q20", "q32", "q35", "q38", "q39", "q44", "q46", "q52",
      "q56",
    ],
  ]

  @Test("an app gives the answers of its own file", arguments: ["movies", "zeneca"], limits)
  func answers(_ name: String, limit: Int) async throws {
    let file = try ConformanceFile(name)
    let store = try await open(InstantDatabase.make(file), name, limit: limit)
    let schema = try await store.get(SchemaQuery()).store.schema
    // The database does not keep the order in which they were made.
    #expect(schema.namespaces.sorted() == file.store.schema.namespaces.sorted())
    var loaded: [String] = []
    for example in file.cases where example.error == nil {
      guard let document = try? QueryDocument(json: JSONWriter.text(example.query)),
        let wanted = try? QueryEngine.json(document, in: file.store)
      else { continue }
      let snapshot = try await store.get(document)
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      #expect(
        try JSONReader.value(of: Array(output.text.utf8)).isSameJSON(
          as: JSONReader.value(of: Array(wanted.utf8))),
        "\(example.id): \(output.text) and \(wanted)")
      if snapshot.served?.found.isEmpty != false { loaded.append(example.id) }
    }
    if limit == 0 { #expect(loaded == Self.loadedCases[name]) }
    let error = await #expect(throws: DataSourceError.self) {
      try await store.put(nil, in: TransactionQuery(Transaction([])))
    }
    #expect(error?.message.contains("wss://") == true)
  }

  /// Questions about every kind of attribute, and whether SQL can express them.
  private static let questions: [(text: String, isInSQL: Bool)] = [
    ("tasks", true), ("tasks order due", true), ("tasks order due desc limit 7", true),
    ("tasks filter due > \"2025-01-10\"", true), ("tasks filter due = \"2025-01-10\"", true),
    ("tasks filter due in (\"2025-01-10\", \"2025-01-12T00:00:00Z\")", true),
    ("tasks filter hours > 3.5", true), ("tasks filter hours = 2", true),
    ("tasks filter hours != 2", true), ("tasks filter not hours > 5", true),
    ("tasks filter hours in (1, 2.5)", true), ("tasks filter hours is null", true),
    ("tasks filter hours > \"a\"", false), ("tasks order hours, title desc limit 9", true),
    ("tasks order hours desc limit 11 offset 5", true), ("tasks order done, mixed", true),
    ("tasks filter title like \"Task b%\"", true), ("tasks filter title ilike \"TASK c%\"", true),
    ("tasks filter title >= \"Task x\" order title", true),
    ("tasks filter note like \"%clair\" order note limit 4", true),
    ("tasks filter due > \"2025-01-10\" and owner.name like \"%3\"", true),
    ("tasks order mixed desc limit 30", true), ("tasks filter mixed > 10", false),
    ("tasks filter mixed = true", true),
    ("tasks filter mixed = 8", true), ("tasks filter mixed like \"t%\"", true),
    ("tasks filter mixed > \"t2\" order mixed desc", false), ("tasks filter mixed is null", true),
    ("tasks filter mixed != \"Émile\" order mixed limit 20", true),
    ("tasks filter code = \"c4\"", true), ("tasks filter code != \"c4\" and done = true", true),
    ("tasks filter code is null order code", true), ("tasks filter done is null", true),
    ("tasks filter owner.name = \"Person 2\"", true),
    ("tasks filter together(owner.name = \"Person 2\", hours > 2)", true),
    ("tasks filter together(owner.name = \"Person 2\", owner.name like \"P%\")", false),
    ("tasks filter owner.name != \"Person 2\"", true),
    ("tasks filter owner is null", true), ("tasks order owner.name, hours limit 12", true),
    ("tasks filter count(watchers) > 1", true),
    ("people filter owned.hours > 9 order name", true),
    (
      "people with owned { filter hours > 2 order hours desc limit 2 with watchers }, watched",
      true
    ),
    ("people filter every owned (hours < 9)", true),
    ("tasks filter any owner (name = \"Person 1\") and hours > 1 or done = true", true),
    ("tasks first 3", true), ("tasks last 4", true), ("tasks order title last 3", true),
    ("tasks count", true), ("tasks filter done = true count", true),
    ("tasks group by done aggregate count, sum hours, average hours, max hours", true),
    ("tasks group by owner aggregate count", true), ("tasks aggregate min title", true),
    ("tasks group by mixed", true), ("tasks group by owner.name aggregate sum hours", true),
    ("tasks aggregate count(code), count(distinct mixed), median(hours), sum(mixed)", true),
    ("tasks group by due", true), ("tasks filter tags = \"b\"", false),
    ("tasks aggregate count(tags)", true),
    ("tasks filter title matches \"^Task [ab]\"", false),
  ]

  @Test("SQL and the loaded app give the same answers", arguments: questions)
  func attributes(_ text: String, isInSQL: Bool) async throws {
    let stores = try await Self.tasks.value
    let document = try QueryDocument(text: text)
    var answers: [String] = []
    for store in stores {
      let snapshot = try await store.get(document)
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      answers.append(output.text)
      if store is PostgresStore { #expect((snapshot.served?.found.isEmpty == false) == isInSQL) }
    }
    #expect(answers[1] == answers[0])
  }

  /// The app of tasks, loaded and not.
  private static let tasks = Task {
    let database = try PostgresServer.running().database(
      InstantDatabase.tables + InstantDatabase.tasks(90) + InstantDatabase.indexes)
    var stores: [any StoreDataSource] = []
    for limit in limits {
      stores.append(
        try await PostgresStore.openAny(
          PostgresParameters(database.address() + "#tasks"), maxLoadedTriples: limit))
    }
    return stores
  }

  @Test("the missing rules are named, and an explanation shows statements on triples")
  func remarks() async throws {
    let store = try #require(try await Self.tasks.value[1] as? PostgresStore)
    #expect(store.remark?.contains("without applying its permission rules") == true)
    let whole = try await store.wholeStore(bytes: .counted).store
    let tags = try #require(whole.schema.attribute("tasks", "tags")?.id)
    #expect(whole.rows(tags, .stored).handles.count == 90)
    var view = AnswerView()
    view.explains = true
    let document = try QueryDocument(text: "tasks filter hours > 9 limit 3")
    for try await snapshot in store.watch(document, showing: view).awaited("an answer") {
      let statement = try #require(snapshot.served?.statements.first)
      #expect(statement.text.contains("triples_extract_number_value"))
      #expect(!statement.text.contains("9.0") && !statement.plan.isEmpty)
      break
    }
  }

  @Test("a number that no double can hold is a text, loaded or in SQL", arguments: limits)
  func hugeNumbers(limit: Int) async throws {
    let database = try PostgresServer.running().database(
      InstantDatabase.tables + InstantDatabase.tasks(3)
        + """
        UPDATE triples SET value = '1e400'
          WHERE attr_id = '00000000-0000-4000-9000-000000000006' AND value = 'true';
        """ + InstantDatabase.indexes)
    let store = try await open(database, limit: limit)
    let document = try QueryDocument(text: "tasks filter code = \"c2\" fields mixed")
    let snapshot = try await store.get(document)
    var output = JSONOutput(capacity: 1 << 10)
    try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
    let digits = "1" + String(repeating: "0", count: 400)
    #expect(output.text.contains("\"mixed\":\"\(digits)\""), "\(output.text)")
  }

  @Test("pages of a large namespace follow one another, and use indexes")
  func pages() async throws {
    let database = try PostgresServer.running().database(
      InstantDatabase.tables + InstantDatabase.tasks(100) + InstantDatabase.moreTasks(50_000)
        + InstantDatabase.indexes)
    let store = try #require(try await open(database, limit: 0) as? PostgresStore)
    let memory = try await store.wholeStore(bytes: .counted).store
    for (order, index) in [
      ("serverCreatedAt", "triples_created_at_idx"), ("hours", "triples_number_type_idx"),
      ("hours desc, note", "triples_number_type_idx"), ("mixed", nil),
    ] {
      let plan = try QueryDocument(text: "tasks order \(order)").plans[0]
      let wanted = try QueryEngine.answer(plan, in: memory).rows.map { memory.id(of: $0) }
      for skipped in [0, 100, 15_000, 35_050, 50_050] {
        var view = AnswerView(window: .init(skipped: skipped, count: 100))
        var found: [EntityID] = []
        let snapshots = store.watch(QueryDocument(plan), showing: view).awaited("an answer")
        for try await snapshot in snapshots {
          found = (snapshot.served?.found[plan.text]?.rows ?? []).map { snapshot.store.id(of: $0) }
          break
        }
        #expect(
          found == Array(wanted[skipped..<min(50_100, skipped + 100)]), "\(order) at \(skipped)")
        view.explains = true
        guard skipped == 0, let index else { continue }
        let explained = store.watch(QueryDocument(plan), showing: view).awaited("a plan")
        for try await snapshot in explained {
          let lines = try #require(snapshot.served?.statements.first).plan
          #expect(lines.contains { $0.contains(index) }, "\(lines.joined(separator: "\n"))")
          break
        }
      }
    }
  }

  /// Questions, and the index that answers each.
  private static let indexed = [
    ("tasks filter hours = 96 limit 20", "ave_with_e_index"),
    ("tasks filter hours > 96 limit 20", "triples_number_type_idx"),
    ("tasks filter title = \"Task b1\"", "ave_with_e_index"),
    ("tasks filter code = \"c4\"", "av_index"),
    ("tasks filter due < \"2025-01-01\"", "triples_date_type_idx"),
    ("tasks filter owner.name = \"Person 3\"", "vae_uuid_index"),
    ("people filter owned.title = \"Task b1\"", "ave_with_e_index"),
  ]

  @Test("conditions use the indexes of the server")
  func indexes() async throws {
    let database = try PostgresServer.running().database(
      InstantDatabase.tables + InstantDatabase.tasks(3_000) + InstantDatabase.indexes)
    let store = try await open(database, limit: 0)
    var view = AnswerView()
    view.explains = true
    for (text, index) in Self.indexed {
      let snapshots = try store.watch(QueryDocument(text: text), showing: view).awaited("a plan")
      for try await snapshot in snapshots {
        let lines = try #require(snapshot.served?.statements.first).plan
        #expect(lines.contains { $0.contains(index) }, "\(text): \(lines.joined(separator: "\n"))")
        #expect(!lines.contains { $0.contains("Seq Scan on triples") }, "\(text)")
        break
      }
    }
  }

  @Test("without an app the apps are listed", arguments: limits)
  func apps(limit: Int) async throws {
    let database = try InstantDatabase.make(ConformanceFile("zeneca"))
    let error = await #expect(throws: StoreError.self) {
      _ = try await PostgresStore.openAny(
        PostgresParameters(database.address()), maxLoadedTriples: limit)
    }
    #expect(error?.message.contains(InstantDatabase.mine) == true)
    #expect(error?.message.contains("zeneca") == true)
  }

  @Test(
    "a transaction of the server is noticed, also when it is committed after a later one",
    .timeLimit(.minutes(5)), arguments: limits)
  func live(limit: Int) async throws {
    let database = try InstantDatabase.make(ConformanceFile("zeneca"))
    func transaction(_ number: Int) -> String {
      "INSERT INTO transactions (id, app_id) OVERRIDING SYSTEM VALUE "
        + "VALUES (\(number), '\(InstantDatabase.mine)');"
    }
    try database.run(transaction(6))
    let store = try await open(database, limit: limit)
    var before: Int?
    for try await snapshot in store.watch(AllObjectsQuery()).awaited("the changed count") {
      // The first snapshot of a large app arrives before its rows are counted.
      guard
        let count = snapshot.served.map({ $0.counts["users"] }) ?? snapshot.store.count(of: "users")
      else { continue }
      guard let known = before else {
        before = count
        let id = try #require(snapshot.store.schema.attribute("users", "id")?.id)
        let entity = "00000000-0000-4000-8000-0000000000ff"
        try database.run(
          "BEGIN;" + transaction(5)
            + InstantDatabase.insertion(of: entity, identity: id.text) + "COMMIT;")
        continue
      }
      if count == known + 1 { break }
    }
  }

  @Test("a new attribute is noticed", .timeLimit(.minutes(5)))
  func newAttribute() async throws {
    let database = try InstantDatabase.make(ConformanceFile("zeneca"))
    let store = try await open(database, limit: 0)
    var isWritten = false
    for try await snapshot in store.watch(SchemaQuery()).awaited("the new attribute") {
      if snapshot.store.schema.attribute("users", "nickname") != nil { break }
      guard !isWritten else { continue }
      isWritten = true
      try database.run(
        """
        INSERT INTO attrs (id, app_id, value_type, cardinality, etype, label) VALUES
          ('00000000-0000-4000-9000-0000000000ff', '\(InstantDatabase.mine)', 'blob', 'one', 'users',
           'nickname');
        """)
    }
  }

  @Test(
    "a role with the documented privileges reads an app, and no other app", arguments: limits)
  func rights(limit: Int) async throws {
    let database = try InstantDatabase.make(ConformanceFile("zeneca"))
    try database.run(
      """
      DO $$ BEGIN CREATE ROLE app_reader LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      GRANT SELECT ON attrs, triples, transactions TO app_reader;
      GRANT SELECT (id, title, created_at, status, deletion_marked_at) ON apps TO app_reader;
      """)
    let store = try await open(database, "zeneca", user: "app_reader", limit: limit)
    let schema = try await store.get(SchemaQuery()).store.schema
    for attribute in schema.attributes {
      #expect(!attribute.namespace.hasPrefix("$magic") && !attribute.label.contains("deleted$"))
    }
    for namespace in schema.namespaces {
      let found = try await store.get(QueryDocument([QueryPlan(namespace)])).store
      #expect(found.count(of: namespace) > 0)
      for attribute in found.schema.attributes {
        for entity in found.rows(attribute.id, .stored).handles {
          let text = JSONWriter.text(found.value(entity, attribute.id) ?? .null)
          #expect(!text.contains("top secret"), "\(text)")
        }
      }
    }
  }

  @Test(
    "a role that row security restricts sees only its rows, with a remark, and all their changes",
    .timeLimit(.minutes(5)), arguments: limits)
  func rowSecurity(limit: Int) async throws {
    let file = try ConformanceFile("zeneca")
    let users = try #require(file.store.schema.attribute("users", "id")).id
    let entities = file.store.rows(of: "users").handles.map { file.store.id(of: $0).text }
    let hidden = try #require(entities.first)
    let database = try InstantDatabase.make(file)
    try database.run(InstantDatabase.restriction(of: "tenant", hiding: hidden))
    let owner = try await open(database, limit: limit)
    #expect(remark(of: owner)?.contains("row security") == false)
    #expect(try await owner.wholeStore(bytes: .counted).remarks.isEmpty)
    // The only app that the role sees is opened without its name.
    let store = try await PostgresStore.openAny(
      PostgresParameters(database.address(user: "tenant")), maxLoadedTriples: limit)
    let words = "any rows of public.attrs, public.triples that row security hides"
    #expect(remark(of: store)?.contains(words) == true)
    let whole = try await store.wholeStore(bytes: .counted)
    #expect(whole.remarks == ["Not exported from the database: \(words)."])
    var isWritten = false
    let new = "00000000-0000-4000-8000-0000000000ff"
    let snapshots = store.watch(QueryDocument(QueryPlan("users"))).awaited("the new user")
    for try await snapshot in snapshots {
      let rows = snapshot.store.rows(of: "users").handles
      let found = Set(rows.map { snapshot.store.id(of: $0).text })
      #expect(found.subtracting([new]) == Set(entities.dropFirst()))
      if found.contains(new) { break }
      if !isWritten { try database.run(InstantDatabase.insertion(of: new, identity: users.text)) }
      isWritten = true
    }
  }
}
