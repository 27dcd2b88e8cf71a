import Foundation
import GRDB
import Testing

/// What people do with the program from beginning to end. Editing, being offline and the journeys for
/// everybody stand in files of their own.
@Suite("Journeys in a real terminal", .timeLimit(.minutes(3)))
struct JourneyTests {
  @Test("the first run: choose a demo, filter by a cell, nest a relation, leave")
  func first() throws {
    let terminal = try Tmux(columns: 120, rows: 36)
    try terminal.run("stty -a > /tmp/first.$$; \(Program.path); echo le''ft $?")
    try terminal.wait(for: "▸ 1  world")
    try terminal.press("Enter")
    try terminal.wait(for: "26 184")
    try terminal.press("Down", "Enter")
    try terminal.wait(for: "Afghanistan")
    try terminal.type("f")
    try terminal.wait(for: "Filter by name")
    try terminal.type("!")
    try terminal.wait {
      $0.contains("name != \"Afghanistan\"") && !$0.contains("Islamic Republic of A")
    }
    try terminal.type("w")
    try terminal.wait(for: "[ ] ▸ continent")
    try terminal.type(" ")
    try terminal.wait { $0.contains("[x] ▾ continent") && $0.contains("+ continent") }
    try terminal.press("Escape")
    try terminal.wait { !$0.contains("[x]") }
    try terminal.type("q")
    try terminal.wait(for: "left 0")
    #expect(try terminal.value("alternate_on") == "0")
    try terminal.run("stty -a | cmp - /tmp/first.$$ && echo un''changed; rm /tmp/first.$$")
    try terminal.wait(for: "unchanged")
  }

  @Test("filter, order by two columns and limit are undone and redone, alike in both spellings")
  func undoing() throws {
    let terminal = try Tmux(columns: 240, rows: 24)
    try terminal.run("\(Program.path) world countries")
    try terminal.wait(for: "Albania")
    // As text, to be read from the screen.
    try terminal.type("i")
    var spelt = [try spellings(terminal, after: "countries")]
    for (keys, text) in [
      ("f!", #"countries filter name != "Afghanistan""#),
      ("s", #"countries filter name != "Afghanistan" order name"#),
      ("lS", #"countries filter name != "Afghanistan" order name, code"#),
      ("L5\r", #"countries filter name != "Afghanistan" order name, code limit 5"#),
    ] {
      try terminal.type(keys)
      spelt.append(try spellings(terminal, after: text))
    }
    for (text, json) in spelt {
      let answers = try [text, json].map {
        try Program.run(["query", "world", $0, "--format", "csv"])
      }
      #expect(answers[0].status == 0, "\(text): \(answers[0].error)")
      #expect(answers[0].output == answers[1].output, "\(text) and \(json)")
    }
    for (text, json) in spelt.dropLast().reversed() {
      try terminal.type("u")
      let now = try spellings(terminal, after: text)
      #expect(now.json == json)
    }
    for (text, json) in spelt.dropFirst() {
      try terminal.press("C-r")
      let now = try spellings(terminal, after: text)
      #expect(now.json == json)
    }
  }

  /// The query as it is spelt as text, once that is `text`, and as InstaQL.
  private func spellings(
    _ terminal: Tmux, after text: String
  ) throws -> (text: String, json: String) {
    _ = try terminal.wait { query(on: $0) == text }
    try terminal.type("i")
    let json = query(on: try terminal.wait { query(on: $0).hasPrefix("{") })
    try terminal.type("iii")
    _ = try terminal.wait { query(on: $0) == text }
    return (text, json)
  }

  /// The first line of the query's pane.
  private func query(on screen: String) -> String {
    let lines = screen.split(separator: "\n")
    guard lines.count > 2, let start = lines[2].firstRange(of: "││ ")?.upperBound else { return "" }
    return lines[2][start...].dropLast().trimmingCharacters(in: .whitespaces)
  }

  @Test(
    "relations are chosen, opened in place and gone into, and the way back ends at the very row")
  func relations() throws {
    let terminal = try Tmux(columns: 140, rows: 36)
    try terminal.run("\(Program.path) world 'countries order name desc limit 9'")
    try terminal.wait(for: "Zimbabwe")
    try terminal.type("w ")
    try terminal.wait(for: "[x] ▾ continent")
    try terminal.press("Escape")
    try terminal.wait { $0.contains("+ continent") && !$0.contains("[x]") }
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
    try terminal.wait(for: "─ \(name) ─")
    try terminal.press("Escape")
    try terminal.wait { !$0.contains("─ \(name) ─") }
    try terminal.type("$")
    try terminal.wait(for: "cities")
    try terminal.press("Enter")
    try terminal.wait(for: "countries › cities")
    try terminal.type("[")
    try terminal.wait { $0.contains("world › countries") && !$0.contains("› cities") }
    try terminal.type("0f")
    try terminal.wait(for: "=  name = \"\(name)\"")
  }

  @Test("what another process changes, inserts and deletes is there; paused it is counted first")
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

  @Test("a backup is served, and browsed from a second terminal")
  func backup() throws {
    try Program.withFolder([:]) { folder in
      let file = folder + "/goals.zip"
      #expect(try Program.run(["export", "goals", "--to", file]).status == 0)
      let first = try Tmux(columns: 110, rows: 24)
      try first.run("\(Program.path) \(file)")
      try first.wait { $0.contains("goals.zip › ") && $0.contains("todos") }
      let server = try Server(file, access: .readOnly)
      let second = try Tmux(columns: 110, rows: 24)
      try second.run("\(Program.path) \(server.address) 'goals order title'")
      try second.wait { $0.contains("● live") && $0.contains("A garden that feeds us in summer") }
      try second.press("Enter")
      try second.wait { $0.contains("─ A garden that feeds us in summer ─") && $0.contains("→ ") }
      try second.press("Escape")
      try second.type("q")
      server.stop()
    }
  }

  @Test("a query is saved, found again the next time, and its command line reopens the very view")
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
    try terminal.wait(for: "Kept as 'The largest'")
    try terminal.type("yl")
    try terminal.wait(for: "Copied")
    try terminal.type("q")
    try terminal.wait(for: "left")
    let command = try terminal.clipboard()
    #expect(command == "sonde world 'countries filter population > 150000000'")
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
      "clear; export XDG_STATE_HOME=/nowhere; sonde() { \(Program.path) \"$@\"; }; \(command)")
    try terminal.wait { $0.contains("Brazil") && !$0.contains("Albania") }
  }

  @Test(
    "a foreign key of a SQLite database is followed there and back, and who points here is seen")
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
      try terminal.type("$")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("books › authors") && $0.contains("Solaris, The Cyberiad") }
      try terminal.press("Enter")
      try terminal.wait(for: "books.author")
      try terminal.press("Escape")
      try terminal.wait { !$0.contains("books.author") }
      try terminal.type("$")
      try terminal.press("Enter")
      try terminal.wait { $0.contains("› authors › books") && !$0.contains("Dispossessed") }
      try terminal.type("[[")
      try terminal.wait { $0.contains("Dispossessed") && $0.contains("order title") == false }
      try terminal.type("e")
      try terminal.wait(for: "read-only")
      try terminal.type("q")
      try terminal.wait(for: "left 0")
    }
  }
}
