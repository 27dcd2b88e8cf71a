import GRDB
import Testing

@Suite("A large SQLite database on the screen", .waitsForPrograms, .timeLimit(.minutes(10)))
struct LargeDatabaseTests {
  @Test("an empty streamed answer says which name no linked row has", arguments: ["csv", "json"])
  func missingName(format: String) throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/teams.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT UNIQUE NOT NULL);
            CREATE TABLE people (id INTEGER PRIMARY KEY, age INTEGER,
              team_id INTEGER REFERENCES teams(id));
            INSERT INTO teams VALUES (1, 'Reds'), (2, 'Far Blues');
            INSERT INTO people VALUES (1, 30, 1);
            """)
      }
      try queue.close()
      func error(_ query: String) throws -> String {
        let run = try Program.run(["query", path, query, "--format", format])
        #expect(run.status == 0)
        return run.error
      }
      #expect(
        try error(#"people filter team = "Redz""#)
          == "No teams row has the name \"Redz\". Did you mean \"Reds\"?\n")
      #expect(try error(#"people filter team = "Far Blues""#) == "")
    }
  }

  @Test("a match beyond the loaded rows is found in the query's order")
  func findingFar() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/many.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT);
            CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
              team_id INTEGER REFERENCES teams(id), about TEXT);
            INSERT INTO teams VALUES (1, 'Reds'), (2, 'Far Blues');
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
            INSERT INTO people SELECT i, 'Person ' || i, i % 90, 1, 'somebody about whom ' ||
              printf('there is %.*c to say', 400, 'm') FROM n;
            UPDATE people SET name = 'Zoë Needle' WHERE id = 10000;
            UPDATE people SET name = 'Yet another NEEDLE' WHERE id = 3000;
            UPDATE people SET team_id = 2 WHERE id = 7000;
            UPDATE people SET age = 7654321 WHERE id = 9000;
            """)
      }
      try queue.close()
      let terminal = try Tmux(columns: 110, rows: 24)
      try terminal.run("\(Program.path) \(path) 'people order id desc'; echo le''ft $?")
      try terminal.wait(for: "12,000 ·")
      try terminal.type("/needle")
      try terminal.press("Enter")
      try terminal.wait(for: "Zoë Needle")
      try terminal.type("n")
      try terminal.wait(for: "Yet another NEEDLE")
      try terminal.type("N")
      try terminal.wait(for: "Zoë Needle")
      // By the name of what a row is linked with, and by a number as it is shown.
      try terminal.type("/far bl")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("Person 7000") && $0.contains("2 · Far Blu") }
      try terminal.type("/7,654,3")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("7,654,321") }
      try terminal.type("/nowhere at all")
      try terminal.wait(for: "No match for “nowhere at all”")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("No match") }
      try terminal.type("G")
      try terminal.wait { $0.contains("Person 2 ") }
      try terminal.type("v/needle")
      try terminal.press("Enter")
      try terminal.wait(for: "Zoë Needle")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }
}
