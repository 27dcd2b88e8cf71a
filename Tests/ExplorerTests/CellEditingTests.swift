import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Editing in the cell")
struct CellEditingTests {
  /// Rows of `plants` that share few values of `tone`.
  private static func store() throws -> TripleStore {
    let rows = (0..<16).map { number in
      #"{"id": "00000000-0000-4000-8000-0000000000\#(10 + number)", "name": "P\#(number)", "#
        + #""tone": "\#(number % 2 == 0 ? "red" : "blue")", "tall": \#(number % 3 == 0)}"#
    }
    return try Dataset.load([
      (name: "plants.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8))
    ])
  }

  @Test("an error that is wider than the results is wrapped")
  func longError() throws {
    var screen = try Screen(columns: 60, rows: 20, query: QueryPlan("plants").order("name"))
    screen.press("4 g 0 l l l e ctrl-u")
    screen.type("soon")
    #expect(screen.text.contains("sown must be a date such as"), "\(screen.text)")
    #expect(screen.text.contains("or null"), "\(screen.text)")
  }

  @Test("types over the value, and shows an error below it while the query stays")
  func inPlace() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants").order("name"))
    screen.press("4 g 0 l")
    let row = try #require(screen.text.split(separator: "\n").firstIndex { $0.contains("Fig") })
    screen.press("e ctrl-u")
    screen.type("tall")
    #expect(screen.row(row).contains("Fig") && screen.row(row).contains("tall"), "\(screen.text)")
    #expect(screen.row(row + 1).contains("height must be a number"), "\(screen.text)")
    #expect(screen.text.contains("plants order name"), "\(screen.text)")
    screen.press("ctrl-u")
    screen.type("7")
    #expect(!screen.text.contains("must be"))
    screen.press("enter")
    #expect(screen.notice == .done("height updated", hints: [.key(.undoTransaction, "undo")]))
  }

  @Test("an empty field says below it what can be typed")
  func emptyField() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants").order("name"))
    screen.press("4 g 0 l")
    let row = try #require(screen.text.split(separator: "\n").firstIndex { $0.contains("Fig") })
    screen.press("e")
    #expect(!screen.text.contains("number, or null"), "\(screen.text)")
    screen.press("ctrl-u")
    #expect(screen.row(row + 1).contains(" number, or null "), "\(screen.text)")
    screen.press("enter")
    #expect(screen.row(row + 1).contains("must be a number. Type null"), "\(screen.text)")
    screen.type("1.5k")
    #expect(!screen.text.contains("null") && !screen.text.contains("must be"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.line(with: "Fig")?.contains("1,500") == true, "\(screen.text)")
  }

  @Test("a number in the form of a new row is typed as in a query")
  func numberInForm() throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants"))
    screen.press("4 a down down")
    screen.type("tall")
    #expect(screen.text.contains("height must be a number"), "\(screen.text)")
    screen.press("ctrl-u")
    #expect(!screen.text.contains("must be"), "\(screen.text)")
    screen.type("1.5k")
    #expect(!screen.text.contains("must be"), "\(screen.text)")
    screen.press("enter")
    let values = screen.transactions.last?.steps.compactMap { step -> Value? in
      guard case .addTriple(_, _, let value, _) = step else { return nil }
      return value
    }
    #expect(values?.contains(.integer(1_500)) == true, "\(screen.text)")
  }

  @Test(
    "starts with the value selected: typing replaces it, other keys keep it",
    arguments: [
      ("7", "7"), ("end 7", "2507"), ("right 7", "2507"), ("left 7", "7250"), ("home 7", "7250"),
      ("backspace 7", "7"), ("delete 7", "7"), ("ctrl-u 7", "7"), ("end backspace", "25"),
      ("ctrl-w 7", "7"),
    ])
  func selection(keys: String, value: String) throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 g 0 l e " + keys + " enter")
    let written = screen.transactions.last?.steps.compactMap { step -> Value? in
      guard case .addTriple(_, _, let value, _) = step else { return nil }
      return value
    }
    #expect(written?.last == Int64(value).map { .integer($0) }, "\(screen.text)")
  }

  @Test("shows the selected value, and leaves it unchanged after enter")
  func selectedValue() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("4 g 0 l e")
    let row = try #require(screen.text.split(separator: "\n").firstIndex { $0.contains("Fig") })
    let frame = screen.workspace.view()
    let selected = (0..<100).filter {
      frame.cell(row: row, column: $0).paint.ground == .cursorCell
    }
    #expect(selected.count == 3, "\(screen.text)")
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    screen.press("L")
    screen.type("5")
    screen.press("enter L")
    screen.type("7")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants limit 7")
  }

  @Test(
    "hides the next column once the text reaches it, and leaves a gap otherwise",
    arguments: [
      ("e ctrl-u", "Bobo", "│ Bobo  7,654,321  33   "),
      ("e ctrl-u", "Bobby", "│ Bobby            33   "),
      ("e ctrl-u", "Bobby and more", "│ Bobby and more   33   "),
      ("e ctrl-u", "Bobby and some more", "│ Bobby and some more   "),
      ("l e ctrl-u", "76543210", "│ Bob   76543210   33   "),
      ("l e ctrl-u", "7654321012", "│ Bob   7654321012      "),
    ])
  func nextColumn(keys: String, text: String, line: String) throws {
    let rows = "name,a,b\nAnn,1234567,22\nBob,7654321,33\n"
    var screen = try Screen(
      columns: 80, rows: 16, query: QueryPlan("t"),
      store: Dataset.load([(name: "t.csv", bytes: Array(rows.utf8))]))
    screen.press("4 down \(keys)")
    screen.type(text)
    #expect(screen.line(with: "│ Bob")?.hasPrefix(line) == true, "\(screen.text)")
  }

  @Test("toggles a boolean, and redoes what was undone")
  func toggle() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["tall"]), store: Self.store())
    screen.press("4 g 0")
    let before = screen.text
    screen.press("e")
    #expect(screen.transactions.count == 1)
    #expect(screen.text != before)
    // Without the number of the transaction and the notice.
    let after = screen.text.split(separator: "\n").dropFirst().dropLast()
    screen.press("U ctrl-y")
    #expect(screen.text.split(separator: "\n").dropFirst().dropLast() == after, "\(screen.text)")
    screen.press("ctrl-y")
    #expect(screen.notice == .nothingToRedoInData)
  }

  @Test("lists the values of an attribute that has few")
  func choice() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["tone"]), store: Self.store())
    screen.press("4 g 0 e")
    #expect(screen.text.contains("Edit tone") && screen.text.contains("another value …"))
    screen.press("escape")
    #expect(screen.transactions.isEmpty)
    screen.press("e ?")
    #expect(screen.text.contains("Keys in Menu"), "\(screen.text)")
    screen.press("escape")
    // The menu opens a line with the first letter, though "n" and "e" are keys of commands elsewhere.
    screen.type("neon green")
    screen.press("enter")
    #expect(screen.text.contains("neon green"), "\(screen.text)")
    screen.press("e end up enter")
    #expect(screen.text.contains("enter apply"), "The last choice but one opens a line.")
  }

  @Test("in a list of numbers, a digit begins a typed number, also if it is in the list")
  func digit() throws {
    let rows = (0..<16).map { number in
      #"{"id": "00000000-0000-4000-8000-0000000000\#(10 + number)", "#
        + #""rank": \#(number < 6 ? 2 : number < 11 ? 1 : 30)}"#
    }
    let store = try Dataset.load([
      (name: "plants.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8))
    ])
    var screen = try Screen(query: QueryPlan("plants").fields(["rank"]), store: store)
    for number in ["15", "1"] {
      screen.press("4 g 0 e")
      #expect(screen.text.contains("another value …"), "\(screen.text)")
      screen.type(number)
      #expect(screen.text.contains("enter apply"), "\(screen.text)")
      screen.press("enter")
      #expect(screen.notice == .done("rank updated", hints: [.key(.undoTransaction, "undo")]))
      guard case .addTriple(_, _, let value, _)? = screen.transactions.last?.steps.last else {
        Issue.record("\(screen.transactions)")
        return
      }
      #expect(value == Int64(number).map { .integer($0) })
    }
    #expect(screen.transactions.count == 2)
  }

  @Test("numbers have the same digits in the table, the record and the lists of values")
  func sameDigits() throws {
    let rows = (0..<16).map { #"{"key": "k\#(10 + $0)", "rank": \#([0.5, 10, 1.25][$0 % 3])}"# }
    let store = try Dataset.load([
      (name: "plants.json", bytes: Array("[\(rows.joined(separator: ","))]".utf8))
    ])
    var screen = try Screen(
      columns: 130, rows: 30, query: QueryPlan("plants").fields(["key", "rank"]).order("key"),
      store: store)
    screen.press("4 g 0 l")
    for row in [#/k10 +0\.50 /#, #/k11 +10\.00 /#, #/k12 +1\.25 /#, #/rank +0\.50 /#] {
      #expect(screen.text.contains(row), "\(screen.text)")
    }
    screen.press("e")
    #expect(
      screen.text.contains(#/│ +0\.50 .*\n.*│ +1\.25 .*\n.*│ +10\.00 /#), "\(screen.text)")
    screen.press("escape z")
    #expect(screen.text.contains(#/10\.00 +5 +31%/#), "\(screen.text)")
  }

  @Test("sets a value of all selected rows in one transaction")
  func selected() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["tone"]), store: Self.store())
    screen.press("4 g 0 space space space M s")
    screen.type("green")
    screen.press("enter")
    #expect(screen.transactions.count == 1)
    #expect(screen.text.components(of: "green") == 3, "\(screen.text)")
    screen.press("U")
    #expect(screen.text.components(of: "green") == 0, "\(screen.text)")
  }

  private static let choices: [(field: String, key: String, values: [Value])] = [
    ("tall", "1", [true]), ("tall", "2", [false]), ("tone", "2", ["red", "blue"]),
  ]

  @Test("offers the values of one row for all selected rows", arguments: choices)
  func selectedChoice(field: String, key: String, possible: [Value]) throws {
    var screen = try Screen(query: QueryPlan("plants").fields([field]), store: Self.store())
    screen.press("4 g 0 space space space M s")
    #expect(screen.text.contains("─ Set \(field) of 3 selected rows ─"), "\(screen.text)")
    #expect(screen.text.contains("another value …") == (field == "tone"), "\(screen.text)")
    #expect(screen.text.contains("no value"), "\(screen.text)")
    screen.press(key)
    #expect(screen.notice?.text == "\(field) updated in 3 rows.")
    let values = try #require(screen.transactions.last).steps.compactMap { step -> Value? in
      guard case .addTriple(_, _, let value, _) = step else { return nil }
      return value
    }
    #expect(values.count == 3 && Set(values).count == 1, "\(values)")
    #expect(possible.contains(values[0]), "\(values)")
    #expect(screen.transactions.count == 1)
  }

  @Test("an empty line for all selected rows changes nothing")
  func selectedUntouched() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["name"]), store: Self.store())
    screen.press("4 g 0 space space space M s enter")
    #expect(screen.notice == .unchanged("name"), "\(screen.text)")
    #expect(screen.transactions.isEmpty)
  }

  @Test("links all selected rows to a target in one transaction")
  func linked() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("space down space $ M s")
    #expect(screen.text.contains("─ “bed” of 2 rows ─"), "\(screen.text)")
    screen.type("Fallow")
    screen.press("enter")
    #expect(screen.notice?.text == "bed linked to Fallow in 2 rows.")
    #expect(screen.transactions.count == 1)
    for name in ["Fig", "Mint"] {
      #expect(screen.line(with: "●\(name) ")?.contains("Fallow →") == true, "\(screen.text)")
    }
    screen.press("U")
    #expect(screen.text.components(of: "Fallow") == 0, "\(screen.text)")
  }

  @Test("does not offer a link whose targets each belong to one row")
  func linkedOnce() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds"))
    screen.press("space $ M")
    #expect(screen.text.contains("1 selected beds"), "\(screen.text)")
    #expect(!screen.text.contains("in all selected rows"), "\(screen.text)")
  }
}

extension String {
  /// How often a word occurs.
  fileprivate func components(of word: String) -> Int {
    split(separator: word, omittingEmptySubsequences: false).count - 1
  }
}
