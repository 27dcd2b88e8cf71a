import Foundation
import GRDB
import Testing

@Suite(
  "A SQLite database on the command line", .waitsForPrograms,
  .timeLimit(.minutes(10)))
struct SQLiteDatabaseTests {
  @Test("batch queries on a large database match single ones")
  func lines() throws {
    try Self.withPeople { path in
      let lines =
        "people filter n = 7 fields n\n{\"people\": {\"$\": {\"limit\": 1}}}\npeople count\n"
      let run = try Program.run(["query", path, "-"], input: lines)
      let answers = run.output.split(separator: "\n").map(String.init)
      #expect(answers.count == 3)
      #expect(answers[0].contains("\"n\":7"))
      #expect(answers[1].contains("\"n\":1"))
      let one = try Program.run(["query", path, "people filter n = 7 fields n", "--format", "json"])
      #expect(one.output.contains("\"n\": 7") || one.output.contains("\"n\":7"))
    }
  }

  @Test("a column of JSON can be queried by its keys, and a change keeps its digits")
  func json() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/notes.db"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE notes (id INTEGER PRIMARY KEY, meta JSON);
            INSERT INTO notes VALUES (1, '{ "size": 3 }'), (2, '{ "size": 4 }'), (3, 'plain');
            """)
      }
      try queue.close()
      let found = try Program.run(
        ["query", path, "notes filter meta.size > 3 fields meta", "--format", "csv"])
      #expect(found.output == "meta\n\"{\"\"size\"\":4}\"\n", "\(found.output)\(found.error)")
      let steps = #"["update", "notes", ["id", 2], {"meta": {"size": 12345678901234567890}}]"#
      let run = try Program.run(["transact", path, "-"], input: steps)
      #expect(run.status == 0, "\(run.error)")
      let cells = try DatabaseQueue(path: path).read { db in
        try String.fetchAll(db, sql: "SELECT meta FROM notes ORDER BY id")
      }
      #expect(cells == [#"{ "size": 3 }"#, #"{"size":12345678901234567890}"#, "plain"])
    }
  }

  @Test("a table prints a row's own id and the labels of linked rows")
  func labels() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/shop.db"
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, boss_id INTEGER REFERENCES people(id));
            INSERT INTO people VALUES (1, 'Ann', NULL), (27, 'Bob', 1);
            CREATE TABLE padding (n BLOB);
            INSERT INTO padding VALUES (zeroblob(5000000));
            """)
      }
      let table = try Program.run(
        ["query", path, "people filter id = 27", "--format", "table"])
      let row = try #require(table.output.split(separator: "\n").last)
      #expect(row.contains("27") && row.contains("Bob") && row.contains("1 · Ann"), "\(row)")
      #expect(!table.output.contains("…"), "\(table.output)")
    }
  }

  @Test("answers of a large database match those in memory")
  func groups() throws {
    try Self.withPeople { path in
      let small = path + ".small.db"
      let queue = try DatabaseQueue(path: small)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            ATTACH '\(path)' AS big; CREATE TABLE people (n INTEGER PRIMARY KEY, kind TEXT, about TEXT);
            INSERT INTO people SELECT n, kind, '' FROM big.people;
            """)
      }
      try queue.close()
      for query in [
        "people group kind aggregate count(), sum(n), max(n)", "people aggregate count()",
        "people filter n < 5 order n desc fields n, kind", "people filter n < 3 fields kind",
      ] {
        let (large, memory) = (
          try Program.run(["query", path, query]), try Program.run(["query", small, query])
        )
        #expect(large.status == 0, "\(large.error)")
        #expect(large.output.contains("n") && large.output == memory.output, "\(query)")
      }
    }
  }

  @Test("a table that cannot be counted is not shown as empty")
  func uncounted() throws {
    try Self.withPeople { path in
      let handle = try #require(FileHandle(forWritingAtPath: path))
      let size = try handle.seekToEnd()
      try handle.seek(toOffset: size / 2 / 4_096 * 4_096)
      try handle.write(contentsOf: Data(repeating: 0xFF, count: 40_960))
      try handle.close()
      let run = try Program.run(["schema", path])
      #expect(run.output.contains("people  not counted"))
      #expect(run.output.contains("tags  2\n"))
      #expect(run.error.contains("is damaged"))
    }
  }

  @Test("an empty database is reported as empty")
  func nothing() throws {
    try Program.withFolder(["empty.db": ""]) { folder in
      let run = try Program.run(["schema", folder + "/empty.db"])
      #expect(run.status == 0)
      #expect(run.output == "")
      #expect(run.error == "\(folder)/empty.db is empty: it has no namespaces.\n")
    }
  }

  @Test("a transaction changes a database within its constraints")
  func transacting() throws {
    try Self.withPeople { path in
      let schema = try Program.run([
        "query", path, "tags filter word = \"a\"", "--format", "ndjson",
      ])
      let id = try #require(
        schema.output.split(separator: "\"").dropFirst(3).first.map(String.init))
      let made = try Program.run(
        ["transact", path, "-"],
        input: #"[["update", "tags", "\#(id)", {"word": "changed"}]]"#)
      #expect(made.status == 0, "\(made.error)")
      let seen = try Program.run(["query", path, "tags order word fields word", "--format", "csv"])
      #expect(seen.output.contains("changed"))
      let refused = try Program.run(
        ["transact", path, "-"],
        input: #"[["update", "tags", "\#(id)", {"colour": "x"}]]"#)
      #expect(refused.status == 1, "\(refused.error)")
      #expect(refused.error.contains("The table tags has no column 'colour'."), "\(refused.error)")
    }
  }

  @Test("the schema and exports have only the database's own indexes")
  func indexes() throws {
    try Program.withFolder([:]) { folder in
      let (path, copy) = (folder + "/shop.db", folder + "/copy.sqlite")
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, mail TEXT UNIQUE, age INTEGER);
            CREATE INDEX ages ON people (age, name);
            INSERT INTO people VALUES (1, 'Ann', 'a@x', 30);
            """)
      }
      let schema = try Program.run(["schema", path]).output
      #expect(schema.contains("  name  text\n"), "\(schema)")
      #expect(schema.contains("  mail  text, unique, indexed\n"), "\(schema)")
      #expect(schema.contains("  age   integer, indexed\n"), "\(schema)")
      #expect(try Program.run(["export", path, "--to", copy]).status == 0)
      let indexed = try DatabaseQueue(path: copy).read { db in
        try String.fetchAll(
          db,
          sql: """
            SELECT i.name FROM pragma_index_list('people') AS l, pragma_index_info(l.name) AS i
            WHERE l.origin = 'c'
            """)
      }
      #expect(indexed == ["age"])
      let alike = try Program.run(
        ["query", path, #"{"people": {"$": {"where": {"name": {"$ilike": "a%"}}}}}"#])
      #expect(alike.output.contains("Ann"), "\(alike.error)")
    }
  }

  @Test("a transaction says whether it changed the database, and names rows by their keys")
  func keys() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/shop.db"
      try DatabaseQueue(path: path).writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT);
            INSERT INTO people VALUES (1, 'Ann');
            CREATE VIEW names AS SELECT name FROM people;
            """)
      }
      func update(_ key: String) throws -> Program.Run {
        try Program.run(
          ["transact", path, "-"], input: #"["update", "people", \#(key), {"name": "Bob"}]"#)
      }
      let wrong = try update("\"1\"")
      #expect(wrong.status == 1)
      #expect(wrong.error.contains("Invalid entity ID '1'"), "\(wrong.error)")
      #expect(wrong.error.contains(#"for example ["id", 1]."#), "\(wrong.error)")
      #expect(try update(#"["id", 1]"#).error.hasSuffix("\(path) changed.\n"))
      let again = try update(#"["id", 1]"#)
      #expect(again.status == 0)
      #expect(again.error.hasSuffix("is unchanged: it already has these values.\n"))
      func delete() throws -> Program.Run {
        try Program.run(["transact", path, "-"], input: #"["delete", "people", ["id", 6]]"#)
      }
      let missing = try delete()
      #expect(missing.status == 0)
      #expect(missing.error.hasSuffix("Nothing was deleted: people has no row with id = 6.\n"))
      #expect(!missing.error.contains("unchanged"), "\(missing.error)")
      #expect(try update(#"["id", 6]"#).error.hasSuffix("\(path) changed.\n"))
      #expect(try delete().error.hasSuffix("\(path) changed.\n"))
    }
  }

  @Test("with --write, an edit and a deletion can be undone")
  func editing() throws {
    try Self.withPeople { path in
      func kinds() throws -> [String] {
        var patient = Configuration()
        patient.busyMode = .timeout(60)
        return try DatabaseQueue(path: path, configuration: patient).read { db in
          try String.fetchAll(db, sql: "SELECT kind FROM people WHERE n < 3 ORDER BY n")
        }
      }
      let terminal = try Tmux(columns: 100, rows: 24)
      try terminal.run("\(Program.path) --write \(path) 'people fields kind'; echo le''ft $?")
      try terminal.wait(for: "kind 1")
      try terminal.edit("kind", to: "other")
      try terminal.wait(for: "kind updated")
      #expect(try kinds() == ["other", "kind 2"])
      try terminal.type("U")
      // A row can only be deleted if its current values were shown.
      try terminal.wait { $0.contains("Undone.") && !$0.contains("other") }
      #expect(try kinds() == ["kind 1", "kind 2"])
      try terminal.type("d")
      try terminal.wait(for: "and rows that the database deletes with it")
      try terminal.type("d")
      try terminal.wait(for: "Deleted ")
      #expect(try kinds() == ["kind 2"])
      try terminal.type("U")
      try terminal.wait(for: "Undone.")
      #expect(try kinds() == ["kind 1", "kind 2"])
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }

  @Test("BLOBs are exported as base64 and SQL, and shown as sizes")
  func bytes() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.db"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE prints (id INTEGER PRIMARY KEY, film BLOB);
            INSERT INTO prints VALUES (1, x'0a0bff'), (2, NULL);
            """)
      }
      try queue.close()
      let csv = try Program.run(["query", path, "prints", "--format", "csv"])
      #expect(csv.output == "id,film\n1,Cgv/\n2,\n")
      let table = try Program.run(["query", path, "prints", "--format", "table"])
      #expect(table.output.contains("3 B"))
      let folderRun = try Program.run(["export", path, "--to", folder + "/all", "--format", "csv"])
      #expect(folderRun.status == 0, "\(folderRun.error)")
      #expect(
        try String(contentsOf: URL(filePath: folder + "/all/prints.csv"), encoding: .utf8)
          .contains(",Cgv/"))
      let terminal = try Tmux(columns: 100, rows: 24)
      try terminal.run("cd \(folder); \(Program.path) --fresh \(path) prints")
      try terminal.wait(for: "3 B")
      try terminal.type("E")
      try terminal.wait(for: "prints.csv")
      try terminal.press("Enter")
      try terminal.wait(for: "Exported 2 rows to")
      #expect(
        try String(contentsOf: URL(filePath: folder + "/prints.csv"), encoding: .utf8)
          == "film,id\nCgv/,1\n,2\n")
    }
  }

  @Test("the file of an export has all linked rows with their whole keys")
  func exportedLinks() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.db"
      let reds = "team-of-the-reds"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE players (
              id INTEGER PRIMARY KEY, name TEXT, team_id TEXT REFERENCES teams (id));
            INSERT INTO teams VALUES ('\(reds)', 'Reds');
            WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 25)
            INSERT INTO players SELECT i, 'P' || i, '\(reds)' FROM n;
            """)
      }
      try queue.close()
      func file(_ namespace: String, keys: String..., notice: String) throws -> String {
        let terminal = try Tmux(columns: 220, rows: 30)
        try terminal.run("cd \(folder); \(Program.path) --fresh \(path) \(namespace)")
        try terminal.wait(for: "Reds")
        try terminal.type("E")
        try terminal.wait(for: "\(namespace).csv")
        for key in keys { try terminal.press(key) }
        try terminal.press("Enter")
        try terminal.wait(for: notice)
        return try String(contentsOf: URL(filePath: "\(folder)/\(namespace).csv"), encoding: .utf8)
      }
      let players = (1...25).map { "\($0) · P\($0)" }.joined(separator: "; ")
      #expect(
        try file("teams", keys: "Up", "Left", notice: "Exported 1 row to")
          == "name,id,players\nReds,\(reds),\(players)\n")
      let other = try file("players", notice: "Exported 25 rows to")
      #expect(other.contains("\nP25,25,\(reds),\(reds) · Reds\n"), "\(other)")
    }
  }

  @Test("names with line breaks and tabs stay on their line of the schema")
  func names() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/a.db"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(sql: "CREATE TABLE \"new\nline\" (\"a\nb\" TEXT, \"\" INTEGER)")
      }
      try queue.close()
      let run = try Program.run(["schema", path])
      #expect(run.output.contains("new␊line  0\n") && run.output.contains("  a␊b  text"))
    }
  }

  /// So many rows that the database is not read into memory.
  private static func withPeople(_ body: (String) throws -> Void) throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/people.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE people (n INTEGER PRIMARY KEY, kind TEXT, about TEXT);
            CREATE TABLE tags (word TEXT); INSERT INTO tags VALUES ('a'), ('b');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000)
            INSERT INTO people SELECT i, 'kind ' || (i % 3), printf('%.*c', 900, 'x') FROM n;
            """)
      }
      try queue.close()
      try body(path)
    }
  }
}
