import Foundation
import Testing

@Suite("sonde query", .waitsForPrograms)
struct QueryCommandTests {
  @Test("prints the three most populous cities of France as JSON")
  func franceByPopulation() throws {
    let run = try Program.run([
      "query", "world",
      #"cities filter country.name = "France" order population desc limit 3"#, "--format", "json",
    ])
    #expect(run.status == 0, "\(run.error)")
    let answer = try #require(
      JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    let data = try #require(answer["data"] as? [String: [[String: Any]]])
    #expect(data["cities"]?.map { $0["name"] as? String } == ["Paris", "Marseille", "Lyon"])
  }

  @Test("a table has a header, a rule and a line per row")
  func table() throws {
    let run = try Program.run([
      "query", "world", "continents order name limit 2 fields name, population", "--format",
      "table",
    ])
    let lines = run.output.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines.first?.hasPrefix("name") == true)
    #expect(lines.dropFirst(2).map { $0.prefix(6) } == ["Africa", "Antarc"])
  }

  @Test(
    "an answer that is empty because no linked row has the name of the filter says so",
    arguments: [
      (
        #"countries filter continent = "Erope" fields name"#,
        #"No continents row has the name "Erope". Did you mean "Europe"?"#
      ),
      (
        #"countries filter continent = "Nowhere" limit 1"#,
        #"No continents row has the name "Nowhere"."#
      ),
      (
        #"countries filter population > 5 and (continent = "X1" or continent in ("X2", "X3"))"#,
        #"No continents row has the name "X1" or "X2" or "X3"."#
      ),
      (#"countries filter continent = "X1" or population > 20M"#, nil),
      (#"countries filter continent != "X1" limit 1"#, nil),
      (#"countries filter continent = "Asia" and population < 0"#, nil),
    ] as [(String, String?)])
  func missingName(query: String, says: String?) throws {
    for format in ["csv", "table"] {
      let run = try Program.run(["query", "world", query, "--format", format])
      #expect(run.status == 0)
      #expect(run.error == (says.map { $0 + "\n" } ?? ""))
    }
  }

  @Test(
    "an unanswerable query prints one sentence and sets the exit status",
    arguments: [
      Complaint(["query", "/nowhere", "a"], status: 3, says: "/nowhere"),
      Complaint(["quary", "world"], status: 3, says: "Did you mean the command 'query'?"),
      Complaint(
        ["--no-progress", "schema", "world"], status: 3,
        says: "put its name before the options: sonde schema"),
      Complaint(["query", "wrld", "a"], status: 3, says: "Did you mean 'world'?"),
      Complaint(
        ["query", "world", #"{"cities": {"$": {"where": {"nmae": 1}}}}"#], status: 1,
        says: "capitalOf, nearbyOf. Did you mean 'name'?"),
      Complaint(["query", "world", "citys"], status: 1, says: "cities"),
      Complaint(["query", "world", "cities filter"], status: 1, says: "expected"),
      Complaint(["query", "world", "cities filter nmae = \"x\""], status: 1, says: "name"),
      Complaint(["query"], status: 2, says: "store"),
      Complaint(["query", "", "a"], status: 2, says: "The name of the store is empty."),
      Complaint(["query", "http://127.0.0.1:8888/a", "b"], status: 2, says: "Try ws://HOST:PORT"),
      Complaint(["query", "https://example.org", "b"], status: 2, says: "Try wss://HOST:PORT"),
      Complaint(["query", "https://example.org", "b"], status: 2, says: "curl -s URL | sonde -"),
      Complaint(["query", "ws://", "b"], status: 2, says: "the host is missing"),
      Complaint(["query", "wss://h/a/b", "b"], status: 2, says: "only an app id may follow"),
      Complaint(["query", "ws://t@h/a", "b"], status: 2, says: "Use SONDE_TOKEN"),
      Complaint(
        ["query", "ws://127.0.0.1:1/a", "b"], status: 3,
        says: "sonde: Cannot reach ws://127.0.0.1:1/a: connection refused.\n"),
      Complaint(
        ["query", "world", "cities", "--format", "xml"], status: 2,
        says: "following: table, json, ndjson, csv, tsv, markdown. See 'sonde query --help' for"),
      Complaint(
        ["query", "world", "c", "--formt", "csv"], status: 2,
        says: "sonde: Unknown option '--formt'. Did you mean '--format'? See 'sonde query --help'"),
      Complaint(["--hlep"], status: 2, says: "Unknown option '--hlep'. Did you mean '--help'?"),
      Complaint(["help", "nothing"], status: 2, says: "Unknown command 'nothing'."),
      Complaint(["help", "qury"], status: 2, says: "Did you mean 'query'?"),
      Complaint(
        ["help", "live", "stop"], status: 2,
        says: "Unknown command 'live stop'. Commands: live install, live remove."),
      Complaint(
        ["live", "instal", "x"], status: 2,
        says: "Unknown command 'live instal'. Did you mean 'live install'? See 'sonde live --help'"),
      Complaint(
        ["live", "install", "x", "--dryrun"], status: 2, says: "Did you mean '--dry-run'?"),
      Complaint(["version"], status: 3, says: "Did you mean 'sonde --version'?"),
      Complaint(["import", "world", "--into", "new.csv"], status: 2, says: "needs a .sonde file"),
      Complaint(
        ["import", "postgres://ann@h/shop", "--into", "new.sonde"], status: 2,
        says: "Export it first: sonde export postgres://ann@h/shop --to FILE.json"),
      Complaint(
        ["import", "ws://h:1/app", "--into", "new.sonde"], status: 2,
        says: "ws://h:1/app is not a file or folder."),
      Complaint(
        ["import", "world", "--into", "/nowhere/a.sonde"], status: 3,
        says: "Cannot write /nowhere/a.sonde: there is no folder /nowhere."),
      Complaint(
        ["import", "world", "--into", "/nowhere/a.sonde", "--dry-run"], status: 3,
        says: "Cannot write /nowhere/a.sonde: there is no folder /nowhere."),
      Complaint(["transact", "new.sonde", "-"], status: 3, says: "does not exist. Add --create"),
      Complaint(
        ["serve", "world", "--port", "70000"], status: 2,
        says: "sonde: The port must be from 0 to 65535, not 70000. See 'sonde serve --help' for"),
      Complaint(["--theme", "nope", "world"], status: 2, says: "sonde-dark"),
    ])
  func complaints(_ complaint: Complaint) throws {
    let run = try Program.run(complaint.arguments)
    #expect(run.status == complaint.status)
    #expect(run.output.isEmpty)
    #expect(run.error.contains(complaint.says), "\(run.error)")
    #expect(run.error.split(separator: "\n").count == 1)
    #expect(!run.error.contains("Fatal"))
  }

  @Test("only a package has a version without a suffix")
  func version() throws {
    let run = try Program.run(["--version"])
    #expect(run.output.wholeMatch(of: #/\d+\.\d+\.\d+-dev\n/#) != nil, "\(run.output)")
  }

  @Test("the most similar file is suggested for a misspelled path")
  func misspelledPath() throws {
    try Program.withFolder(["cities.csv": "name\nOslo\n", ".citys": ""]) { folder in
      let run = try Program.run(["query", folder + "/citys.csv", "cities"])
      #expect(run.status == 3)
      #expect(run.error.contains("Did you mean '\(folder)/cities.csv'?"), "\(run.error)")
    }
  }

  struct Complaint: Sendable, CustomTestStringConvertible {
    let arguments: [String]
    let status: Int32
    let says: String

    init(_ arguments: [String], status: Int32, says: String) {
      self.arguments = arguments
      self.status = status
      self.says = says
    }

    var testDescription: String { "sonde " + arguments.joined(separator: " ") }
  }

  @Test("a failed write is an error, a closed pipe is not")
  func writing() throws {
    let full = try Child(["sh", "-c", "'\(Program.path)' query world cities >/dev/full"]).finish()
    #expect(full.status == 1)
    #expect(full.complaints.contains("could not be written"))
    let closed = try Child(
      ["sh", "-c", "'\(Program.path)' query world cities | head -c 1 >/dev/null"]
    ).finish()
    #expect(closed.complaints.isEmpty)
  }

  @Test("each line of standard input is a query, and an invalid one does not end the input")
  func lines() throws {
    let input = """
      {"cities": {"$": {"limit": 1, "fields": ["name"]}, "country": {}}}

      continents filter code = "EU" fields name
      {"citis": {}}
      [
      """
    let run = try Program.run(["query", "world", "-"], input: input)
    let answers = try run.output.split(separator: "\n").map {
      try #require(
        JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
    }
    #expect(answers.count == 4)
    let cities = (answers[0]["data"] as? [String: Any])?["cities"] as? [[String: Any]]
    #expect(cities?.first?["country"] is [String: Any])
    #expect(run.output.contains("Europe"))
    let fault = try #require(answers[2]["error"] as? [String: Any])
    #expect(fault["path"] as? String == "citis")
    #expect((fault["message"] as? String)?.contains("does not exist in schema") == true)
    #expect(answers[3]["error"] != nil)
    let lenient = try Program.run(["query", "world", "-", "--lenient"], input: "{\"citis\": {}}\n")
    #expect(lenient.output == "{\"data\":{\"citis\":[]}}\n")
  }

  @Test("a line can match prefixes of ids, except for a client without a schema")
  func linesByID() throws {
    let all = try Program.run(
      ["query", "world", "-"], input: #"{"continents": {"$": {"fields": ["id"]}}}"# + "\n")
    let pieces: [Substring] = all.output.split(separator: "\"")
    let id = try #require(pieces.first { $0.count == 36 })
    let input =
      #"{"continents": {"$": {"where": {"$entityIdStartsWith": "\#(id)"}, "fields": ["id"]}}}"#
      + "\n"
    let one = try Program.run(["query", "world", "-"], input: input)
    #expect(one.output == #"{"data":{"continents":[{"id":"\#(id)"}]}}"# + "\n", "\(one)")
    let lenient = try Program.run(["query", "world", "-", "--lenient"], input: input)
    #expect(lenient.output.split(separator: "\"id\"").count == 8, "\(lenient)")
  }

  @Test("each line is answered from the current data")
  func linesLater() throws {
    try Program.withFolder(["a.json": #"[{"id":"x","n":1}]"#]) { folder in
      let store = folder + "/s.sonde"
      #expect(try Program.run(["import", folder + "/a.json", "--into", store]).status == 0)
      let asking = try Child([Program.path, "query", store, "-"])
      try asking.write("a count\n")
      #expect(asking.line()?.contains("1") == true)
      let change = try Program.run(
        ["transact", store, "-"],
        input: #"[["update", "a", "\#(UUID().uuidString.lowercased())", {"n": 2}]]"#)
      #expect(change.status == 0, "\(change)")
      try asking.write("a count\n")
      #expect(asking.line()?.contains("2") == true)
      #expect(asking.finish().status == 0)
    }
  }

  @Test("a line can name what another process has added")
  func addedNames() throws {
    try Program.withFolder(["a.csv": "n\n1\n", "b.csv": "n\n1\n2\n"]) { folder in
      let store = folder + "/s.sonde"
      #expect(try Program.run(["import", folder + "/a.csv", "--into", store]).status == 0)
      let asking = try Child([Program.path, "query", store, "-"])
      try asking.write("a count\n")
      #expect(asking.line() == #"{"data":{},"aggregate":{"a":{"count":1}}}"#)
      #expect(try Program.run(["import", folder + "/b.csv", "--into", store]).status == 0)
      try asking.write("b count\n{\"b\": {\"$\": {\"limit\": 1}}}\nc count\n")
      #expect(asking.line() == #"{"data":{},"aggregate":{"b":{"count":2}}}"#)
      #expect(asking.line()?.hasPrefix(#"{"data":{"b":[{"#) == true)
      #expect(asking.line()?.contains("expected a namespace, but found 'c'") == true)
      #expect(asking.finish().status == 1)
    }
  }

  @Test("a query plan is explained step by step")
  func explanation() throws {
    let run = try Program.run([
      "query", "world", #"cities filter country.name = "France" limit 3"#, "--explain", "--format",
      "table",
    ])
    #expect(run.status == 0)
    #expect(run.output.contains("country"))
    #expect(run.output.contains("found"))
  }

  @Test("broken JSON names file and line")
  func brokenJSON() throws {
    try Program.withFolder(["things.json": "[\n{\"id\": \"a\"},\n{\"id\" \"b\"}\n]"]) { folder in
      let run = try Program.run(["query", folder, "things"])
      #expect(run.status == 3)
      #expect(run.error.contains("things.json"))
      #expect(run.error.contains("line 3"))
      #expect(run.error.split(separator: "\n").count == 1)
    }
  }

  @Test("a folder with a broken file answers from the rest and reports the file")
  func brokenFile() throws {
    try Program.withFolder(["a.csv": "n\n1\n", "b.csv": "\n"]) { folder in
      let run = try Program.run(["query", folder, "a fields n", "--format", "csv"])
      #expect(run.status == 0)
      #expect(run.output == "n\n1\n")
      #expect(run.error.contains("b.csv, line 1: the file has no header"), "\(run.error)")
      #expect(run.error.contains("the file is ignored until it is fixed"), "\(run.error)")
    }
  }

  @Test("an integer beyond 64 bits does not prevent opening its folder")
  func largeInteger() throws {
    try Program.withFolder(["a.json": #"[{"id": "1", "n": 123456789012345678901234567890}]"#]) {
      let run = try Program.run(["query", $0, "a fields n", "--format", "csv"])
      #expect(run.output == "n\n1.2345678901234568e+29\n", "\(run.error)")
    }
  }

  @Test("a broken link is reported with file, label and value")
  func danglingLink() throws {
    let files = [
      "schema.json": #"""
      {"entities": {"a": {"attrs": {}}, "b": {"attrs": {}}},
       "links": {"ab": {"forward": {"on": "a", "label": "b", "has": "one"},
                        "reverse": {"on": "b", "label": "as", "has": "many"}}}}
      """#,
      "a.json": #"[{"id": "a1", "b": "b9"}]"#, "b.json": #"[{"id": "b1"}]"#,
    ]
    try Program.withFolder(files) { folder in
      let run = try Program.run(["query", folder, "a"])
      #expect(run.status == 0)
      for word in ["a.json", "b9"] { #expect(run.error.contains(word), "\(run.error)") }
    }
  }

  @Test("the explorer reports that it needs a terminal")
  func noTerminal() throws {
    let run = try Program.run(["world"], environment: ["TERM": "xterm-256color"])
    #expect(run.status == 2)
    #expect(run.error.contains("terminal"))
    #expect(run.error.split(separator: "\n").count == 1)
  }
}
