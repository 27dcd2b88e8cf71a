import GRDB
import Testing

/// What is printed of a large database is read some rows at a time.
@Suite("Long answers of a large SQLite database", .waitsForPrograms, .timeLimit(.minutes(10)))
struct LongAnswerTests {
  @Test(
    "answers equal those from memory, for every kind of query",
    arguments: [
      "people", "people order name desc", "people filter age > 80 fields name, age",
      "people order age, name desc limit 5100 offset 20", "people order team.name limit 5500",
      "people order age offset 12500", "people order name last 30",
      "people order name last 6000 offset 5000",
      "people filter age > 900", "people limit 0", "people with team fields name limit 3",
      "people count", "nothing",
    ], ["csv", "tsv", "ndjson", "json"])
  func same(query: String, format: String) throws {
    try Program.withFolder([:]) { folder in
      let (large, small) = (folder + "/large.sqlite", folder + "/small.sqlite")
      for (path, padding) in [(large, 600), (small, 0)] {
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { db in
          try db.execute(
            sql: """
              CREATE TABLE padding (id INTEGER PRIMARY KEY, text TEXT);
              CREATE TABLE teams (id INTEGER PRIMARY KEY, name TEXT);
              CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, age INTEGER,
                team_id INTEGER REFERENCES teams(id));
              INSERT INTO teams VALUES (1, 'Reds');
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)
              INSERT INTO people SELECT i, 'Person, ' || i, i % 90, 1 FROM n;
              WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
              INSERT INTO padding SELECT i, printf('%.*c', \(padding), 'm') FROM n;
              """)
        }
        try queue.close()
      }
      let far = try Program.run(["query", large, query, "--format", format])
      let near = try Program.run(["query", small, query, "--format", format])
      #expect(far.status == near.status)
      #expect(far.output == near.output)
      #expect(far.error.replacing(large, with: small) == near.error)
    }
  }
}
