import Foundation
import Testing

@Suite("sonde import of arbitrary files", .waitsForPrograms, .timeLimit(.minutes(10)))
struct ImportCommandTests {
  private static func count(_ query: String, in store: String) throws -> String {
    let run = try Program.run(["query", store, query + " count", "--format", "csv"])
    return run.output.split(whereSeparator: \.isNewline).last.map(String.init) ?? run.error
  }

  @Test("files of the same name keep all rows, and a repeated import has no effect")
  func sameName() throws {
    try Program.withFolder([:]) { folder in
      for (month, rows) in [
        ("jan", "2024-01-01,10\n2024-01-02,20\n2024-01-03,30\n"),
        ("feb", "2024-02-01,99\n2024-01-02,20\n"),
      ] {
        try FileManager.default.createDirectory(
          atPath: folder + "/" + month, withIntermediateDirectories: false)
        try Data(("day,amount\n" + rows).utf8).write(
          to: URL(filePath: folder + "/\(month)/sales.csv"))
      }
      let store = folder + "/s.sonde"
      let files = [folder + "/jan/sales.csv", folder + "/feb/sales.csv"]
      let first = try Program.run(["import"] + files + ["--into", store])
      let place = "Imported 5 entities in the namespace sales into \(store)"
      #expect(first.output == "\(place): 5 new.\n", "\(first.error)")
      #expect(try Self.count("sales", in: store) == "5")
      let again = try Program.run(["import"] + files + [files[0], "--into", store])
      #expect(again.output == "\(place): 5 unchanged.\n", "\(again.error)")
      #expect(try Self.count("sales", in: store) == "5")
    }
  }

  @Test("rows matched by a column become updates")
  func updateBy() throws {
    let files = ["people.csv": "mail,age\na@x,1\nb@x,2\n", "more.csv": ""]
    try Program.withFolder(files) { folder in
      let (store, file) = (folder + "/s.sonde", folder + "/people.csv")
      #expect(try Program.run(["import", file, "--into", store]).status == 0)
      try Data("mail,age\nb@x,7\nc@x,3\n".utf8).write(to: URL(filePath: file))
      let dry = ["import", file, "--into", store, "--update-by", "mail", "--dry-run"]
      let said = try Program.run(dry)
      #expect(said.output.hasSuffix("1 new, 1 changed. Nothing was written.\n"), "\(said)")
      #expect(try Self.count("people", in: store) == "2")
      #expect(try Program.run(Array(dry.dropLast())).status == 0)
      let ages = try Program.run(
        ["query", store, "people order mail fields age", "--format", "tsv"]).output
      #expect(ages.split(whereSeparator: \.isNewline) == ["age", "1", "7", "3"])
    }
  }

  @Test("a dry run fails if the store would reject the import")
  func rejectedDryRun() throws {
    try Program.withFolder(["people.csv": "name\nBo\nCy\n"]) { folder in
      let store = folder + "/s.sonde"
      let made = try Program.run(["import", "goals", "--into", store])
      #expect(made.status == 0, "\(made.error)")
      for dry in [["--dry-run"], []] {
        let run = try Program.run(["import", folder + "/people.csv", "--into", store] + dry)
        #expect(run.status == 1 && run.output.isEmpty, "\(run)")
        #expect(run.error.contains("Missing required attributes `people/"), "\(run.error)")
      }
    }
  }

  @Test("a dry run creates no store, and --strict rejects what is otherwise reported")
  func strict() throws {
    try Program.withFolder(["a.csv": "n,m\n1,2\n3,4,5\n"]) { folder in
      let arguments = ["import", folder + "/a.csv", "--into", folder + "/s.sonde"]
      let dry = try Program.run(arguments + ["--dry-run"])
      let summary = "Would import 2 entities in the namespace a "
      #expect(dry.status == 0 && dry.output.hasPrefix(summary), "\(dry)")
      #expect(dry.error.contains("a.csv, line 3: the row has 3 fields, but the header has 2"))
      let strict = try Program.run(arguments + ["--strict"])
      #expect(strict.status == 3 && strict.error.contains("line 3"), "\(strict)")
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.csv"])
      let query = try Program.run(["query", folder + "/a.csv", "a count"])
      #expect(query.status == 0 && query.error.contains("are in 'column3'"))
    }
  }

  @Test("the first twenty of many errors are shown, and the rest counted")
  func manyFaults() throws {
    let text = "n,m\n1,2\n" + String(repeating: "1\n", count: 100)
    try Program.withFolder(["a.csv": text]) { folder in
      let run = try Program.run(["schema", folder + "/a.csv"])
      let lines = run.error.split(whereSeparator: \.isNewline)
      #expect(lines.count == 21)
      #expect(lines.last == "80 more messages like these.")
    }
  }

  @Test("standard input can be imported")
  func standardInput() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/s.sonde"
      let run = try Program.run(
        ["import", "-", "--into", store], input: "{\"things\": [{\"n\": 1}, {\"n\": 2}]}")
      #expect(run.output.hasPrefix("Imported 2 entities in the namespace things "), "\(run.error)")
      #expect(try Self.count("things", in: store) == "2")
    }
  }

  @Test("--null names texts for missing values")
  func nullTexts() throws {
    try Program.withFolder(["a.csv": "n\n1\n-99\n.\n"]) { folder in
      let store = folder + "/s.sonde"
      let run = try Program.run(
        ["import", folder + "/a.csv", "--into", store, "--null", "-99", "--null", "."])
      #expect(run.status == 0 && run.error.isEmpty, "\(run.error)")
      #expect(try Self.count("a filter n > 0", in: store) == "1")
      #expect(try Self.count("a", in: store) == "3")
    }
  }

  @Test(
    "the content identifies a file with an unknown extension",
    arguments: [("list", "a,b\n1,2\n", "list"), ("notes.txt", "[{\"n\": 1}]", "notes")])
  func endings(_ name: String, _ text: String, _ namespace: String) throws {
    try Program.withFolder([name: text]) { folder in
      let count = try Self.count(namespace, in: folder + "/" + name)
      #expect(count == "1")
    }
  }

  @Test("a file that is not a database is reported")
  func noDatabase() throws {
    try Program.withFolder(["a.sqlite": String(repeating: "random bytes ", count: 900)]) { folder in
      let run = try Program.run(["query", folder + "/a.sqlite", "x"])
      #expect(run.status == 3)
      #expect(run.error.contains("is not a SQLite database, or it is encrypted."), "\(run.error)")
    }
  }

  @Test("a long text can be imported and extended")
  func longText() throws {
    let text = String(repeating: "long ", count: 1_000)
    try Program.withFolder(["a.csv": "id,b\nx,\(text)\n"]) { folder in
      let store = folder + "/s.sonde"
      #expect(try Program.run(["import", folder + "/a.csv", "--into", store]).status == 0)
      #expect(try Self.count("a filter b ilike \"LONG%\"", in: store) == "1")
      let id =
        try Program.run(["query", store, "a fields id", "--format", "tsv"]).output
        .split(whereSeparator: \.isNewline).last.map(String.init) ?? ""
      let change = try Program.run(
        ["transact", store, "-"], input: "[\"update\",\"a\",\"\(id)\",{\"b\":\"\(text + text)\"}]")
      #expect(change.status == 0, "\(change.error)")
    }
  }
}
