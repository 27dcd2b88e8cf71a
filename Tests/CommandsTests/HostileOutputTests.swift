import Foundation
import GRDB
import Testing

/// What really reaches the terminal while data is shown that is full of orders to terminals.
@Suite(
  "Control sequences in data never reach the terminal", .waitsForPrograms, .timeLimit(.minutes(10))
)
struct HostileOutputTests {
  /// Every order in the data has this number, which the program has no use for itself.
  private static let mark = "7077"

  private static let orders = [
    "\u{1B}[\(mark)m", "\u{1B}[\(mark);1H", "\u{1B}[?\(mark)h", "\u{9B}\(mark)J",
    "\u{1B}]\(mark);title\u{7}", "\u{1B}]\(mark);c;AAAA\u{1B}\\", "\u{9D}\(mark);x\u{9C}",
    "\u{1B}P\(mark)q\u{1B}\\", "\u{1B}_\(mark)\u{1B}\\", "\u{90}\(mark)\u{9C}", "\u{7}",
    "\u{202E}\(mark)\u{202C}", "\u{2066}\(mark)\u{2069}", "\u{85}", "\u{7F}", "\r\n", "\u{2028}",
    "e" + String(repeating: "\u{301}", count: 300), "\u{1B}", "\u{1B}c", "\u{1B}#8",
  ]

  /// The texts are numbered: all orders come in turn, alone and two by two.
  private static func text(_ number: Int) -> String {
    let first = orders[number % orders.count]
    let second = orders[(number * 7 + 3) % orders.count]
    return ["a", "日本", "", "é "][number % 4] + first + (number.isMultiple(of: 3) ? "" : second)
  }

  /// What the data comes from.
  enum Kind: CaseIterable {
    case json, csv, sqlite, sonde
  }

  /// Writes a store of a kind into a folder; answers with its path.
  private static func store(_ kind: Kind, in folder: String) throws -> String {
    // Neither a line's end nor the end of a C string can be part of a file's name that others type.
    let name = "s" + orders[kind == .csv ? 4 : 0].filter { $0 != "/" } + "t"
    switch kind {
    case .json, .sonde:
      let path = folder + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let (one, other) = ("n" + text(0), "o" + text(5))
      let rows = (0..<40).map { number -> [String: Any] in
        [
          "id": "i\(number)", "name": text(number), one: text(number + 1),
          other: [text(number + 2), [text(number + 3): text(number + 4)]],
        ]
      }
      let json = try JSONSerialization.data(withJSONObject: rows)
      try json.write(to: URL(filePath: path + "/plants.json"))
      guard kind == .sonde else { return path }
      let file = folder + "/" + name + ".sonde"
      let run = try Program.run(["import", path, "--into", file])
      #expect(run.status == 0, "\(run.error)")
      return file
    case .csv:
      let path = folder + "/" + name
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
      let header = "key,name,\"c\(text(3).replacing("\"", with: ""))\"\n"
      let rows = (0..<40).map { "\($0),\"\(text($0))\",\"\(text($0 + 9))\"\n" }
      try Data((header + rows.joined()).utf8).write(to: URL(filePath: path + "/plants.csv"))
      try Data("a,b\n1,2\n".utf8).write(to: URL(filePath: path + "/x\u{1B}[7077my.csv"))
      return path
    case .sqlite:
      let file = folder + "/" + name + ".sqlite"
      let column = "c" + text(2)
      try DatabaseQueue(path: file).write { database in
        try database.execute(
          sql:
            "CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT, \(column.quotedDatabaseIdentifier) TEXT)"
        )
        try database.execute(
          sql: "CREATE TABLE \(("t" + text(4)).quotedDatabaseIdentifier) (a INTEGER PRIMARY KEY)")
        for number in 0..<40 {
          try database.execute(
            sql: "INSERT INTO plants VALUES (?, ?, ?)",
            arguments: [number, text(number), text(number + 1)])
        }
      }
      return file
    }
  }

  /// A word for the shell, whatever is in it.
  private static func word(_ text: String) -> String {
    let octal = text.utf8.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }
    return "\"$(printf '\(octal.joined())')\""
  }

  /// Keys that lead everywhere: panes, forms, prompts, menus, copies.
  private static let ways = [
    "4", "G", "$", "z", "/a\r", "0f", "v", "v", "v", "?", "D", "x", "C", "W", "w", "c", "yc", "Q",
    "F", "1", "2", "3", "i", "i", "i", "B", "E", "4", "0K", "ye", "M", "4",
  ]

  @Test(
    "the explorer removes them from values, names, files, copies, the title and every pane",
    arguments: Kind.allCases
  )
  func explorer(_ kind: Kind) throws {
    try Program.withFolder([:]) { folder in
      let store = try Self.store(kind, in: folder)
      let terminal = try Tmux(columns: 110, rows: 30)
      // Outside tmux, as far as the program knows: copies then go to the terminal itself.
      try terminal.run(
        "clear; env -u TMUX TERM=xterm-256color '\(Program.path)' \(Self.word(store)) plants; "
          + "printf 'le%s %s\\n' ft $?")
      try terminal.wait { $0.contains("Results") && $0.contains("plants") }
      for keys in Self.ways {
        // An escape that is one whatever follows, and however soon.
        for text in [keys, "\u{1B}[27u"] {
          try terminal.type(text)
          try terminal.rest()
        }
      }
      try terminal.resize(columns: 40, rows: 10)
      try terminal.rest()
      try terminal.type("q")
      try terminal.wait(for: "left 0")
      let orders = TerminalOutput(terminal.sentBytes, mark: Self.mark)
      #expect(orders.count > 500)
      #expect(orders.forbidden.isEmpty, "\(orders.forbidden.prefix(5))")
    }
  }

  @Test(
    "the command line removes them from tables, errors and screen-reader output",
    arguments: Kind.allCases)
  func commandLine(_ kind: Kind) throws {
    try Program.withFolder([:]) { folder in
      let store = Self.word(try Self.store(kind, in: folder))
      let terminal = try Tmux(columns: 100, rows: 30)
      for line in [
        "query \(store) plants", "schema \(store)",
        "query \(store) \(Self.word("plants filter \u{1B}[7077m = 1"))",
        "query \(Self.word("/nowhere/\u{1B}]7077;x\u{7}")) plants",
        "query \(store) plants --\(Self.word("x\u{1B}[7077mx"))",
      ] {
        try terminal.run("clear; '\(Program.path)' \(line); printf 'do%s %s\\n' ne $?")
        try terminal.wait(for: "done ")
      }
      try terminal.run(
        "clear; '\(Program.path)' --screen-reader \(store) plants; printf 'le%s\\n' ft")
      try terminal.wait { $0.contains("Results") }
      try terminal.type("Gjq")
      try terminal.wait(for: "left")
      let orders = TerminalOutput(terminal.sentBytes, mark: Self.mark)
      #expect(orders.forbidden.isEmpty, "\(orders.forbidden.prefix(5))")
    }
  }
}
