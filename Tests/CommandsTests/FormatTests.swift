import Foundation
import Testing

@Suite("Formats and errors on the command line")
struct FormatTests {
  @Test(
    "each format is written by its name",
    arguments: [
      ("csv", "name,code\nAfrica,AF\n"), ("tsv", "name\tcode\nAfrica\tAF\n"),
      ("markdown", "| name | code |\n| --- | --- |\n| Africa | AF |\n"),
    ])
  func formats(_ format: String, _ expected: String) throws {
    let run = try Program.run([
      "query", "world", "continents order name limit 1 fields name, code", "--format", format,
    ])
    #expect(run.output == expected, "\(run.error)")
    #expect(run.status == 0)
  }

  @Test("a table keeps wide characters in their columns")
  func wide() throws {
    let files = [
      "names.json": #"[{"id": "1", "a": "東京", "b": "x"}, {"id": "2", "a": "Rome", "b": "y"}]"#
    ]
    try Program.withFolder(files) { folder in
      let run = try Program.run(["query", folder, "names fields a, b", "--format", "table"])
      #expect(run.output == "a     b\n────  ─\n東京  x\nRome  y\n")
    }
  }

  @Test("JSON is what a pipe gets, and a table a terminal")
  func standard() throws {
    let query = "query world 'continents limit 1 fields name'"
    #expect(try Child(["sh", "-c", "'\(Program.path)' \(query)"]).finish().output.hasPrefix("{"))
    let terminal = try Tmux()
    try terminal.run("\(Program.path) \(query)")
    try terminal.wait { $0.contains("────") }
  }

  @Test(
    "errors are objects where that was asked for, wherever it stands",
    arguments: [
      (["query", "world", "citys", "--json-errors"], 1, "citys"),
      (["query", "--json-errors", "/nowhere", "x"], 3, "/nowhere"),
      (["query", "world", "x", "--json-errors", "--wrong"], 2, "--wrong"),
    ] as [([String], Int, String)])
  func jsonErrors(_ arguments: [String], _ status: Int, _ says: String) throws {
    let run = try Program.run(arguments)
    #expect(Int(run.status) == status)
    let object = try JSONSerialization.jsonObject(with: Data(run.error.utf8)) as? [String: Any]
    let error = try #require(object?["error"] as? [String: Any])
    #expect(error["status"] as? Int == status)
    #expect((error["message"] as? String)?.contains(says) == true)
    #expect(run.error.split(separator: "\n").count == 1)
  }

  @Test("one wrong line among many is told by the exit status")
  func wrongLine() throws {
    let right = try Program.run(["query", "world", "-"], input: "continents count\n")
    #expect(right.status == 0)
    let wrong = try Program.run(["query", "world", "-"], input: "x y\ncontinents count\n")
    #expect(wrong.status == 1)
    #expect(wrong.output.split(separator: "\n").count == 2)
    #expect(wrong.error.contains("One line"))
  }
}
