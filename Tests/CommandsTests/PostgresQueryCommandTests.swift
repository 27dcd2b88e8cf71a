import PostgresTestSupport
import Testing

@Suite(
  "sonde query of a PostgreSQL database", .enabled(if: PostgresServer.obstacle == nil),
  .timeLimit(.minutes(5)))
struct PostgresQueryCommandTests {
  @Test("a page is read without counting all matches, which only --explain prints")
  func totals() throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE people (id int PRIMARY KEY, name text);
      INSERT INTO people SELECT g, 'p' || g FROM generate_series(1, 300) g;
      """)
    func counts() throws -> Int {
      try database.statements().count { $0.contains("count(*)") && $0.contains("people") }
    }
    let page = ["query", database.address(), "people order name limit 50"]
    let before = try counts()
    for format in ["json", "csv", "table", "ndjson", "markdown"] {
      let run = try Program.run(page + ["--format", format])
      #expect(run.status == 0, "\(run.error)")
      #expect(run.output.contains("p141"))
    }
    #expect(try counts() == before)
    let explained = try Program.run(page + ["--explain"])
    #expect(explained.output.contains(#""total":300"#), "\(explained.output)")
    #expect(try counts() > before)
    let counted = try Program.run(["query", database.address(), "people count"])
    #expect(counted.output.contains("300"))
  }
}
