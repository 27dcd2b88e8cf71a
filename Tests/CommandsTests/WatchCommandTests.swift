import Foundation
import GRDB
import Testing

@Suite("sonde watch", .waitsForPrograms, .timeLimit(.minutes(10)))
struct WatchCommandTests {
  private static let before = #"[{"id": "a", "title": "one"}, {"id": "b", "title": "two"}]"#
  private static let after =
    #"[{"id": "a", "title": "one"}, {"id": "b", "title": "2", "done": true}, {"id": "c"}]"#

  private static func object(_ line: String) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any], "\(line)")
  }

  private static func replace(_ file: String, with text: String) throws {
    try Data(text.utf8).write(to: URL(filePath: file), options: .atomic)
  }

  @Test("prints the answer at once, and again after changes")
  func lines() throws {
    try Program.withFolder(["notes.json": Self.before]) { folder in
      let program = try Child([Program.path, "watch", folder, "notes order title"])
      let first = try Self.object(try #require(program.line()))
      #expect(first["tx"] as? Int == 1)
      #expect(first["freshness"] as? String == "live")
      #expect((first["data"] as? [String: [Any]])?["notes"]?.count == 2)
      #expect(first["changes"] == nil)

      try Self.replace(folder + "/notes.json", with: Self.after)
      let second = try Self.object(try #require(program.line()))
      #expect((second["data"] as? [String: [Any]])?["notes"]?.count == 3)
      let changes = try #require((second["changes"] as? [String: [[String: Any]]])?["notes"])
      #expect(Set(changes.compactMap { $0["type"] as? String }) == ["added", "changed"])
      let changed = try #require(changes.first { $0["type"] as? String == "changed" })
      let members = try #require(changed["attributes"] as? [String: [String: Any]])
      #expect(members["title"]?["old"] as? String == "two")
      #expect(members["title"]?["new"] as? String == "2")
      #expect(members["done"]?["old"] == nil)

      try Self.replace(folder + "/notes.json", with: "[{")
      let third = try Self.object(try #require(program.line()))
      #expect(third["freshness"] as? String == "stale")
      #expect((third["reason"] as? String)?.contains("notes.json") == true)
    }
  }

  @Test("changes outside of the answer print no line, and --changes omits the answer")
  func changesOnly() throws {
    try Program.withFolder(["notes.json": Self.before]) { folder in
      let query = #"notes filter title = "one" fields title"#
      let program = try Child([Program.path, "watch", folder, query, "--changes"])
      _ = program.line()
      try Self.replace(folder + "/notes.json", with: Self.after)
      try Self.replace(folder + "/notes.json", with: #"[{"id": "b", "title": "two"}]"#)
      let line = try Self.object(try #require(program.line()))
      #expect(line["data"] == nil)
      let changes = try #require((line["changes"] as? [String: [[String: Any]]])?["notes"])
      #expect(changes.count == 1)
      #expect(changes.first?["type"] as? String == "removed")
    }
  }

  @Test("added, removed and changed groups are listed")
  func groups() throws {
    try Program.withFolder(["notes.json": #"[{"id": "a", "n": 1}, {"id": "b", "n": 2}]"#]) {
      folder in
      let program = try Child([Program.path, "watch", folder, "notes group n"])
      let first = try Self.object(try #require(program.line()))
      #expect((first["data"] as? [String: [[String: Int]]])?["notes"]?.count == 2)
      try Self.replace(
        folder + "/notes.json",
        with: #"[{"id": "a", "n": 1}, {"id": "b", "n": 1}, {"id": "c", "n": 3}]"#)
      let second = try Self.object(try #require(program.line()))
      let changes = try #require((second["changes"] as? [String: [[String: Any]]])?["notes"])
      #expect(changes.map { $0["type"] as? String } == ["removed", "changed", "added"])
      #expect(changes.map { ($0["group"] as? [String: Int])?["n"] } == [2, 1, 3])
      let counts = (changes[1]["attributes"] as? [String: [String: Int]])?["count"]
      #expect(counts == ["old": 1, "new": 2])
    }
  }

  @Test("rows of a database without an id of their own are matched as a whole")
  func wholeRows() throws {
    let changes = try Self.changes(
      of: ["a", "b", "c"], in: "words order ID",
      by: "UPDATE words SET word = 'new' WHERE ID = 2")
    #expect(changes == ["removed b", "added new"])
  }

  @Test("one of two equal rows of a database is removed")
  func equalRows() throws {
    let changes = try Self.changes(
      of: ["a", "b", "b"], in: "words order ID fields word", by: "DELETE FROM words WHERE ID = 3")
    #expect(changes == ["removed b"])
  }

  /// Returns the type and the word of each change that a watched query reports.
  ///
  /// - Parameters:
  ///   - words: The words of a table, numbered from 1.
  ///   - sql: The statement that changes the table.
  private static func changes(
    of words: [String], in query: String, by sql: String
  ) throws -> [String] {
    try Program.withFolder([:]) { folder in
      let path = folder + "/shop.db"
      let file = try DatabaseQueue(path: path)
      try file.write { db in
        try db.execute(sql: "CREATE TABLE words (ID INTEGER PRIMARY KEY, word TEXT)")
        for word in words {
          try db.execute(sql: "INSERT INTO words (word) VALUES (?)", arguments: [word])
        }
      }
      let program = try Child([Program.path, "watch", path, query, "--changes"])
      _ = program.line()
      try file.write { try $0.execute(sql: sql) }
      let line = try object(try #require(program.line()))
      let changes = try #require((line["changes"] as? [String: [[String: Any]]])?["words"])
      return changes.map { change in
        let word = (change["row"] as? [String: Any])?["word"] as? String
        return "\(change["type"] as? String ?? "") \(word ?? "")"
      }
    }
  }

  @Test("a signal ends it with the expected status", arguments: [(2, 130), (15, 143), (1, 129)])
  func signals(_ signal: Int32, _ status: Int32) throws {
    let program = try Child([Program.path, "watch", "world", "continents count"])
    #expect(program.line()?.contains("\"count\":7") == true)
    program.signal(signal)
    let end = program.finish()
    #expect(end.status == status)
    #expect(end.complaints.isEmpty)
  }

  @Test("it ends when the pipe is closed, even without changes")
  func closedPipe() throws {
    let line = "'\(Program.path)' watch world 'continents count' | head -n 1"
    let end = try Child(["bash", "-c", line + "; echo ${PIPESTATUS[0]}"]).finish()
    #expect(end.output.hasSuffix("}\n0\n"), "\(end.output)")
    #expect(end.complaints.isEmpty)
  }

  @Test("a table in a pipe has no control sequences")
  func tableInPipe() throws {
    let line = "'\(Program.path)' watch world 'continents count' --format table | head -n 2"
    let end = try Child(["bash", "-c", line]).finish()
    #expect(end.output.contains("7") && !end.output.contains("\u{1B}"), "\(end.output)")
  }

  @Test("on a terminal, a table is redrawn in place")
  func table() throws {
    try Program.withFolder(["notes.json": Self.before]) { folder in
      let terminal = try Tmux()
      try terminal.run("clear; \(Program.path) watch \(folder) 'notes fields title'; echo left $?")
      try terminal.wait { $0.contains("two") && $0.contains("tx 1") }
      try Self.replace(folder + "/notes.json", with: #"[{"id": "b", "title": "other"}]"#)
      let screen = try terminal.wait { $0.contains("other") && $0.contains("tx 2") }
      #expect(!screen.contains("two"))
      #expect(!screen.contains("tx 1"))
      try terminal.press("C-c")
      try terminal.wait(for: "left 130")
    }
  }

  @Test(
    "a query that cannot be watched fails at once",
    arguments: [
      (["watch", "/nowhere", "a"], 3), (["watch", "world", "citys"], 1),
      (["watch", "world", "cities", "--changes", "--format", "table"], 2),
    ] as [([String], Int32)])
  func complaints(_ arguments: [String], _ status: Int32) throws {
    let run = try Program.run(arguments)
    #expect(run.status == status)
    #expect(!run.error.isEmpty)
    #expect(run.output.isEmpty)
  }
}
