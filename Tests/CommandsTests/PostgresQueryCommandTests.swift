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

  @Test("only a query that sorts strings prints a remark that their order differs")
  func textOrder() throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE people (id int PRIMARY KEY, name text);
      INSERT INTO people VALUES (1, 'Ann'), (2, 'Bo');
      """, options: "ENCODING 'LATIN1' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
    let sentence =
      "Unlike other stores, the database sorts strings by its own collation, because its encoding "
      + "is not UTF-8.\n"
    for (query, remark) in [
      ("people", ""), ("people order id", ""), ("people order name", sentence),
    ] {
      let run = try Program.run(["query", database.address(), query])
      #expect(run.status == 0 && run.error == remark, "\(query): \(run.error)")
    }
    let lines = "people\npeople order name\npeople order name desc\n"
    #expect(
      try Program.run(["query", database.address(), "-"], input: lines).error == sentence)
    #expect(try Program.run(["schema", database.address()]).error == sentence)
  }

  @Test("sonde transact keeps the digits of numbers, also within JSON")
  func digits() throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE nums (id int PRIMARY KEY, n numeric, j jsonb, r float8);
      INSERT INTO nums VALUES (1);
      """)
    let steps = """
      [["update", "nums", ["id", 1], {"n": 123456789012345678901234567890.124,
        "j": {"k": [12345678901234567890.5, 1]}, "r": 0.12345678901234567891}]]
      """
    let run = try Program.run(["transact", database.address(), "-"], input: steps)
    #expect(run.status == 0, "\(run.error)")
    #expect(
      try database.run("SELECT n, j, r FROM nums")
        == #"123456789012345678901234567890.124|{"k": [12345678901234567890.5, 1]}|0.12345678901234568"#
    )
  }

  @Test("a database is exported into another schema, but not onto its own tables")
  func ontoItself() throws {
    let database = try PostgresServer.running().database(
      """
      CREATE TABLE prices (id int PRIMARY KEY, price numeric(6,2));
      INSERT INTO prices VALUES (1, 2.50);
      CREATE SCHEMA copy;
      """)
    let address = database.address()
    for options in ["", "?application_name=other"] {
      let run = try Program.run(["export", address, "--to", address + options, "--force"])
      #expect(run.status == 2)
      #expect(run.error.contains("is the store being exported"), "\(run.error)")
    }
    let type = "SELECT format_type(atttypid, atttypmod) FROM pg_attribute WHERE attname = 'price'"
    #expect(try database.run(type) == "numeric(6,2)")
    let other = address + "?options=-csearch_path%3Dcopy"
    let run = try Program.run(["export", address, "--to", other])
    #expect(run.status == 0, "\(run.error)")
    #expect(try database.run("SELECT id, price FROM copy.prices") == "1|2.5")
  }

  @Test("an export opens one session of its target, also if the server hides its start time")
  func unknownPlace() throws {
    let server = try PostgresServer.running()
    let source = try server.database(
      """
      DO $$ BEGIN CREATE ROLE exporter LOGIN; EXCEPTION WHEN duplicate_object THEN END $$;
      CREATE TABLE prices (id int PRIMARY KEY, price numeric(6,2));
      INSERT INTO prices VALUES (1, 2.50);
      GRANT SELECT ON prices TO exporter;
      REVOKE EXECUTE ON FUNCTION pg_catalog.pg_postmaster_start_time() FROM PUBLIC;
      """)
    let target = try server.database("GRANT CREATE ON SCHEMA public TO exporter;")
    let run = try Program.run([
      "export", source.address(user: "exporter"), "--to", target.address(user: "exporter"),
    ])
    #expect(run.status == 0, "\(run.error)")
    #expect(try target.run("SELECT id, price FROM prices") == "1|2.5")
    #expect(try target.statements().count { $0.contains("SET TimeZone") } == 1)
  }

  @Test("sonde transact reports the values that the database rounded")
  func rounding() throws {
    let database = try PostgresServer.running().database(
      "CREATE TABLE nums (id int PRIMARY KEY, n numeric(6,2)); INSERT INTO nums VALUES (1), (2);")
    let steps = """
      [["update", "nums", ["id", 1], {"n": 1.239}], ["update", "nums", ["id", 2], {"n": 1.5}]]
      """
    let run = try Program.run(["transact", database.address(), "-"], input: steps)
    #expect(run.status == 0, "\(run.error)")
    #expect(run.error.contains("The database stored nums.n as 1.24.\n"), "\(run.error)")
    #expect(!run.error.contains("1.5"), "\(run.error)")
    #expect(try database.run("SELECT n FROM nums ORDER BY id") == "1.24\n1.50")
  }
}
