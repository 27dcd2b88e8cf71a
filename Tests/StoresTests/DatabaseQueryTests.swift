import DataSources
import DataSourcesTesting
import Foundation
import InstaQL
import LiveQueries
import Stores
import SyncTestSupport
import TestSupport
import Testing
import Triples

/// Compares queries run as SQL with the engine over the same database in memory.
@Suite("Queries of a database in place", .timeLimit(.minutes(10)))
struct DatabaseQueryTests {
  /// People with bosses, teams with a text key, and values that differ from the declared types.
  private static let office = """
    CREATE TABLE teams (code TEXT PRIMARY KEY, name TEXT COLLATE NOCASE, founded DATE, budget DECIMAL(10, 2));
    CREATE TABLE people (
      id INTEGER PRIMARY KEY, name TEXT, level INTEGER, active BOOLEAN, pay REAL, joined DATETIME, born DATE,
      paid BOOLEAN,
      team_code TEXT REFERENCES teams(code), boss_id INTEGER REFERENCES people(id),
      note);
    CREATE TABLE skills (id TEXT PRIMARY KEY, title VARCHAR(20));
    CREATE TABLE has_skill (
      person INTEGER REFERENCES people(id), skill TEXT REFERENCES skills(id),
      PRIMARY KEY (person, skill));
    CREATE TABLE rooms (floor INTEGER, number INTEGER, seats INTEGER, PRIMARY KEY (floor, number));
    CREATE TABLE desks (
      height REAL, floor INTEGER, number INTEGER, owner INTEGER UNIQUE REFERENCES people(id),
      FOREIGN KEY (floor, number) REFERENCES rooms(floor, number));
    CREATE TABLE plain (kind TEXT PRIMARY KEY, many INTEGER) WITHOUT ROWID;
    INSERT INTO teams VALUES ('eng', 'Engineering', '2001-02-03', 12.5), ('Eng', 'engineering', 'soon', 7),
      ('ops', 'Opérations', NULL, NULL), ('art', '', '1999-12-31T10:00:00Z', 0);
    INSERT INTO skills VALUES ('11111111-2222-4333-8444-555555555555', 'sewing'), ('b', 'Baking'),
      ('c', NULL);
    INSERT INTO rooms VALUES (1, 1, 4), (1, 2, NULL), (2, 1, 9);
    INSERT INTO plain VALUES ('x', 3), ('a', 1), ('m', NULL);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 60)
    INSERT INTO people SELECT i * 3,
      CASE i % 7 WHEN 0 THEN NULL WHEN 1 THEN 'Zoë ' || (i % 5) WHEN 2 THEN 'anna%' || i
        ELSE 'Person_' || i END,
      CASE i % 11 WHEN 3 THEN 'senior' WHEN 4 THEN NULL ELSE i % 5 END,
      CASE i % 9 WHEN 0 THEN NULL WHEN 5 THEN 2 ELSE i % 2 END,
      CASE i % 13 WHEN 0 THEN 9e999 WHEN 1 THEN NULL ELSE i * 1.5 END,
      CASE i % 6 WHEN 0 THEN NULL WHEN 1 THEN 'never' ELSE '20' || (10 + i % 10) || '-0' || (1 + i % 9)
        || '-15' END,
      CASE i % 8 WHEN 0 THEN NULL ELSE (1950 + i % 30) || '-' || (10 + i % 3) || '-1' || (i % 9) END,
      CASE i % 8 WHEN 1 THEN NULL ELSE i % 2 END,
      CASE i % 5 WHEN 0 THEN NULL WHEN 1 THEN 'nowhere' WHEN 2 THEN 'Eng' WHEN 3 THEN 'ops' ELSE 'eng' END,
      CASE WHEN i % 4 = 0 OR i < 6 THEN NULL ELSE (i / 3) * 3 END,
      CASE i % 4 WHEN 0 THEN i WHEN 1 THEN 'text ' || i WHEN 2 THEN x'00ff' ELSE NULL END
    FROM n;
    INSERT INTO has_skill SELECT id, 'b' FROM people WHERE id % 2 = 0;
    INSERT INTO has_skill SELECT id, '11111111-2222-4333-8444-555555555555' FROM people WHERE id % 5 = 0;
    INSERT INTO desks SELECT id / 2.0, 1 + id % 2, 1, id FROM people WHERE id % 4 = 0;
    INSERT INTO desks VALUES (NULL, 7, 7, NULL);
    """

  /// A database read into memory, and the same one queried in place.
  private struct Both {
    let memory: TripleStore
    let store: SQLiteStore
    let path: String

    init(_ path: String) async throws {
      self.path = path
      memory = try await SQLiteStore.open(file: path, maxBytesInMemory: .max)
        .get(AllObjectsQuery()).store
      store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      #expect(!store.holdsEverything)
    }

    /// The queries of rows with only one field, which their conditions and sort keys rarely read.
    func withOneField(_ document: QueryDocument) -> QueryDocument {
      QueryDocument(
        document.plans.map { plan in
          var narrow = plan
          let attribute = memory.schema.attributes(of: plan.namespace).first { $0.label != "id" }
          if !plan.isCount, !plan.isSummary { narrow.fields = attribute.map { [$0.label] } }
          return narrow
        })
    }

    /// The answers of the engine and of the database, and whether the database was queried without
    /// loading it.
    ///
    /// - Parameter view: What is read; nil for everything that a screen would show.
    func answers(
      _ document: QueryDocument, showing view: AnswerView? = nil
    ) async throws -> (expected: String, found: String, isPushed: Bool) {
      var last: StoreSnapshot?
      if let view {
        for try await snapshot in store.watch(document, showing: view).awaited("an answer") {
          last = snapshot
          break
        }
      } else {
        last = try await store.get(document)
      }
      let snapshot = try #require(last)
      var output = JSONOutput(capacity: 1 << 12)
      try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      var totals: [Int] = []
      var expected: [Int] = []
      for plan in document.plans {
        totals.append(try QueryEngine.answer(plan, in: snapshot).total)
        expected.append(try QueryEngine.answer(plan, in: memory).total)
      }
      return (
        try QueryEngine.json(document, in: memory) + "\(expected)", output.text + "\(totals)",
        snapshot.served?.found.isEmpty == false
      )
    }
  }

  @Test("every kind of query is answered by the database like by the engine")
  func queries() async throws {
    try await withOffice { both in
      for text in Self.pushed {
        let (expected, found, isPushed) = try await both.answers(QueryDocument(text: text))
        #expect(found == expected, "\(text)")
        #expect(isPushed, "\(text)")
      }
    }
  }

  @Test("clients of a server get what the conditions of their queries need")
  func served() async throws {
    try await withOffice { both in
      let remote = RemoteStore(LoopbackServer(both.store))
      // Clients send "level is at most 2 or missing" instead, which no text meets.
      for text in Self.pushed where text != "people filter not level > 2" {
        let document = try QueryDocument(text: text)
        for document in [document, both.withOneField(document)] {
          let snapshot = try await remote.get(document)
          var output = JSONOutput(capacity: 1 << 12)
          try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
          let expected = try QueryEngine.json(document, in: both.memory)
          #expect(output.text == expected, "\(document.text)")
        }
      }
      await remote.close()
    }
  }

  @Test("a query that SQL cannot express has the engine's answer")
  func fallingBack() async throws {
    try await withOffice { both in
      for text in [
        "plain order many", "people order note", "people filter note > 3",
        "people filter joined > \"2014-01-01\"", "people filter pay > field(boss.pay)",
        "people order reports.name limit 3", "people filter level >= \"a\"",
        "people filter together (team_code.name = \"Engineering\", team_code.budget > 3)",
        "people order name limit 5 offset 2; plain",
      ] {
        guard let document = try? QueryDocument(text: text) else { continue }
        let (expected, found, isPushed) = try await both.answers(document)
        #expect(found == expected, "\(text)")
        #expect(!isPushed, "\(text)")
      }
    }
  }

  @Test("an invalid query has the engine's message, without the names of Swift's types")
  func invalid() async throws {
    try await withOffice { both in
      let document = try QueryDocument(
        text: "people distinct fields boss.name", schema: both.memory.schema)
      let snapshot = try await both.store.get(document)
      let error = #expect(throws: QueryError.self) {
        var output = JSONOutput(capacity: 1 << 12)
        try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
      }
      #expect(
        error?.message
          == "At 'people.$': a query with groups, aggregates or distinct cannot include linked rows; "
          + "'group boss.name' has each value of 'boss.name' once.")
    }
  }

  @Test("a search is about texts, not about ids and the columns of links")
  func search() async throws {
    try await withOffice { both in
      let schema = both.memory.schema
      #expect(
        try QueryDocument(text: "skills search \"b\"", schema: schema)
          == QueryDocument(text: "skills filter title ilike \"%b%\""))
      let people = try QueryDocument(text: "people search \"eng\"", schema: schema)
      #expect(!people.text.contains("team_code") && people.text.contains("name"))
    }
  }

  @Test("a row that a query reaches twice has the fields of both places")
  func reachedTwice() async throws {
    try await withOffice { both in
      for text in [
        "people fields name with people { filter level > 1 order pay desc }",
        "people fields name with boss { fields level, name with people { fields pay } }",
        "teams fields name with people { fields name with team_code { fields budget } }",
        "people fields name with people { filter active = true count } order name",
        "skills fields title with people { fields name with skills }",
        "people fields name limit 3; teams fields name with people { fields level }",
      ] {
        let (expected, found, isPushed) = try await both.answers(
          QueryDocument(text: text), showing: AnswerView())
        #expect(found == expected && isPushed, "\(text)")
      }
    }
  }

  @Test("random queries have the engine's answer", arguments: [1, 2, 3])
  func random(_ seed: UInt64) async throws {
    try await withOffice { both in
      var queries = RandomDatabaseQueries(
        random: SeededGenerator(seed: seed),
        roots: ["people", "people", "people", "teams", "rooms", "skills"],
        links: [
          "people": ["boss", "people", "team_code", "skills", "desks"], "teams": ["people"],
          "skills": ["people"], "rooms": ["desks"], "desks": ["rooms", "owner"],
        ],
        targets: [
          "boss": "people", "people": "people", "team_code": "teams", "skills": "skills",
          "desks": "desks", "rooms": "rooms", "owner": "people",
        ],
        fields: [
          "people": [
            "name", "level", "active", "pay", "joined", "note", "id", "_id", "born", "paid",
          ],
          "teams": ["code", "name", "founded", "budget"], "skills": ["title", "id"],
          "rooms": ["floor", "seats"], "desks": ["id", "height"],
        ],
        values: [
          1, 2, 3.0, 45.5, true, false, "senior", "Zoë 1", "2014-05-15", "text 5", "Baking", "",
          8,
        ])
      var (pushed, filled) = (0, 0)
      for number in 0..<90 {
        let document = QueryDocument([queries.plan(depth: 0)])
        let (expected, found, isPushed) = try await both.answers(
          document, showing: number.isMultiple(of: 2) ? AnswerView() : nil)
        #expect(found == expected, "seed \(seed): \(document.text)")
        pushed += isPushed ? 1 : 0
        filled += expected.contains("\"id\"") ? 1 : 0
      }
      #expect(pushed > 25 && filled > 40, "\(pushed) put to the database, \(filled) not empty")
    }
  }

  private static let pushed = [
    "people", "people count", "people filter level > 2", "people filter not level > 2",
    "people filter level = 3 or level = \"senior\" or level is null",
    "people filter name like \"Person%\"", "people filter name ilike \"ZO_ %\"",
    "people filter name ilike \"zOË%\"", "people filter name ilike \"%Ë ?%\"",
    "teams filter name ilike \"OPÉ%\" or name ilike \"[é*]\"",
    "people filter name like \"Person__\"", "people filter name like \"PERSON%\"",
    "people filter name contains \"%\" or name contains \"_1\"", "people filter name != \"Zoë 1\"",
    "people filter active = true", "people filter active != true", "people filter active = 2",
    "people filter active in (true, 2)", "people filter level in (1, \"senior\", null)",
    "people filter joined in (null) or born in (\"1951-11-11\", null)",
    "people filter paid in (null)",
    "people filter not level in (1, null)", "teams filter people.name in (\"nobody\", null)",
    "people filter pay > 40 order pay desc limit 5", "people order pay desc, name limit 9",
    "people filter born > \"1960-01-01\" order born", "people filter born != \"1951-11-11\"",
    "people filter joined = \"2014-05-15\"", "people order born desc limit 7 offset 3",
    "people order name", "people order name desc last 4",
    "people order paid, level limit 20", "people filter paid = true", "people filter paid < true",
    "people limit 3", "people last 3", "people last 3 offset 2",
    "people order born last 9 offset 55",
    "teams with people { limit 2 }",
    "teams with people { limit 2 with boss }", "people offset 55",
    "people offset 500", "people order id desc limit 3",
    "people order serverCreatedAt desc limit 2",
    "people filter team_code.name = \"engineering\"",
    "people filter team_code.name != \"engineering\"",
    "people filter team_code is null",
    "people filter team_code is not null order team_code.name, name limit 11",
    "people filter boss.boss.name like \"%\"", "people filter people.level > 3",
    "people filter no people (level > 2)", "people filter every people (level < 9)",
    "people filter any skills (title = \"Baking\")", "people filter desks.rooms.seats = 9",
    "people filter note = 8", "people filter note = \"text 5\"", "people filter note is null",
    "people filter note != 8", "people order boss.pay desc limit 10",
    "people with boss, team_code { fields name }, skills { order title desc }",
    "people limit 5 with people { filter level > 1 order name limit 2 with team_code }",
    "teams with people { filter boss.name like \"P%\" order pay desc limit 3 }",
    "teams order name", "teams filter founded = \"soon\"",
    "teams filter people.skills.title = \"sewing\" order budget desc, code",
    "skills with people { fields name order id desc limit 2 }", "skills order title desc",
    "rooms with desks { with owner { fields name } }", "desks order owner.name with rooms",
    "people fields name, level limit 4", "people distinct fields level, paid order level limit 5",
    "people group level aggregate count()",
    "people group team_code.name aggregate count(), sum(pay), max(joined)",
    "people group boss order count desc",
    "people group boss aggregate sum(pay) as total order total desc limit 2",
    "people group team_code.name having sum(pay) > 300 order max(joined) desc",
    "people aggregate sum(pay), average(level), count()", "teams; people limit 2; rooms count",
  ]

  @Test("a row is found by its id, from any kind of key")
  func ids() async throws {
    try await withOffice { both in
      for namespace in ["people", "teams", "skills", "rooms", "desks"] {
        for entity in both.memory.rows(of: namespace).handles.prefix(4) {
          let id = Value.text(both.memory.id(of: entity).text)
          let path = both.memory.schema.identityPath(from: namespace)
          for condition in [
            ConditionNode.compare(path, .equal, id), .compare(path, .notEqual, id),
            .isIn(path, [id, "x"]),
            .idStartsWith([], String(both.memory.id(of: entity).text.prefix(36))),
          ] {
            let document = QueryDocument([QueryPlan(namespace, condition: condition)])
            let (expected, found, isPushed) = try await both.answers(document)
            #expect(found == expected && isPushed, "\(document.text)")
            #expect(found.contains("\"id\""))
          }
        }
      }
    }
  }

  @Test("a window of many rows arrives first, then their number")
  func windows() async throws {
    try await withOffice { both in
      let document = try QueryDocument(text: "people filter level > 0 order name")
      let whole = try QueryEngine.answer(document.plans[0], in: both.memory)
      let ids = whole.rows.map { both.memory.id(of: $0) }
      let view = AnswerView(reach: .neighbors, window: .init(skipped: 10, count: 7))
      var answers: [Answer] = []
      let snapshots = both.store.watch(document, showing: view).awaited("a counted page")
      for try await snapshot in snapshots {
        answers.append(try QueryEngine.answer(document.plans[0], in: snapshot))
        // A slow reader may get only the second answer.
        if snapshot.isCounted { break }
      }
      for answer in answers {
        #expect(answer.rows.map { answer.store.id(of: $0) } == Array(ids[10..<17]))
        #expect(answer.window?.skipped == 10)
      }
      if answers.count > 1 { #expect(answers.first?.window?.pageCount == nil) }
      #expect(answers.last?.window?.pageCount == ids.count)
      #expect(answers.last?.total == ids.count)
    }
  }

  @Test("windows of a long answer start at the cursor")
  func movedAbout() async throws {
    try await withOffice { both in
      for text in [
        "people filter level > 0 order name", "people order pay desc",
        "people filter id is not null",
        "people order level desc, name limit 30 offset 4 with boss, team_code",
      ] {
        guard let document = try? QueryDocument(text: text) else { continue }
        let plan = document.plans[0]
        guard let whole = try? QueryEngine.answer(plan, in: both.memory) else { continue }
        let ids = whole.rows.map { both.memory.id(of: $0) }
        // The second time the store knows where all rows are.
        for skipped in [10, 3, 25, 500] {
          let view = AnswerView(reach: .neighbors, window: .init(skipped: skipped, count: 7))
          var last: Answer?
          let snapshots = both.store.watch(document, showing: view).awaited("a counted page")
          for try await snapshot in snapshots {
            last = try QueryEngine.answer(plan, in: snapshot)
            if snapshot.isCounted { break }
          }
          let answer = try #require(last)
          let first = answer.window?.skipped ?? 0
          #expect(
            answer.rows.map { answer.store.id(of: $0) } == Array(ids.dropFirst(first).prefix(7)),
            "\(text) from \(skipped)")
          if skipped < ids.count { #expect(first == skipped && !answer.rows.isEmpty) }
          #expect(answer.total == whole.total && answer.pageCount == ids.count, "\(text)")
        }
      }
    }
  }

  @Test("rows are counted once for all windows")
  func countedOnce() async throws {
    try await withOffice { both in
      let document = try QueryDocument(text: "people filter level > 0 order name")
      var counts: [Int?] = []
      for skipped in [0, 9] {
        let view = AnswerView(window: .init(skipped: skipped, count: 7))
        var told = 0
        let snapshots = both.store.watch(document, showing: view).awaited("a counted page")
        for try await snapshot in snapshots {
          counts.append(snapshot.served?.found[document.plans[0].text]?.pageCount)
          told += 1
          if told == 2 { break }
        }
      }
      let all = try QueryEngine.answer(document.plans[0], in: both.memory).total
      #expect(counts == [nil, all, all, all])
    }
  }

  @Test("the next match is found in the query's order, wrapping at the ends")
  func nextRow() async throws {
    try await withOffice { both in
      for text in [
        "people", "people order name desc", "people filter level > 1 order pay limit 20 offset 3",
      ] {
        let plan = try QueryDocument(text: text).plans[0]
        let condition = ConditionNode.compare("name", .ilike, .text("%PERSON%4%"))
        let rows = try QueryEngine.answer(plan, in: both.memory).rows
        let matches = try Set(
          QueryEngine.answer(plan.removing(.page).filter(condition), in: both.memory).rows)
        let places = rows.indices.filter { matches.contains(rows[$0]) }
        #expect(!places.isEmpty)
        for start in rows.indices {
          for step in [1, -1] {
            let expected =
              step > 0
              ? places.first { $0 > start } ?? places.first
              : places.last { $0 < start } ?? places.last
            let snapshot = try await both.store.get(
              FindRowQuery(plan: plan, matching: condition, after: start, step: step))
            let found = try #require(snapshot.served?.found[plan.text])
            #expect(found.skipped == expected, "\(text) from \(start) by \(step)")
            #expect(
              found.rows.map { snapshot.store.id(of: $0) }
                == [both.memory.id(of: rows[expected ?? 0])])
            #expect(found.pageCount == rows.count)
          }
        }
        let none = try await both.store.get(
          FindRowQuery(
            plan: plan, matching: .compare("name", .equal, .text("nobody")), after: 0, step: 1))
        #expect(none.served?.found[plan.text]?.rows == [])
      }
    }
  }

  @Test("thousands of ids and values are queried at once", arguments: ["people", "teams"])
  func manyIDs(_ namespace: String) async throws {
    try await withOffice { both in
      let some = both.memory.rows(of: namespace).handles.prefix(3).map {
        both.memory.id(of: $0).text
      }
      let ids = some + (0..<3_000).map { EntityID.derived(from: "\($0)").text }
      for values in [ids.map { Value.text($0) }, some.map { .text($0) } + [.null, .integer(3)]] {
        let (expected, found, isPushed) = try await both.answers(
          QueryDocument([
            QueryPlan(
              namespace,
              condition: .isIn(both.memory.schema.identityPath(from: namespace), values))
          ]))
        #expect(found == expected && isPushed)
        #expect(found.contains(namespace == "people" ? #"{"id":3,"# : some[0]))
      }
      let levels = (0..<3_000).map { Value.integer(Int64($0)) }
      let (expected, found, isPushed) = try await both.answers(
        QueryDocument([QueryPlan("people", condition: .isIn("level", levels))]))
      #expect(found == expected && isPushed)
    }
  }

  @Test("virtual tables and columns that are not shown are named")
  func leftOut() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      let columns = (1...2_000).map { "c\($0) TEXT" }.joined(separator: ", ")
      try TestDatabase.execute(
        """
        CREATE TABLE a (name TEXT); CREATE VIEW b AS SELECT * FROM a; CREATE VIEW "c d" AS SELECT 1;
        CREATE VIRTUAL TABLE words USING fts5(text); CREATE TABLE wide (\(columns));
        INSERT INTO wide (c1, c1990) VALUES ('first', 'last');
        """, in: path)
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      #expect(
        store.remark
          == "Not shown: the last 10 columns of wide (Sonde shows at most 1990), "
          + "1 virtual table (words)")
      let answer = try await store.get(try QueryDocument(text: "wide"))
      let wide = try #require(answer.store.schema.attribute("wide", "c1990"))
      let row = try #require(answer.served?.found["wide"]?.rows.first)
      #expect(answer.store.value(row, wide.id) == .text("last"))
      let window = AnswerView(reach: .neighbors, window: .init(skipped: 0, count: 9))
      let snapshots = try store.watch(QueryDocument(text: "wide"), showing: window)
        .awaited("an answer")
      for try await snapshot in snapshots {
        #expect(snapshot.served?.found["wide"]?.rows.count == 1)
        break
      }
    }
  }

  @Test("BLOBs are shown by their size without reading them")
  func sizes() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute(
        """
        CREATE TABLE a (data BLOB, any, text TEXT);
        INSERT INTO a VALUES (zeroblob(3000000), x'010203', 'x'), (7, 'seven', NULL), (NULL, NULL, x'00');
        """, in: path)
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      let memory = try await SQLiteStore.open(file: path, maxBytesInMemory: .max)
        .get(AllObjectsQuery()).store
      let view = AnswerView(reach: .neighbors, window: .init(count: 9))
      let snapshots = try store.watch(QueryDocument(text: "a"), showing: view).awaited("an answer")
      for try await snapshot in snapshots {
        #expect(snapshot.store.facts == memory.facts)
        break
      }
    }
  }

  @Test("a NULL is null, not a missing value, in memory and in place")
  func nulls() async throws {
    try await withOffice { both in
      let view = AnswerView(reach: .neighbors, window: .init(count: 100))
      var shown: StoreSnapshot?
      let snapshots = try both.store.watch(QueryDocument(text: "people"), showing: view)
        .awaited("an answer")
      for try await snapshot in snapshots {
        shown = snapshot
        break
      }
      let asked = try await both.store.get(try QueryDocument(text: "people"))
      for store in [both.memory, asked.store, try #require(shown).store] {
        for label in ["name", "level", "active", "pay", "joined", "note"] {
          let attribute = try #require(store.schema.attribute("people", label))
          let values = store.rows(of: "people").handles.map { store.value($0, attribute.id) }
          #expect(values.count == 60 && !values.contains(nil), "\(label)")
          #expect(values.contains(.some(.null)), "\(label)")
        }
      }
      for text in [
        "people filter level is null", "people filter level = null or pay is not null",
        "people filter not (level is null) order level limit 3",
        "people group level aggregate count()", "people aggregate count(level), min(pay)",
      ] {
        guard let document = try? QueryDocument(text: text) else { continue }
        let (expected, found, _) = try await both.answers(document)
        #expect(found == expected, "\(text)")
      }
      // What is imported has no cells for them.
      let imported = try await SQLiteStore.load(file: both.path)
      let name = try #require(imported.schema.attribute("people", "name"))
      #expect(imported.rows(name.id, .null).isEmpty)
      #expect(
        try QueryEngine.json(QueryDocument(text: "plain fields many"), in: both.memory)
          .contains("\"many\":null"))
    }
  }

  @Test("the database counts a column's values like the engine")
  func tallies() async throws {
    try await withOffice { both in
      let schema = both.memory.schema
      let born = try #require(schema.attribute("people", "born"))
      for text in [
        "people", "people filter level > 1 and name like \"P%\"", "people order pay desc limit 17",
        "people order name, id offset 9 limit 20", "people order born last 11",
        "people order born last 11 offset 4",
        "people filter name = \"nobody\"",
      ] {
        let plan = try QueryDocument(text: text).plans[0]
        let rows = try QueryEngine.answer(plan, in: both.memory).rows
        for attribute in schema.attributes(of: "people")
        where attribute.valueType == .blob && !attribute.isIdentity {
          var expected = ValueCounts(of: attribute, along: born)
          var counts: [Value: Int] = [:]
          for row in rows { counts[both.memory.value(row, attribute.id) ?? .null, default: 0] += 1 }
          for (value, count) in counts { expected.add(value, count: count) }
          let answer = try await both.store.get(
            ValueCountsQuery(plan: plan, attribute: attribute, along: born))
          let tally = try #require(answer.served?.valueCounts, "\(text): \(attribute.label)")
          #expect(tally.frequent == expected.frequent, "\(text): \(attribute.label)")
          #expect(tally.rows == expected.rows && tally.distinct == expected.distinct)
          #expect(tally.empty == expected.empty)
          let (numbers, wanted) = (
            tally.numbers.sorted { $0.number < $1.number },
            expected.numbers.sorted { $0.number < $1.number }
          )
          #expect(numbers.map(\.number) == wanted.map(\.number))
          #expect(numbers.map(\.count) == wanted.map(\.count))
          let dated = rows.filter { row in
            guard case .text(let text)? = both.memory.value(row, born.id) else { return false }
            return Instant(text) != nil
              && both.memory.value(row, attribute.id)?
                .number(of: attribute) != nil
          }
          guard attribute.checkedType == .number, attribute.label != "pay" else { continue }
          #expect(tally.moments.reduce(0) { $0 + $1.count } == dated.count, "\(attribute.label)")
          let sum = dated.reduce(0.0) {
            $0 + (both.memory.value($1, attribute.id)?.number(of: attribute) ?? 0)
          }
          #expect(abs(tally.moments.reduce(0) { $0 + $1.sum } - sum) <= abs(sum) * 1e-9)
        }
      }
    }
  }

  @Test("a damaged database shows its readable part and the reason for the rest")
  func damaged() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute(
        """
        CREATE TABLE a (name TEXT); CREATE TABLE b (name TEXT); INSERT INTO b VALUES ('whole');
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
        INSERT INTO a SELECT 'a name that is long enough to fill pages ' || i FROM n;
        """, in: path)
      var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
      let middle = bytes.count / 2 / 4_096 * 4_096
      for place in middle..<middle + 40_960 { bytes[place] = 0xFF }
      try Data(bytes).write(to: URL(filePath: path))
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      #expect(try await store.get(AllObjectsQuery()).served?.counts == ["b": 1])
      let view = AnswerView(reach: .neighbors, window: .init(count: 100))
      var told: [StoreSnapshot] = []
      let snapshots = try store.watch(QueryDocument(text: "a"), showing: view)
        .awaited("two snapshots")
      for try await snapshot in snapshots {
        told.append(snapshot)
        if told.count == 2 { break }
      }
      for snapshot in told { #expect(snapshot.served?.found["a"]?.rows.count == 100) }
      guard case .stale(let reason)? = told.last?.freshness else {
        Issue.record("Nothing says that rows are missing")
        return
      }
      #expect(reason.contains("is damaged"))
    }
  }

  @Test("an empty database file has no namespaces")
  func empty() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try Data().write(to: URL(filePath: path))
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      #expect(try await store.get(AllObjectsQuery()).store.schema.namespaces == [])
    }
  }

  @Test(
    "a database with a log in a read-only folder is read, with a warning",
    .enabled(if: getuid() != 0, "root may write everywhere"))
  func readOnlyFolder() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a b%.db"
      try TestDatabase.execute(
        "PRAGMA journal_mode = WAL; CREATE TABLE a (name TEXT); INSERT INTO a VALUES ('x')",
        in: path)
      try FileManager.default.setAttributes([.posixPermissions: 0o500], ofItemAtPath: folder)
      defer {
        try? FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
      }
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      let snapshot = try await store.get(try QueryDocument(text: "a"))
      #expect(snapshot.served?.found["a"]?.rows.count == 1)
      #expect(
        snapshot.freshness
          == .stale(
            reason: "the folder is read-only, so the write-ahead log cannot be read"))
    }
  }

  @Test("a slow statement is canceled when it is no longer needed")
  func cancelling() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute(
        """
        CREATE TABLE a (id INTEGER PRIMARY KEY, name TEXT, b_id INTEGER REFERENCES a(id));
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)
        INSERT INTO a SELECT i, 'n' || i, NULL FROM n;
        """, in: path)
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      // Without an index each row is looked for among all others: minutes.
      let slow = try QueryDocument(text: "a filter a.name = \"none\"")
      let asking = Task { try await store.get(slow) }
      let quick = try QueryDocument(text: "a limit 1")
      let view = AnswerView(reach: .neighbors, window: .init(count: 10))
      let snapshots = store.watch(quick, showing: view).awaited("an answer beside a slow query")
      for try await snapshot in snapshots {
        // What a screen waits for is not held up meanwhile.
        #expect(snapshot.served?.found["a limit 1"]?.rows.count == 1)
        break
      }
      asking.cancel()
      await #expect(throws: DataSourceError.self) { try await asking.awaited("a cancellation") }
      // Whatever has begun by then.
      for turns in stride(from: 0, to: 2_000, by: 20) {
        let asking = Task { try await store.get(slow) }
        for _ in 0..<turns { await Task.yield() }
        asking.cancel()
        await #expect(throws: DataSourceError.self) { try await asking.awaited("a cancellation") }
      }
      #expect(try await store.get(quick).served?.found["a limit 1"]?.rows.count == 1)
    }
  }

  @Test("matches are not counted for a reader that shows no totals")
  func uncounted() async throws {
    try await withOffice { both in
      let document = try QueryDocument(text: "people order name limit 2")
      var view = AnswerView()
      view.showsTotals = false
      for try await snapshot in both.store.watch(document, showing: view).awaited("an answer") {
        let found = try #require(snapshot.served?.found[document.plans[0].text])
        #expect(found.rows.count == 2)
        #expect(found.hasNext)
        #expect(found.total == nil)
        break
      }
    }
  }

  @Test(
    "a snapshot without a query holds the schema and counts, and one of everything the data")
  func counts() async throws {
    try await withOffice { both in
      let light = try await both.store.get(AllObjectsQuery())
      #expect(light.store.schema == both.memory.schema)
      #expect(light.served?.counts["people"] == 60)
      #expect(light.store.count(of: "people") == 0)
      let whole = try await both.store.wholeStore(bytes: .counted)
      #expect(whole.store.facts == both.memory.facts)
    }
  }

  @Test("a watched answer follows commits of another program", arguments: ["DELETE", "WAL"])
  func following(_ journal: String) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute("PRAGMA journal_mode = \(journal); \(Self.office)", in: path)
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: 0)
      let manager = QueryManager(store: store)
      let document = try QueryDocument(text: "people filter level > 3 order level desc limit 2")
      var isChanged = false
      let results = await manager.subscribe(to: document).results.awaited("the newest person")
      for try await result in results {
        guard case .loaded(let live) = result, let answer = live.answers.first else { continue }
        if answer.rows.contains(where: { answer.value($0, "name") == "Newest" }) { break }
        if !isChanged {
          try TestDatabase.execute(
            "INSERT INTO people(id, name, level, pay) VALUES (1000, 'Newest', 9, 1)",
            in: path)
        }
        isChanged = true
      }
      #expect(isChanged)
    }
  }

  private func withOffice(_ body: (Both) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute(Self.office, in: path)
      try await body(Both(path))
    }
  }
}

extension StoreSnapshot {
  /// Whether it is known how many rows match.
  fileprivate var isCounted: Bool { served?.found.values.allSatisfy { $0.total != nil } == true }
}
