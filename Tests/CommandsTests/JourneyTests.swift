import Foundation
import GRDB
import Testing

/// Ten typical sessions from start to exit.
@Suite("Journeys in a real terminal", .waitsForPrograms, .timeLimit(.minutes(10)))
struct JourneyTests {
  /// The modes of the first session: the usual one, and accessibility modes.
  enum Manner: CaseIterable {
    case usual, withoutColors, ascii, heard

    var size: (columns: Int, rows: Int) { self == .usual ? (120, 36) : (80, 24) }
    var variables: String { self == .withoutColors ? "NO_COLOR=1" : "" }
    var options: String {
      switch self {
      case .usual, .withoutColors: ""
      case .ascii: "--ascii"
      case .heard: "--screen-reader"
      }
    }

    /// Whether nothing is on a screen that must not be.
    func allows(_ screen: String) -> Bool {
      switch self {
      case .usual, .withoutColors: true
      // Data may have other letters, and marks of their direction.
      case .ascii:
        screen.unicodeScalars.allSatisfy {
          $0.isASCII || $0.properties.isAlphabetic || $0.properties.isBidiControl
        }
      case .heard: !screen.unicodeScalars.contains { (0x2500...0x259F).contains($0.value) }
      }
    }
  }

  // Journeys 1 and 10.
  @Test(
    "first run: choose a demo, filter by a cell, include a relation, quit",
    arguments: Manner.allCases)
  func first(_ manner: Manner) throws {
    let terminal = try Tmux(columns: manner.size.columns, rows: manner.size.rows)
    try terminal.run(
      "clear; stty -a > /tmp/first.$$; \(manner.variables) \(Program.path) \(manner.options); "
        + "echo le''ft $?")
    func see(_ holds: (String) -> Bool) throws {
      let screen = try terminal.wait(until: holds)
      #expect(manner.allows(screen), "\(screen)")
    }
    try see { $0.contains("1  world") }
    try terminal.press("Enter")
    try see { $0.contains(SmallDemos.cities) && $0.contains("continents") }
    try terminal.press("Down", "Enter")
    try see { $0.contains("Afghanistan") && $0.contains("250") }
    try terminal.type("f")
    try see { $0.contains("Filter by name") }
    try terminal.type("!")
    try see { $0.contains("249") && !$0.contains("Islamic Republ") }
    try terminal.type("w")
    try see { $0.contains("[ ]") && $0.contains("continent") }
    try terminal.type(" ")
    try see { $0.contains("[x]") && $0.contains("1 included") }
    try terminal.press("Escape")
    try see { !$0.contains("[x]") }
    try terminal.type("3")
    try see { $0.contains("name != \"Afghanistan\"") && $0.contains("continent") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    #expect(try terminal.value("alternate_on") == "0")
    if manner == .withoutColors { #expect(!terminal.hasSentColors) }
    try terminal.run("stty -a | cmp - /tmp/first.$$ && echo un''changed; rm /tmp/first.$$")
    try terminal.wait(for: "unchanged")
  }

  // Journey 2.
  @Test("filter, sort and limit can be undone and redone in both notations")
  func undoing() throws {
    let terminal = try Tmux(columns: 240, rows: 24)
    try terminal.run("\(Program.path) world countries")
    try terminal.wait(for: "Albania")
    var spelled = [try spellings(terminal, after: "countries")]
    for (keys, text) in [
      ("f!", #"countries filter name != "Afghanistan""#),
      ("s", #"countries filter name != "Afghanistan" order name"#),
      ("lS", #"countries filter name != "Afghanistan" order name, code desc"#),
      ("L5\r", #"countries filter name != "Afghanistan" order name, code desc limit 5"#),
    ] {
      try terminal.type(keys)
      spelled.append(try spellings(terminal, after: text))
    }
    for (text, json) in spelled {
      let answers = try [text, json].map {
        try Program.run(["query", "world", $0, "--format", "csv"])
      }
      #expect(answers[0].status == 0, "\(text): \(answers[0].error)")
      #expect(answers[0].output == answers[1].output, "\(text) and \(json)")
    }
    for (text, json) in spelled.dropLast().reversed() {
      try terminal.type("u")
      let now = try spellings(terminal, after: text)
      #expect(now.json == json)
    }
    for (text, json) in spelled.dropFirst() {
      try terminal.press("C-r")
      let now = try spellings(terminal, after: text)
      #expect(now.json == json)
    }
  }

  /// The displayed query as text, once it is `text`, and as InstaQL.
  private func spellings(
    _ terminal: Tmux, after text: String
  ) throws -> (text: String, json: String) {
    _ = try terminal.wait { query(on: $0) == text }
    try terminal.type("i")
    let json = query(on: try terminal.wait { query(on: $0).hasPrefix("{") })
    try terminal.type("ii")
    _ = try terminal.wait { query(on: $0) == text }
    return (text, json)
  }

  /// The first line of the query's pane.
  private func query(on screen: String) -> String {
    let lines = screen.split(separator: "\n")
    guard lines.count > 2, let start = lines[2].firstRange(of: "││ ")?.upperBound else { return "" }
    return lines[2][start...].dropLast().trimmingCharacters(in: .whitespaces)
  }

  // Journey 3.
  @Test(
    "relations are included, expanded and opened, and back returns to the same row")
  func relations() throws {
    let terminal = try Tmux(columns: 118, rows: 36)
    // The program uses the whole demo: the country chosen below has three cities in it.
    try terminal.run(
      "env -u SONDE_SHARE \(Program.path) world 'countries order name desc limit 9'")
    try terminal.wait(for: "Zimbabwe")
    try terminal.type("w ")
    try terminal.wait(for: "[x] ▾ continent")
    try terminal.press("Escape")
    try terminal.wait { $0.contains("with continent") && !$0.contains("[x]") }
    try terminal.wait(for: "╰ continent 1")
    try terminal.type("*")
    try terminal.wait { !$0.contains("╰ continent 1") }
    try terminal.press("Down", "Down", "Down")
    try terminal.type("f")
    let menu = try terminal.wait(for: "=  name = ")
    let name = String(menu.components(separatedBy: "=  name = \"")[1].prefix { $0 != "\"" })
    try terminal.press("Escape")
    try terminal.wait { !$0.contains("=  name = ") }
    try terminal.type(">")
    try terminal.wait(for: "╰ continent 1")
    try terminal.type("<")
    try terminal.wait { !$0.contains("╰ continent 1") }
    // In, and in again.
    try terminal.press("Enter")
    try terminal.wait(for: "─ [5] \(name) ─")
    try terminal.press("Escape")
    try terminal.wait { !$0.contains("─ [5] \(name) ─") }
    try terminal.type("$")
    try terminal.wait(for: "cities")
    try terminal.press("Enter")
    // The rows come a moment after the trail, and only they can be gone into.
    try terminal.wait {
      $0.contains("countries › cities") && $0.contains("Laayoune") && !$0.contains("Zimbabwe")
    }
    try terminal.press("Enter")
    try terminal.wait(for: "─ [5] Laayoune ─")
    try terminal.type("[")
    try terminal.wait { !$0.contains("─ [5] Laayoune ─") && $0.contains("countries › cities") }
    try terminal.type("[")
    try terminal.wait {
      $0.contains("world › countries") && !$0.contains("› cities") && $0.contains("Zimbabwe")
    }
    try terminal.type("0f")
    try terminal.wait(for: "=  name = \"\(name)\"")
  }

  // Journey 4.
  @Test("changes of another process appear, and are counted while paused")
  func live() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/goals.sonde"
      #expect(try Program.run(["import", "goals", "--into", store]).status == 0)
      let people = try Program.run(
        ["query", store, "people order name fields id, name", "--format", "csv"]
      ).output.split(separator: "\n").dropFirst().map { $0.split(separator: ",") }
      let third = people[2]
      let terminal = try Tmux(columns: 120, rows: 30)
      try terminal.run("\(Program.path) \(store) 'people order name'")
      try terminal.wait(for: String(third[1]))
      try terminal.press("Down", "Down")
      func transact(_ steps: String) throws {
        let run = try Program.run(["transact", store, "-"], input: steps)
        #expect(run.status == 0, "\(run.error)")
      }
      // Another row comes above the cursor, which stays on its entity.
      let new = UUID().uuidString.lowercased()
      try transact(
        #"["update", "people", "\#(new)", {"key": "aaa", "name": "Aaa First", "email": "a@a.org", "timezone": "Europe/Paris"}]"#
      )
      try terminal.wait(for: "Aaa First")
      try terminal.type("f")
      try terminal.wait(for: "name = \"\(third[1])\"")
      try terminal.press("Escape")
      try transact(#"["update", "people", "\#(new)", {"name": "Aab Changed"}]"#)
      try terminal.wait { $0.contains("Aab Changed") && !$0.contains("Aaa First") }
      // The changed cell is marked for a moment: it is written in one way, and later in another.
      try terminal.wait { _ in Set(terminal.styles(of: "Aab Changed")).count > 1 }
      // Held back and counted, then shown.
      try terminal.type("p")
      try terminal.wait(for: "paused")
      try transact(#"["update", "people", "\#(new)", {"name": "Aac Unseen"}]"#)
      let held = try terminal.wait { $0.contains("1 change") }
      #expect(!held.contains("Aac Unseen"))
      try transact(#"["delete", "people", "\#(new)"]"#)
      try terminal.wait { $0.contains("paused") && !$0.contains("1 change ") }
      #expect(try terminal.screen().contains("Aab Changed"))
      try terminal.type("p")
      try terminal.wait { !$0.contains("Aab Changed") && !$0.contains("paused") }
      try terminal.type("f")
      try terminal.wait(for: "name = \"\(third[1])\"")
    }
  }

  @Test("the header of a live demo says that edits stay in memory")
  func liveDemo() throws {
    let terminal = try Tmux(columns: 80, rows: 24)
    try terminal.run("\(Program.path) demo goals; echo le''ft $?")
    try terminal.wait { $0.contains("goals demo") && $0.contains("  writable in memory") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
  }

  // Journey 5.
  @Test("edits, rejections, links and undo persist in a store file")
  func storeFile() throws {
    try Program.withFolder([:]) { folder in
      let store = folder + "/goals.sonde"
      let made = try Program.run(["import", "goals", "--into", store])
      #expect(made.status == 0, "\(made.error)")
      let before = try Program.run(["query", store, "todos count"]).output
      let terminal = try Tmux(columns: 120, rows: 30)
      try terminal.run(
        "\(Program.path) \(store) 'goals order title fields title, status, target'; echo le''ft $?")
      try terminal.wait {
        $0.contains("Results") && $0.contains("title") && $0.contains("  writable")
      }
      // A value.
      try terminal.type("e")
      try terminal.wait(for: "Edit title")
      try terminal.press("C-u")
      try terminal.type("AAA first of all")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("AAA first of all") && $0.contains("updated") }
      // A value that its attribute cannot have.
      try terminal.type("$")
      try terminal.type("e")
      try terminal.wait(for: "Edit target")
      try terminal.press("C-u")
      try terminal.type("next week")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("next week") && $0.contains("date") }
      try terminal.press("C-u")
      try terminal.type("2031-05-06")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("2031-05-06") && $0.contains("target updated") }
      try terminal.type("U")
      try terminal.wait { !$0.contains("2031-05-06") && $0.contains("Undone.") }
      // What goes with it is shown before it goes.
      try terminal.type("gd")
      try terminal.wait(for: "Delete AAA first of all?")
      try terminal.type("d")
      try terminal.wait { $0.contains("Deleted ") }
      try terminal.type("U")
      try terminal.wait { $0.contains("AAA first of all") && $0.contains("Undone.") }
      // Another one, with all that it must have.
      try terminal.type("a")
      try terminal.wait(for: "New row in goals")
      try terminal.type("AAB is new")
      for (label, value) in [
        ("status", "open"), ("target", "2030-01-31"), ("createdAt", "2026-01-01"),
      ] {
        try terminal.press("Enter")
        try terminal.wait(for: "\(label) is required")
        try terminal.type(value)
      }
      try terminal.press("Enter")
      try terminal.wait { $0.contains("Created AAB is new") && $0.contains("2030-01-31") }
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let titles = try Program.run(["query", store, "goals fields title order title limit 2"])
        .output
      #expect(titles.contains("AAA first of all") && titles.contains("AAB is new"))
      #expect(try Program.run(["query", store, "todos count"]).output == before)
    }
  }

  // Journey 6.
  @Test(
    "an offline server is reported with the reason, and changes made meanwhile arrive once")
  func away() throws {
    try Program.withFolder([:]) { folder in
      let file = folder + "/goals.sonde"
      let place = Place(folder, "importer")
      #expect(
        try place.run("import", Program.checkout + "/demo-data/goals", "--into", file).status == 0)
      // A port that no connection is given by chance, so that it is free for the second server.
      let server = try Server(file, port: String(Int.random(in: 20_000..<32_000)))
      let terminal = try Tmux(columns: 110, rows: 30)
      try terminal.run(
        "export XDG_STATE_HOME='\(folder)/me'; clear; '\(Program.path)' \(server.address) "
          + #"'goals filter key = "kitchen"' --write; echo left $?"#)
      try terminal.wait { $0.contains("Renew the kitchen") && $0.contains("● live") }
      server.stop()
      try terminal.wait { $0.contains("✕ offline") && $0.contains("connection refused") }
      #expect(try terminal.screen().contains("Renew the kitchen"))
      // An unknown query is reported as not loaded, not as empty.
      try terminal.type("L1")
      try terminal.press("Enter")
      try terminal.wait {
        $0.contains("was never sent") && $0.contains("u undo the last query change")
      }
      try terminal.type("u")
      try terminal.wait { $0.contains("Renew the kitchen") && !$0.contains("was never sent") }
      let before = try transaction(of: file)
      try terminal.edit("title", to: "Written on a train")
      try terminal.wait { $0.contains("Written on a train") && $0.contains("↑1 pending") }

      let again = try Server(file, port: server.port)
      try terminal.wait { $0.contains("● live") && !$0.contains("pending") }
      let told = try Place(folder, "stranger").run(
        "query", again.address, #"goals filter key = "kitchen" fields title"#)
      #expect(told.output.contains("Written on a train"), "\(told)")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      again.stop()
      #expect(try transaction(of: file) == before + 1)
    }
  }

  /// The number of a store's last transaction.
  private func transaction(of store: String) throws -> Int {
    let line = try #require(Child([Program.path, "watch", store, "goals count"]).line())
    let told = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    return try #require(told["tx"] as? Int)
  }

  // Journey 7.
  @Test("a served backup can be explored from a second terminal")
  func backup() throws {
    try Program.withFolder([:]) { folder in
      let file = folder + "/goals.zip"
      #expect(try Program.run(["export", "goals", "--to", file]).status == 0)
      let first = try Tmux(columns: 110, rows: 24)
      try first.run("\(Program.path) \(file)")
      try first.wait { $0.contains("goals.zip › ") && $0.contains("todos") }
      let server = try Server(file, access: .readOnly)
      let second = try Tmux(columns: 110, rows: 24)
      try second.run("\(Program.path) \(server.address) --write 'goals order title'")
      try second.wait { $0.contains("● live") && $0.contains("A garden that feeds us in summer") }
      // The server says what it allows, whatever was asked for here.
      try second.wait(for: "read-only")
      try second.type("e")
      try second.wait(for: "The server is read-only")
      try second.press("Enter")
      try second.wait {
        $0.contains("─ [5] A garden that feeds us in summer ─") && $0.contains("→ ")
      }
      try second.press("Escape")
      try second.type("q")
      server.stop()
    }
  }

  // Journey 8.
  @Test("a saved query persists, and its command line reopens the same view")
  func saving() throws {
    let terminal = try Tmux(columns: 110, rows: 30)
    try terminal.allowClipboard()
    try terminal.run("\(Program.path) world countries; echo le''ft")
    try terminal.wait(for: "Albania")
    try terminal.type("Fpopulation > 150_000_000")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Albania") }
    try terminal.type("bThe largest")
    try terminal.press("Enter")
    try terminal.wait(for: "Saved as “The largest”")
    try terminal.type("v")
    try terminal.wait(for: "tree ·")
    try terminal.type("yl")
    try terminal.wait(for: "Copied")
    try terminal.type("vvq")
    try terminal.wait(for: "left")
    let command = try terminal.clipboard()
    #expect(command == "sonde world 'countries filter population > 150M' --view tree")
    // The same view is there again, and the query among the saved ones.
    try terminal.run("clear; \(Program.path) world; echo go''ne")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Albania") }
    try terminal.type("u")
    try terminal.wait(for: "Albania")
    try terminal.type("B")
    try terminal.wait(for: "The largest")
    try terminal.press("Enter")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Albania") }
    try terminal.type("q")
    try terminal.wait(for: "gone")
    // What was copied is a command line.
    try terminal.run(
      "clear; export XDG_STATE_HOME=/proc/nowhere; sonde() { \(Program.path) \"$@\"; }; \(command)")
    try terminal.wait {
      $0.contains("tree ·") && $0.contains("Brazil") && !$0.contains("Albania")
    }
  }

  // Journey 9.
  @Test(
    "a foreign key of a SQLite database can be followed in both directions")
  func database() throws {
    try Program.withFolder([:]) { folder in
      let path = folder + "/books.sqlite"
      let queue = try DatabaseQueue(path: path)
      try queue.writeWithoutTransaction { db in
        try db.execute(
          sql: """
            CREATE TABLE authors (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE books (id INTEGER PRIMARY KEY, title TEXT NOT NULL,
              author_id INTEGER REFERENCES authors(id));
            INSERT INTO authors VALUES (1, 'Ursula K. Le Guin'), (2, 'Stanisław Lem');
            INSERT INTO books VALUES (1, 'The Dispossessed', 1), (2, 'Solaris', 2),
              (3, 'The Cyberiad', 2);
            """)
      }
      try queue.close()
      let terminal = try Tmux(columns: 100, rows: 24)
      try terminal.run("\(Program.path) \(path) 'books order title'; echo le''ft $?")
      try terminal.wait { $0.contains("Solaris") && $0.contains("Stanisław Lem →") }
      try terminal.wait { $0.contains("● live") && $0.contains("read-only") }
      try terminal.type("$")
      try terminal.press("Enter")
      try terminal.wait {
        $0.contains("books › authors") && $0.contains("2 · Solaris, 3 · The Cyberiad")
      }
      try terminal.press("Enter")
      try terminal.wait(for: "⇉ books  ")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("⇉ books  ") }
      try terminal.type("$")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("› authors › books") && !$0.contains("Dispossessed") }
      try terminal.type("[[")
      try terminal.wait { $0.contains("Dispossessed") && $0.contains("books order title") }
      try terminal.type("e")
      try terminal.wait(for: "read-only")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }
}
