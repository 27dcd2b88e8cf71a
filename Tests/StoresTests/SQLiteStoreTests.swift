import DataSources
import Foundation
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("A SQLite database as a store", .timeLimit(.minutes(10)))
struct SQLiteStoreTests {
  private static let music = """
    CREATE TABLE artists (id INTEGER PRIMARY KEY, name TEXT NOT NULL, born DATE);
    CREATE TABLE albums (
      id INTEGER PRIMARY KEY, title TEXT, artist_id INTEGER REFERENCES artists(id),
      rating REAL, is_live BOOLEAN, cover BLOB);
    CREATE TABLE tags (name TEXT PRIMARY KEY) WITHOUT ROWID;
    CREATE TABLE album_tags (
      album_id INTEGER REFERENCES albums, tag TEXT REFERENCES tags,
      PRIMARY KEY (album_id, tag));
    CREATE TABLE notes (text, about TEXT REFERENCES artists(name));
    INSERT INTO artists VALUES (1, 'Ann', '1970-01-02'), (2, 'Bo', '1980-03-04');
    INSERT INTO albums VALUES (10, 'First', 1, 4.5, 0, x'0102'), (11, 'Second', 1, NULL, 1, NULL),
      (12, 'Lost', 99, 3, 0, NULL);
    INSERT INTO tags VALUES ('jazz'), ('live');
    INSERT INTO album_tags VALUES (10, 'jazz'), (11, 'jazz'), (11, 'live');
    INSERT INTO notes VALUES ('good', 'Ann'), (7, NULL);
    """

  @Test(
    "a table that another program adds is shown", arguments: [0, SQLiteStore.maxBytesInMemory])
  func addedTable(_ maxBytesInMemory: Int) async throws {
    try await OtherDatabase.with(
      "CREATE TABLE t (id INTEGER PRIMARY KEY)", maxBytesInMemory: maxBytesInMemory
    ) { file in
      var isAdded = false
      for try await snapshot in file.store.watch(AllObjectsQuery()).awaited("the new table") {
        if !isAdded {
          isAdded = true
          try TestDatabase.execute(
            "CREATE TABLE u (id INTEGER PRIMARY KEY); INSERT INTO u VALUES (1)", in: file.path)
        }
        if snapshot.store.schema.namespaces == ["t", "u"] { break }
      }
    }
  }

  @Test("tables are namespaces, except join tables")
  func namespaces() async throws {
    try await withDatabase(Self.music) { path in
      let store = try await SQLiteStore.load(file: path)
      #expect(Set(store.schema.namespaces) == ["artists", "albums", "tags", "notes"])
      #expect(store.count(of: "albums") == 3)
      #expect(store.count(of: "notes") == 2)
      #expect(store.checkInvariants() == [])
    }
  }

  @Test("columns have their declared types")
  func declaredTypes() async throws {
    try await OtherDatabase.with(Self.music) { file in
      let columns = ["albums", "notes"].flatMap { file.schema.attributes(of: $0) }
        .compactMap(\.column)
      let types = Dictionary(columns.map { ($0.name, $0.type) }) { first, _ in first }
      for (name, type) in [
        ("id", "integer"), ("title", "text"), ("rating", "real"), ("is_live", "boolean"),
        ("cover", "blob"), ("text", ""),
      ] {
        #expect(types[name] == type, "\(name)")
      }
    }
  }

  @Test("foreign keys are links in both directions, and join tables are many-to-many links")
  func links() async throws {
    try await withDatabase(Self.music) { path in
      let store = try await SQLiteStore.load(file: path)
      let answer = try Self.json(
        "artists order name with albums { order title with tags { order name fields name } }", store
      )
      #expect(answer.contains("First") && answer.contains("jazz"))
      let albums = try #require(store.schema.link("artists", "albums"))
      let ann = try Self.entity("artists", "name", "Ann", store)
      #expect(store.targets(ann, albums).count == 2)
      let tagged = try #require(store.schema.link("tags", "albums"))
      let jazz = try Self.entity("tags", "name", "jazz", store)
      #expect(store.targets(jazz, tagged).count == 2)
      // A key that names something else than the primary key.
      let notes = try #require(store.schema.link("artists", "notes"))
      #expect(store.targets(ann, notes).count == 1)
    }
  }

  @Test("values keep their type, and uniform columns have one")
  func values() async throws {
    try await withDatabase(Self.music) { path in
      let store = try await SQLiteStore.load(file: path)
      let first = try Self.entity("albums", "title", "First", store)
      func value(_ label: String) -> Value? {
        store.schema.attribute("albums", label).flatMap { store.value(first, $0.id) }
      }
      #expect(value("rating") == 4.5)
      #expect(value("is_live") == false)
      #expect(value("cover") == "AQI=")
      #expect(value("key") == 10)
      // A foreign key is shown as a link only.
      #expect(value("artist_id") == nil)
      #expect(store.schema.attribute("artists", "born")?.checkedType == .date)
      #expect(store.schema.attribute("albums", "title")?.checkedType == .string)
      #expect(store.schema.attribute("notes", "text")?.checkedType == nil)
    }
  }

  @Test(
    "BLOBs are shown as sizes and written as base64",
    arguments: [0, Int.max])
  func bytes(_ maxInMemory: Int) async throws {
    try await withDatabase(Self.music) { path in
      let store = try await SQLiteStore.open(file: path, maxBytesInMemory: maxInMemory)
      let document = try QueryDocument(text: "artists with albums")
      func cover(_ snapshot: StoreSnapshot) throws -> Value? {
        let cover = try #require(snapshot.store.schema.attribute("albums", "cover"))
        let album = try Self.entity("albums", "title", "First", snapshot.store)
        return snapshot.store.value(album, cover.id)
      }
      for (bytes, expected) in [
        (AnswerView.Bytes.counted, ["bytes": 2] as Value), (.spelled, "AQI="),
      ] {
        let snapshots = store.watch(document, showing: AnswerView(bytes: bytes))
          .awaited("the first snapshot")
        for try await snapshot in snapshots {
          #expect(try cover(snapshot) == expected)
          break
        }
        #expect(
          try cover(StoreSnapshot(try await store.wholeStore(bytes: bytes).store)) == expected)
      }
    }
  }

  @Test("a broken reference is preserved, in memory and in place")
  func deadKeys() async throws {
    let sql =
      Self.music + """
        CREATE TABLE halls (city TEXT, number INTEGER, PRIMARY KEY (city, number));
        CREATE TABLE shows (artist TEXT, city TEXT, number INTEGER,
          FOREIGN KEY (city, number) REFERENCES halls(city, number));
        INSERT INTO halls VALUES ('Oslo', 1);
        INSERT INTO shows VALUES ('a', 'Oslo', 1), ('b', 'Rome', 7), ('c', 'Rome', NULL);
        """
    try await withDatabase(sql) { path in
      for most in [0, Int.max] {
        let store = try await SQLiteStore.open(file: path, maxBytesInMemory: most)
        for (text, expected) in [
          ("albums filter artist_id = 99 fields title", "Lost"),
          ("albums filter artist is null and artist_id is not null fields title", "Lost"),
          ("albums filter title = \"First\" fields artist_id", "\"artist_id\":1"),
          ("shows filter halls is null and number = 7 fields city", "Rome"),
          ("shows filter artist = \"c\" fields city, number", "\"number\":null"),
        ] {
          let document = try QueryDocument(text: text)
          let snapshot = try await store.get(document)
          var output = JSONOutput(capacity: 1 << 10)
          try QueryEngine.json(document, in: snapshot, options: .standard, into: &output)
          #expect(output.text.contains(expected), "\(text): \(output.text)")
        }
        let snapshot = try await store.get(try QueryDocument(text: "albums"))
        let key = try #require(snapshot.store.schema.attribute("albums", "artist_id"))
        #expect(key.keyOf == snapshot.store.schema.link("albums", "artist")?.attribute.id)
      }
      // Elsewhere a link may change, so what is imported has keys only where there is no link.
      let imported = try await SQLiteStore.load(file: path)
      let keys = try #require(imported.schema.attribute("albums", "artist_id"))
      #expect(imported.rows(keys.id, .stored).count == 1)
      #expect(imported.schema.attribute("notes", "about_key") == nil)
      #expect(imported.schema.attribute("shows", "city") != nil)
      #expect(imported.checkInvariants() == [])
    }
  }

  @Test("rows are written as CSV in the columns of their table, in memory and in place")
  func ownColumns() async throws {
    try await withDatabase(Self.music) { path in
      for most in [0, Int.max] {
        let store = try await SQLiteStore.open(file: path, maxBytesInMemory: most)
        for (query, expected) in [
          (
            "albums filter title != \"First\" order id",
            "id,title,artist_id,rating,is_live,cover\n11,Second,1,,1,\n12,Lost,99,3.0,0,\n"
          ),
          ("notes filter text = \"good\"", "text,about\ngood,Ann\n"),
          (
            "albums filter id = 10 with artist fields title",
            "title,artist.id,artist.name,artist.born\nFirst,1,Ann,1970-01-02\n"
          ),
        ] {
          let document = try QueryDocument(text: query)
          let snapshot = try await store.get(document)
          let answer = try QueryEngine.answer(
            document.plans[0], in: snapshot.store, options: QueryOptions(infersCardinality: true))
          let csv = String(decoding: try ResultFormat.csv.bytes(of: [answer]), as: UTF8.self)
          #expect(csv == expected)
        }
      }
    }
  }

  @Test("an entity keeps its id when read again, and is found by its key")
  func identity() async throws {
    try await withDatabase(Self.music) { path in
      let (one, other) = (
        try await SQLiteStore.load(file: path), try await SQLiteStore.load(file: path)
      )
      #expect(one.facts == other.facts)
    }
  }

  @Test("commits of another program are noticed", arguments: ["DELETE", "WAL"])
  func following(_ journal: String) async throws {
    try await withDatabase("PRAGMA journal_mode = \(journal); \(Self.music)") { path in
      let store = try await SQLiteStore.open(file: path)
      let snapshots = store.watch(AllObjectsQuery())
      try TestDatabase.execute("INSERT INTO artists VALUES (3, 'Cy', NULL)", in: path)
      for try await snapshot in snapshots.awaited("three artists")
      where snapshot.store.count(of: "artists") == 3 { break }
    }
  }

  @Test(
    "rows of a query stay, marked as outdated, while a column that it reads is missing",
    arguments: [0, SQLiteStore.maxBytesInMemory],
    ["filter word = \"one\"", "order word", "fields word"])
  func renamedColumn(_ maxBytesInMemory: Int, _ clause: String) async throws {
    try await OtherDatabase.with(
      "CREATE TABLE c (id INTEGER PRIMARY KEY, word TEXT); INSERT INTO c VALUES (1, 'one')",
      maxBytesInMemory: maxBytesInMemory
    ) { file in
      let manager = QueryManager(store: file.store)
      let document = try QueryDocument(text: "c \(clause)")
      var (isRenamed, isBack) = (false, false)
      let subscription = await manager.subscribe(to: document)
      for try await result in subscription.results.awaited("the renamed column") {
        if result == .loading { continue }
        guard case .loaded(let live) = result else {
          Issue.record("\(result)")
          return
        }
        #expect(live.answers[0].rows.count == 1)
        if !isRenamed {
          isRenamed = true
          try TestDatabase.execute("ALTER TABLE c RENAME word TO term", in: file.path)
        } else if case .stale(let reason) = live.freshness, !isBack {
          isBack = true
          #expect(reason.contains("he column c.word no longer exists"), "\(reason)")
          try TestDatabase.execute("ALTER TABLE c RENAME term TO word", in: file.path)
        } else if isBack, live.freshness == .live {
          break
        }
      }
      #expect(isBack)
      await manager.unsubscribe(subscription.id)
    }
  }

  @Test("unusual names, empty tables, composite keys and broken references are supported")
  func oddities() async throws {
    let sql = """
      CREATE TABLE "a ""b" ("x y" INTEGER, id TEXT, PRIMARY KEY ("x y", id));
      CREATE TABLE empty (n);
      CREATE TABLE child (px INTEGER, pid TEXT, other INTEGER REFERENCES nowhere(id),
        FOREIGN KEY (px, pid) REFERENCES "a ""b"("x y", id));
      CREATE TABLE self (id INTEGER PRIMARY KEY, parent_id INTEGER REFERENCES self(id));
      INSERT INTO "a ""b" VALUES (1, 'k'), (2, 'k');
      INSERT INTO child VALUES (2, 'k', 5), (3, 'k', NULL);
      INSERT INTO self VALUES (1, NULL), (2, 1);
      """
    try await withDatabase(sql) { path in
      let store = try await SQLiteStore.load(file: path)
      #expect(store.count(of: "a \"b") == 2)
      #expect(store.count(of: "self") == 2)
      let up = try #require(store.schema.link("self", "parent"))
      let down = try #require(store.schema.link("self", "self"))
      let two = try Self.entity("self", "key", 2, store)
      let one = try #require(store.targets(two, up).first)
      #expect(store.targets(one, down) == [two])
      #expect(store.checkInvariants() == [])
    }
  }

  @Test("a table without a row key is reported instead of shown in part")
  func unnumbered() async throws {
    let sql = """
      CREATE TABLE hidden (rowid TEXT, oid TEXT, _rowid_ TEXT); CREATE TABLE seen (rowid TEXT);
      INSERT INTO hidden VALUES ('a', 'b', 'c'), ('d', 'e', 'f'); INSERT INTO seen VALUES ('a'), ('b');
      """
    try await withDatabase(sql) { path in
      let store = try await SQLiteStore.open(file: path)
      #expect(
        store.remark == "Not shown: 1 table with neither a primary key nor a usable rowid (hidden)")
      let content = try await store.get(AllObjectsQuery()).store
      #expect(content.schema.namespaces == ["seen"] && content.count(of: "seen") == 2)
    }
  }

  @Test("only a unique index of one column and all rows makes the column unique")
  func unique() async throws {
    try await OtherDatabase.with(
      """
      CREATE TABLE t (id INTEGER PRIMARY KEY, a TEXT, b TEXT, c TEXT, d TEXT UNIQUE, e TEXT);
      CREATE UNIQUE INDEX pairs ON t (a, lower(b));
      CREATE UNIQUE INDEX some ON t (c) WHERE c > 'x';
      CREATE UNIQUE INDEX lower_e ON t (lower(e));
      """
    ) { file in
      let unique = file.schema.attributes(of: "t").filter(\.isUnique).map(\.label)
      #expect(unique == ["id", "d"])
    }
  }

  @Test("a file that is not a database is rejected")
  func noDatabase() async throws {
    try await withTemporaryFolder(["a.db": "hello, this is a text and no database at all"]) {
      let path = $0 + "/a.db"
      let error = await #expect(throws: StoreError.self) { try await SQLiteStore.open(file: path) }
      #expect(error?.message == path + " is not a SQLite database, or it is encrypted.")
    }
  }

  // MARK: Around

  private func withDatabase(_ sql: String, _ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { folder in
      try TestDatabase.execute(sql, in: folder + "/a.db")
      try await body(folder + "/a.db")
    }
  }

  private static func entity(
    _ namespace: String, _ label: String, _ value: Value, _ store: TripleStore
  ) throws -> EntityHandle {
    let attribute = try #require(store.schema.attribute(namespace, label))
    return try #require(store.rows(attribute.id, .equal(value)).handles.first)
  }

  private static func json(_ text: String, _ store: TripleStore) throws -> String {
    try QueryEngine.json(QueryDocument(text: text), in: store)
  }
}
