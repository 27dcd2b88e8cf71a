import Foundation
import Testing

@Suite("sonde transact", .waitsForPrograms, .timeLimit(.minutes(10)))
struct TransactCommandTests {
  private static let goal = "11111111-1111-4111-8111-111111111111"
  private static let todo = "22222222-2222-4222-8222-222222222222"

  private static func transact(
    _ json: String, _ store: String, _ more: String...
  ) throws -> Program.Run {
    try Program.run(["transact", store, "-"] + more, input: json)
  }

  @Test(
    "operations create missing attributes and links, and print the transaction's number")
  func operations() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/plan.sonde"
      let run = try Self.transact(
        """
        {"__ops": [["update", "goals", "\(Self.goal)", {"title": "Run"}],
                   ["update", "todos", "\(Self.todo)", {"done": false}],
                   ["link", "goals", "\(Self.goal)", {"todos": "\(Self.todo)"}]]}
        """, store, "--create")
      #expect(run.output == "1\n", "\(run.error)")
      #expect(run.status == 0)
      let answer = try Program.run([
        "query", store, "goals fields title with todos", "--format", "json",
      ])
      #expect(answer.output.contains("\"title\":\"Run\""))
      #expect(answer.output.contains("\"done\":false"))
    }
  }

  @Test("steps from a file change what a watcher in another process sees")
  func steps() throws {
    try Program.withFolder([
      "gone.json": #"[["delete-entity", "\#(Self.goal)", "goals"]]"#
    ]) { folder in
      let store = folder + "/plan.sonde"
      _ = try Self.transact(
        #"["update", "goals", "\#(Self.goal)", {"title": "Run"}]"#, store, "--create")
      let watcher = try Child([Program.path, "watch", store, "goals count"])
      #expect(watcher.line()?.contains("\"count\":1") == true)
      let run = try Program.run(["transact", store, folder + "/gone.json"])
      #expect(run.output == "2\n", "\(run.error)")
      #expect(watcher.line()?.contains("\"count\":0") == true)
    }
  }

  @Test(
    "a rejection names the step and the reason, and changes nothing",
    arguments: [
      (
        #"[["update", "a", "\#(goal)", {"x": 1}], ["create", "a", "\#(goal)", {}]]"#,
        ["Step 2", "exist"]
      ),
      (#"[["add-triple", "\#(goal)"]]"#, ["Step 1", "missing"]),
      (#"[["add-triple", "\#(goal)", "\#(todo)", 1]]"#, ["no attribute"]),
      (#"[["frobnicate", "a", "\#(goal)", {}]]"#, ["frobnicate"]),
      (#"[["update", "a", "nope", {"x": 1}]]"#, ["nope", "UUID"]),
      ("[[\"update\",", ["line 1", "column 12"]),
      (#"[{"title": "Run"}]"#, ["'sonde help transact' describes the operations and steps."]),
    ])
  func refusals(_ json: String, _ words: [String]) throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/plan.sonde"
      _ = try Self.transact(#"["update", "a", "\#(Self.goal)", {"x": 1}]"#, store, "--create")
      let run = try Self.transact(json, store)
      #expect(run.status == 1)
      #expect(run.output.isEmpty)
      for word in words { #expect(run.error.contains(word), "\(run.error)") }
      #expect(run.error.split(separator: "\n").count == 1)
      let count = try Program.run(["query", store, "a count", "--format", "csv"])
      #expect(count.output == "count\n1\n")
    }
  }

  @Test("a deletion of what does not exist succeeds and says so")
  func missing() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/plan.sonde"
      _ = try Self.transact(
        #"["update", "goals", "\#(Self.goal)", {"title": "Run"}]"#, store, "--create")
      let none = try Self.transact(#"["delete", "goals", "\#(Self.todo)"]"#, store)
      #expect(none.status == 0)
      #expect(
        none.error.hasSuffix("Nothing was deleted: goals has no row with the id \(Self.todo).\n"),
        "\(none.error)")
      let one = try Self.transact(
        #"[["delete", "goals", "\#(Self.todo)"], ["delete", "goals", "\#(Self.goal)"]]"#, store)
      #expect(one.status == 0)
      #expect(one.error.hasSuffix("1 of the 2 rows to delete does not exist.\n"), "\(one.error)")
      let count = try Program.run(["query", store, "goals count", "--format", "csv"])
      #expect(count.output == "count\n0\n")
    }
  }

  @Test("read-only stores are not changed, and missing ones are not created")
  func unwritable() throws {
    let demo = try Self.transact("[]", "world")
    #expect(demo.status == 2)
    #expect(demo.error.contains(".sonde"))
    try Program.withFolder([:]) { folder in
      let missing = try Self.transact("[]", folder + "/none.sonde")
      #expect(missing.status == 3)
      #expect(missing.error.contains("--create"))
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder).isEmpty)
    }
  }
}

@Suite("Addresses of stores", .waitsForPrograms)
struct StoreLocationTests {
  @Test(
    "a store that cannot be opened reports the reason, without passwords",
    arguments: [
      ("postgres://ann:secret@host.invalid/db", 3, "host.invalid"), ("wsx://host", 2, "wsx"),
      ("nowhere", 3, "goals"), ("./nowhere", 3, "does not exist"),
    ] as [(String, Int32, String)])
  func unsupported(_ address: String, _ status: Int32, _ says: String) throws {
    let run = try Program.run(["query", address, "a"])
    #expect(run.status == status)
    #expect(run.error.contains(says), "\(run.error)")
    #expect(!run.error.contains("secret"))
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test("a pipe and a link to a missing file are named as such")
  func specialFiles() throws {
    try Program.withFolder([:]) { folder in
      let (pipe, link) = (folder + "/rows.csv", folder + "/link.csv")
      try #require(mkfifo(pipe, 0o600) == 0)
      try FileManager.default.createSymbolicLink(
        atPath: link, withDestinationPath: folder + "/missing.csv")
      let piped = try Program.run(["query", pipe, "rows"])
      #expect(piped.status == 3)
      #expect(piped.error.contains("\(pipe): it is not a file or folder."), "\(piped.error)")
      #expect(piped.error.contains("sonde - < \(pipe)"), "\(piped.error)")
      let linked = try Program.run(["query", link, "link"])
      #expect(linked.status == 3)
      #expect(
        linked.error.contains("\(link) does not exist. It is a link to a missing file."),
        "\(linked.error)")
    }
  }

  @Test("a single file is a read-only namespace")
  func rows() throws {
    try Program.withFolder(["a.csv": "name\nAnn\n", "b.json": #"[{"name": "Bob"}]"#]) { folder in
      #expect(
        try Program.run(["query", folder + "/a.csv", "a fields name"]).output.contains("Ann"))
      #expect(try Program.run(["query", folder + "/b.json", "b count"]).output.contains("1"))
      let run = try Program.run(["transact", folder + "/a.csv", "-"], input: "[]")
      #expect(run.status != 0)
      #expect(run.error.contains("Import it first"), "\(run.error)")
    }
  }
}
