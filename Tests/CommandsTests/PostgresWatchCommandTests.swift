import Foundation
import PostgresTestSupport
import Testing

@Suite(
  "Programs that follow a PostgreSQL database", .enabled(if: PostgresServer.obstacle == nil),
  .waitsForPrograms, .timeLimit(.minutes(5)))
struct PostgresWatchCommandTests {
  /// A server without long transactions of other tests, for whose end a new slot waits.
  private static let server = Result { try PostgresServer.another() }

  private func watch(_ database: TestPostgres) throws -> Child {
    try Child([Program.path, "watch", "--live=decode", database.address(), "t count"])
  }

  private func waitForEndOfSlots(_ database: TestPostgres) throws {
    try database.run(
      """
      DO $$ BEGIN
        FOR i IN 1..600 LOOP
          IF NOT EXISTS (SELECT FROM pg_replication_slots WHERE database = current_database())
          THEN RETURN; END IF;
          PERFORM pg_sleep(0.05);
        END LOOP;
        RAISE 'the slot is still there';
      END $$
      """)
  }

  @Test("a burst of changes is read in bounded memory, and a killed process leaves no slot")
  func burst() throws {
    let database = try Self.server.get().database(
      "CREATE TABLE t (id int PRIMARY KEY, word text); INSERT INTO t VALUES (0, 'a');")
    let program = try watch(database)
    #expect(program.line()?.contains("1") == true)
    let slots = try database.run(
      "SELECT count(*) FROM pg_replication_slots WHERE temporary AND database = current_database()")
    #expect(slots == "1")
    #if os(Linux)
      let before = try Self.peakMemory(of: program.process)
    #endif
    try database.run(
      "INSERT INTO t SELECT g, repeat('x', 1000) FROM generate_series(1, 100000) AS g")
    while let line = program.line() {
      if line.contains("100001") { break }
    }
    #if os(Linux)
      // The changes themselves have 100 MB.
      #expect(try Self.peakMemory(of: program.process) - before < 30 << 20)
    #endif
    program.signal(SIGKILL)
    #expect(program.status() == 128 + SIGKILL)
    try waitForEndOfSlots(database)
  }

  @Test("the header names the way, and a password in an address is neither shown nor stored")
  func header() throws {
    let database = try Self.server.get().database(
      "CREATE TABLE t (id int PRIMARY KEY, word text); INSERT INTO t VALUES (0, 'a');")
    let address = database.address().replacing("sonde@", with: "sonde:verysecret@")
    let terminal = try Tmux(columns: 120, rows: 30, environment: ["STORE": address])
    try terminal.run("\(Program.path) \"$STORE\" --live=decode; echo le''ft")
    try terminal.wait(for: "(decoding every second)")
    try terminal.type("4s")
    try terminal.wait(for: "order word")
    try terminal.type("q")
    try terminal.wait(for: "left")
    #expect(!terminal.sent.contains("verysecret"))
    let names = try FileManager.default.subpathsOfDirectory(atPath: terminal.state.path)
    let texts = names.compactMap {
      try? String(contentsOf: terminal.state.appending(path: $0), encoding: .utf8)
    }
    #expect(texts.contains { $0.contains("order word") })
    #expect(!texts.contains { $0.contains("verysecret") })
  }

  @Test("no key leaves a transaction open")
  func openTransactions() throws {
    let database = try Self.server.get().database(
      """
      CREATE TABLE t (id int PRIMARY KEY, word text, up_id int REFERENCES t);
      INSERT INTO t SELECT g, 'word ' || g % 7, g / 2 FROM generate_series(1, 2000) AS g
        WHERE g > 1 UNION ALL SELECT 1, 'word 1', NULL;
      """)
    let terminal = try Tmux(columns: 120, rows: 30, environment: ["STORE": database.address()])
    try terminal.run("\(Program.path) \"$STORE\"; echo le''ft")
    try terminal.wait(for: "word 1")
    for key in ["4", "G", "g", "s", "l", "z", "\u{1B}", "G", "K", "u", "1", "4"] {
      try terminal.type(key)
      try database.run(
        """
        DO $$ BEGIN
          FOR i IN 1..100 LOOP
            PERFORM pg_stat_clear_snapshot();
            IF NOT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database()
              AND state LIKE 'idle in transaction%') THEN RETURN; END IF;
            PERFORM pg_sleep(0.05);
          END LOOP;
          RAISE 'a transaction is still open';
        END $$
        """)
    }
  }

  @Test("a store of another kind has nothing to decode")
  func other() throws {
    let run = try Program.run(["watch", "--live=decode", "goals", "todos"])
    #expect(run.status != 0)
    #expect(run.error.contains("--live needs a PostgreSQL database"), "\(run.error)")
  }

  #if os(Linux)
    /// The peak of a process's memory, in bytes.
    private static func peakMemory(of process: pid_t) throws -> Int {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
      return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
    }
  #endif
}
