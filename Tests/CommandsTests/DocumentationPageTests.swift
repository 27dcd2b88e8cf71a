import Foundation
import GRDB
import Testing

@Suite("The documentation's commands", .waitsForPrograms)
struct DocumentationPageTests {
  @Test("every command runs", arguments: DocumentationPage.all.filter { !$0.commands.isEmpty })
  func commands(page: DocumentationPage) throws {
    try Self.withStores { folder in
      for command in page.commands {
        if DocumentationPage.isPattern(command) {
          try Self.checkOptions(of: command)
        } else if command.contains(#/sonde (serve|watch)\s/#) {
          try Self.expectFirstLine(of: command, in: folder)
        } else {
          try Self.expectEnd(of: command, in: folder)
        }
      }
    }
  }

  @Test(
    "every query has an answer",
    arguments: DocumentationPage.all.filter { !$0.queries.isEmpty })
  func queries(page: DocumentationPage) throws {
    for (store, queries) in Dictionary(grouping: page.queries, by: \.store) {
      let texts = queries.map(\.text)
      // Some find cities that only the complete demo has.
      let run = try Program.run(
        ["query", store == "world" ? Program.world : store, "-"],
        input: texts.joined(separator: "\n") + "\n")
      let answers = run.output.split(separator: "\n")
      #expect(answers.count == texts.count, "\(run.error)")
      for (text, answer) in zip(texts, answers) {
        #expect(!answer.contains("\"error\""), "\(text): \(answer)")
        #expect(!answer.hasSuffix(":[]}}"), "\(text) finds nothing")
      }
    }
  }

  @Test("the pages with queries are read")
  func some() {
    let counts = Dictionary(
      uniqueKeysWithValues: DocumentationPage.all.map { ($0.path, $0.queries.count) })
    #expect(counts["README.md"] == 12)
    #expect(counts["docs/queries.md"] ?? 0 > 30)
  }

  @Test("every link has a target", arguments: DocumentationPage.all)
  func links(page: DocumentationPage) throws {
    let folder = URL(filePath: Program.checkout).appending(path: page.path)
      .deletingLastPathComponent()
    for link in page.links {
      let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
      let target =
        parts[0].isEmpty
        ? URL(filePath: Program.checkout).appending(path: page.path)
        : folder.appending(path: String(parts[0]))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(link)")
      guard parts.count == 2 else { continue }
      let path = target.standardizedFileURL.path
      let other = try #require(
        DocumentationPage.all.first { path.hasSuffix("/" + $0.path) }, "\(link)")
      #expect(other.anchors.contains(String(parts[1])), "\(link)")
    }
  }

  @Test("the README has at most 150 lines")
  func length() throws {
    let readme = try #require(DocumentationPage.all.first { $0.path == "README.md" })
    #expect(readme.lines.count <= 151)
  }

  @Test("the program prints the page about queries")
  func reference() throws {
    let file = URL(filePath: Program.checkout).appending(path: "docs/queries.md")
    let page = try String(contentsOf: file, encoding: .utf8)
    #expect(try Program.run(["help", "language"]).output == page)
  }

  // MARK: Running

  /// A folder with the stores and files that the pages name.
  private static func withStores(_ body: (String) throws -> Void) throws {
    let files = [
      "more.csv": "title\nmore\n", "staff.csv": "email\na@x\n", "people.csv": "name\nAda\n",
      "token.txt": "0123456789abcdef0123456789abcdef\n",
    ]
    try Program.withFolder(files) { folder in
      let manager = FileManager.default
      try manager.createDirectory(
        atPath: folder + "/data", withIntermediateDirectories: false)
      try Data("title,done\nRead,false\n".utf8).write(to: URL(filePath: folder + "/data/tasks.csv"))
      try manager.setAttributes(
        [.posixPermissions: 0o600], ofItemAtPath: folder + "/token.txt")
      for target in ["backup.zip", "dump.json"] {
        let run = try Program.run(["export", "goals", "--to", folder + "/" + target])
        #expect(run.status == 0, "\(run.error)")
      }
      let run = try Program.run(["import", "goals", "--into", folder + "/plan.sonde"])
      #expect(run.status == 0, "\(run.error)")
      try DatabaseQueue(path: folder + "/app.sqlite").write { database in
        try database.execute(sql: "CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT)")
      }
      try body(folder)
    }
  }

  private static func shell(_ command: String, in folder: String) throws -> Child {
    let program = "sonde() { '\(Program.path)' \"$@\"; }"
    return try Child(
      ["sh", "-c", "cd '\(folder)' || exit; \(program); \(command)"],
      environment: ["HOME": folder, "XDG_STATE_HOME": nil, "XDG_CONFIG_HOME": nil])
  }

  /// A command that opens the explorer says so, for there is no terminal.
  private static func expectEnd(of command: String, in folder: String) throws {
    let run = try shell(command, in: folder).finish()
    let opensExplorer = run.complaints.contains("Sonde needs a terminal")
    #expect(run.status == 0 || opensExplorer, "\(command): \(run.complaints)")
  }

  /// Commands that run until they are interrupted, on a free port.
  private static func expectFirstLine(of command: String, in folder: String) throws {
    var line = command.split(separator: " | ").first.map(String.init) ?? command
    line = line.replacing("sonde ", with: "'\(Program.path)' ", maxReplacements: 1)
    if line.contains(" serve ") { line += " --port 0" }
    // There is no certificate here.
    line = line.replacing(/--tls-\w+ \S+/, with: "")
    let program = try shell("exec " + line, in: folder)
    let first = program.line()
    program.signal(SIGTERM)
    #expect(first != nil, "\(command): \(program.finish().complaints)")
  }

  /// Every option of a command that cannot run as it is stands in its help.
  private static func checkOptions(of command: String) throws {
    let words = command.split(separator: " ").drop { $0 != "sonde" }.dropFirst()
    guard let name = words.first else { return }
    // An address opens the explorer.
    let topic = name.allSatisfy(\.isLetter) ? String(name) : "browse"
    let help =
      topic == "live"
      ? try Program.run(["live", words.dropFirst().first.map(String.init) ?? "", "--help"]).output
      : try Program.run(["help", topic]).output
    #expect(!help.isEmpty, "\(command)")
    for option in words where option.hasPrefix("--") {
      #expect(help.contains(option), "\(command)")
    }
  }
}
