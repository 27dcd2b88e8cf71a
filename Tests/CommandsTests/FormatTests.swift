import Foundation
import Testing

@Suite("Formats and errors on the command line", .waitsForPrograms)
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

  private static let garden = [
    "beds.json": #"""
    [{"id": "s", "name": "South", "area": 12}, {"id": "p", "name": "Pond", "area": 8},
     {"id": "e", "name": "Empty", "area": 8}]
    """#,
    "plants.json": #"""
    [{"id": "1", "name": "Fig", "height": 250, "bed": "s"},
     {"id": "2", "name": "Iris", "height": 80, "bed": "p"},
     {"id": "3", "name": "Mint", "height": 1040, "bed": "p"}]
    """#,
    "schema.json": #"""
    {"entities": {"beds": {"attrs": {}}, "plants": {"attrs": {}}},
     "links": {"bedPlants": {"forward": {"on": "plants", "label": "bed", "has": "one"},
                             "reverse": {"on": "beds", "label": "plants", "has": "many"}}}}
    """#,
  ]

  @Test(
    "a table shows groups, aggregates and relations",
    arguments: [
      (
        "beds group area aggregate count(), max(name) as last order count desc",
        "area  count  last \n────  ─────  ─────\n   8      2  Pond \n  12      1  South\n"
      ),
      ("plants aggregate sum(height)", "sum_height\n──────────\n      1370\n"),
      ("beds order area fields area distinct", "area\n────\n   8\n  12\n"),
      (
        "plants group bed order count desc limit 1",
        "bed   count\n────  ─────\nPond      2\n"
      ),
      (
        "beds filter area = 8 order name desc fields name"
          + " with plants { filter height > 100 fields name, height }",
        "name   plants             \n─────  ────────────────\nPond   ⇉ 1: Mint · 1040\nEmpty  ·\n"
      ),
      (
        "beds order name fields name with plants { count }",
        "name   plants\n─────  ──────\nEmpty       0\nPond        2\nSouth       1\n"
      ),
    ])
  func tables(_ query: String, _ expected: String) throws {
    try Program.withFolder(Self.garden) { folder in
      let run = try Program.run(["query", folder, query, "--format", "table"])
      func trimmed(_ text: String) -> [String] {
        text.split(separator: "\n").map { line in
          String(line.reversed().drop { $0 == " " }.reversed())
        }
      }
      #expect(trimmed(run.output) == trimmed(expected), "\(run.output)\(run.error)")
    }
  }

  @Test("the digits of a column's numbers are grouped alike", arguments: ["fields", "group"])
  func digits(clause: String) throws {
    let file = #"[{"id": "x", "n": 5001}, {"id": "y", "n": 10000}]"#
    try Program.withFolder(["a.json": file]) { folder in
      let run = try Program.run(["query", folder, "a order n \(clause) n", "--format", "table"])
      let lines = run.output.split(separator: "\n").map { $0.prefix(6) }
      #expect(lines == ["     n", "──────", " 5,001", "10,000"], "\(run.output)\(run.error)")
    }
  }

  @Test("skipped or changed data is reported with the answer")
  func warnings() throws {
    try Program.withFolder(["a.json": #"[{"id": "x", "n": 123456789012345678901}]"#]) { folder in
      let run = try Program.run(["query", folder, "a fields n", "--format", "csv"])
      #expect(run.status == 0)
      #expect(run.output == "n\n1.2345678901234568e+20\n")
      #expect(run.error.contains("a.json, line 1: the number 123456789012345678901 is stored as"))
    }
  }

  @Test("the default is JSON for a pipe and a table for a terminal")
  func standard() throws {
    let query = "query world 'continents limit 1 fields name'"
    #expect(try Child(["sh", "-c", "'\(Program.path)' \(query)"]).finish().output.hasPrefix("{"))
    let terminal = try Tmux()
    try terminal.run("\(Program.path) \(query)")
    try terminal.wait { $0.contains("────") }
  }

  @Test(
    "--json-errors prints errors as objects, at any position",
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

  @Test("one invalid line among many sets the exit status")
  func wrongLine() throws {
    let right = try Program.run(["query", "world", "-"], input: "continents count\n")
    #expect(right.status == 0)
    let wrong = try Program.run(["query", "world", "-"], input: "x y\ncontinents count\n")
    #expect(wrong.status == 1)
    #expect(wrong.output.split(separator: "\n").count == 2)
    #expect(wrong.error.contains("1 query failed"))
  }
}
