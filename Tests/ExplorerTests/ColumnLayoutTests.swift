import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Widths of columns")
struct ColumnLayoutTests {
  private static func text(_ width: Int, title: Int = 4, limit: Int = 32) -> ColumnFit {
    var fit = ColumnFit(title: title, limit: limit)
    fit.reserve(width)
    return fit
  }

  private static func numbers(_ texts: String...) -> ColumnFit {
    var fit = ColumnFit(title: 1, limit: 32)
    for text in texts { fit.grow(for: text, isNumber: true) }
    return fit
  }

  private static func widths(
    _ fits: [ColumnFit], in width: Int, chosen: Int = 0, frozen: Int = 1
  ) -> [Int] {
    ColumnLayout.slots(of: fits, frozen: frozen, chosen: chosen, from: 1, width: width).map(\.width)
  }

  @Test("a column is as wide as its title or its widest cell, up to its limit")
  func fit() {
    var fit = ColumnFit(title: 6, limit: 20)
    #expect(fit.width == 6)
    fit.grow(for: "twelve chars", isNumber: false)
    #expect(fit.width == 12)
    fit.grow(for: "short", isNumber: false)
    #expect(fit.width == 12)
    fit.reserve(45)
    #expect(fit.width == 20 && fit.full == 45)
    fit.fixed = 30
    #expect(fit.width == 30 && fit.full == 30)
  }

  @Test("numbers need space on both sides of the decimal point")
  func points() {
    let fit = Self.numbers("1,234", "0.125")
    #expect(fit.width == 9)
    #expect(fit.aligned("1,234", in: 9) == "1,234    ")
    #expect(fit.aligned("0.125", in: 9) == "0.125")
    #expect(fit.aligned("-7.5", in: 9) == "-7.5  ")
  }

  @Test("decimals are cut, whole numbers are not")
  func cutNumbers() {
    let fit = Self.numbers("31.5582", "10.823", "7")
    #expect(fit.aligned("31.5582", in: 6) == "31.55…")
    #expect(fit.aligned("10.823", in: 6) == "10.823")
    #expect(fit.aligned("7", in: 6) == "7    ")
    #expect(fit.aligned("31.5582", in: 4) == "####")
    #expect(Self.numbers("620,000").aligned("620,000", in: 5) == "#####")
    // An exponent is part of the number, and the mark for omitted digits is one column.
    #expect(Self.numbers("1.25e-05").aligned("1.25e-05", in: 6) == "######")
    let marked = Self.numbers("10.12345…", "7.5")
    #expect(marked.width == 9)
    #expect(marked.aligned("10.12345…", in: 9) == "10.12345…")
    #expect(marked.aligned("10.12345…", in: 6) == "10.12…")
    #expect(marked.aligned("7.5", in: 9) == "7.5     ")
  }

  @Test("columns that need more than they claim share what is left")
  func slack() {
    #expect(Self.widths([Self.text(50), Self.text(40), Self.text(5)], in: 100) == [50, 40, 5])
    #expect(Self.widths([Self.text(50), Self.text(5)], in: 50) == [42, 5])
    #expect(Self.widths([Self.text(5), Self.text(5)], in: 50) == [5, 5])
  }

  @Test("the next column is drawn, cut, unless only its edge would be visible")
  func nextColumn() {
    #expect(Self.widths([Self.text(10), Self.text(10), Self.text(10)], in: 30) == [10, 10, 5])
    #expect(Self.widths([Self.text(10), Self.text(10), Self.text(10)], in: 27) == [10, 10])
  }

  @Test("texts give way to a number that would be cut")
  func roomForNumber() {
    let number = Self.numbers("1,234,567")
    #expect(Self.widths([Self.text(20), Self.text(10), number], in: 40) == [16, 10, 9])
    // A number that is still unreadable is omitted.
    #expect(Self.widths([Self.text(12), Self.text(10), number], in: 31) == [12, 10])
    #expect(Self.widths([Self.text(30), Self.text(10), number], in: 31) == [18, 10])
    // One with decimals can be cut after the point.
    let decimals = Self.numbers("31.5582", "10.823")
    #expect(Self.widths([Self.text(12), Self.text(10), decimals], in: 32) == [12, 10, 5])
    #expect(Self.widths([Self.text(12), Self.text(10), decimals], in: 31) == [12, 10])
    // The selected column stays.
    #expect(Self.widths([number], in: 5) == [4])
  }

  @Test("the selected column is whole, with as many before it as fit")
  func chosen() {
    let fits = [Self.text(10), Self.text(10), Self.text(10), Self.text(10)]
    let slots = ColumnLayout.slots(of: fits, frozen: 1, chosen: 3, from: 1, width: 36)
    #expect(slots.map(\.column) == [0, 2, 3])
    #expect(slots.map(\.offset) == [1, 13, 25])
  }

  // MARK: On the screen

  private static func screen(
    _ rows: [String], _ plan: QueryPlan = QueryPlan("things"), columns: Int = 110, lines: Int = 12
  ) throws -> Screen {
    let text = "[" + rows.joined(separator: ",") + "]"
    return try Screen(
      columns: columns, rows: lines, query: plan,
      store: try Dataset.load([(name: "things.json", bytes: Array(text.utf8))]))
  }

  @Test("columns fit the rows in view, and grow when others scroll into view")
  func growing() throws {
    let rows = (10..<40).map {
      #"{"key": "k\#($0)", "a": "\#($0 == 39 ? "longer" : "x")", "b": "y"}"#
    }
    var screen = try Self.screen(rows, QueryPlan("things").order("key"))
    screen.press("4")
    #expect(screen.text.contains("x  y"), "\(screen.text)")
    screen.press("G")
    #expect(screen.text.contains("longer  y"), "\(screen.text)")
    screen.press("g")
    #expect(screen.text.contains("x       y"), "\(screen.text)")
    screen.press("L ctrl-u 5 enter")
    #expect(!screen.text.contains("x       y"), "\(screen.text)")
  }

  /// A row that is too wide for the screen: its last two columns are out of view.
  private static let wideRow: String = {
    let text = String(repeating: "x", count: 30)
    let wide = ["a", "b", "c", "d", "e"].map { #""\#($0)": "\#(text)""# }.joined(separator: ", ")
    return #"{"name": "n", \#(wide), "f": "6", "g": "7"}"#
  }()

  @Test("columns that the query sorts and filters by follow the label if they are out of view")
  func forward() throws {
    let plan = QueryPlan("things").order("g").filter(.compare("f", .equal, .text("6")))
    var screen = try Self.screen([Self.wideRow], plan)
    #expect(screen.line(with: "name  ↑g  f  a") != nil, "\(screen.text)")
    screen.press("4 0 l")
    #expect(screen.text(on: [.cursorCell]) == "7")
    screen.press("s")
    #expect(screen.text(on: [.cursorCell]) == "7", "\(screen.text)")
    #expect(screen.line(with: "name  ↓g  f  a") != nil, "\(screen.text)")
    let row = #"{"name": "n", "a": "1", "f": "6", "g": "7"}"#
    screen = try Self.screen([row], plan)
    #expect(screen.line(with: "name  a  f  ↑g") != nil, "\(screen.text)")
  }

  @Test("a column that moves next to the label does not hide another one of the query")
  func displaced() throws {
    let text = String(repeating: "x", count: 30)
    let row = #"{"name": "n", "a": "\#(text)", "b": "\#(text)", "f": "6", "g": "\#(text)"}"#
    // Only g is out of view. Once it is next to the label, f would be.
    let plan = QueryPlan("things").order("g").filter(.compare("f", .equal, .text("6")))
    let screen = try Self.screen([row], plan)
    let titles = try #require(screen.line(with: "name  ↑g "))
    #expect(titles.contains(" f  a "), "\(screen.text)")
  }

  @Test("the column of the cursor stays in its place", arguments: ["s", "f enter"])
  func unmoved(keys: String) throws {
    var screen = try Self.screen([Self.wideRow], QueryPlan("things"))
    screen.press("4 $ " + keys)
    #expect(screen.watched.last?.document.text != "things")
    #expect(screen.text(on: [.cursorCell]) == "7", "\(screen.text)")
    screen.press("left")
    #expect(screen.text(on: [.cursorCell]) == "6", "\(screen.text)")
    screen.press("0")
    #expect(screen.line(with: "name  a") != nil, "\(screen.text)")
  }

  @Test("the cursor stays on its column when another one moves next to the label")
  func typed() throws {
    var screen = try Self.screen([Self.wideRow], QueryPlan("things"))
    screen.press("4 0 l F")
    screen.type(#"g = "7""#)
    screen.press("enter")
    #expect(screen.line(with: "name  g  a") != nil, "\(screen.text)")
    #expect(screen.text(on: [.cursorCell]).hasPrefix("xx"), "\(screen.text)")
  }

  @Test(
    "the numbers of a column get equal decimals if these are few",
    arguments: [
      (["12.5", "53", "24.25", "12000"], [" 12.50", " 53.00", " 24.25", "12,000.00"]),
      (["12.0", "3.0"], ["12.0", " 3.0"]),
      (["1", "2000"], ["1", "2000"]),
      (["7.19", "0.0001"], ["7.19", "0.0001"]),
      (["1e-9", "2.5"], ["1e-09", "2.5"]),
      (["2.5e-10", "-9.99e-5"], [" 2.5e-10", " -9.99e-05"]),
    ])
  func equalDecimals(numbers: [String], texts: [String]) throws {
    let rows = numbers.enumerated().map { #"{"key": "k\#($0)", "n": \#($1)}"# }
    let screen = try Self.screen(rows, QueryPlan("things").order("key"))
    for text in texts {
      #expect(screen.line(with: text) != nil, "\(text) \(screen.text)")
    }
    #expect(!screen.text.contains("12.00"))
  }

  @Test("the thousands separators of a column end with its last long number")
  func grouping() throws {
    func store(_ year: Int) throws -> TripleStore {
      let text = #"[{"key": "a", "n": 1902}, {"key": "b", "n": \#(year)}]"#
      return try Dataset.load([(name: "things.json", bytes: Array(text.utf8))])
    }
    var screen = try Screen(
      columns: 110, rows: 12, query: QueryPlan("things").order("key"), store: try store(19_500))
    #expect(screen.line(with: " 1,902") != nil, "\(screen.text)")
    screen.reread(try store(1950))
    #expect(screen.line(with: " 1902") != nil, "\(screen.text)")
    #expect(screen.line(with: " 1950") != nil, "\(screen.text)")
  }

  @Test("decimals are shortened in the table alone")
  func decimals() throws {
    let numbers = ["0.7100000000000001", "12.25", "-0.000123456789", "3.0", "1.5e-20"]
    var screen = try Self.screen(
      numbers.enumerated().map { #"{"key": "k\#($0)", "n": \#($1)}"# },
      QueryPlan("things").order("key"))
    for text in [" 0.71000…  ", "12.25  ", "-0.00012345… ", " 3.0  "] {
      #expect(screen.text.contains(text), "\(text) \(screen.text)")
    }
    screen.press("4 G")
    #expect(screen.text.contains(" 1.5e-20 "), "\(screen.text)")
    screen.press("g")
    screen.press("4 l y c")
    #expect(screen.effects.last == .copy("0.7100000000000001"))
  }

  @Test("no cell shows a digit that its number does not have")
  func omittedDecimals() throws {
    let numbers = ["2.9999999999999996", "3.0", "0.30000000000000004", "1.25"]
    let screen = try Self.screen(
      numbers.enumerated().map { #"{"key": "k\#($0)", "n": \#($1)}"# },
      QueryPlan("things").order("key"))
    for text in ["2.99… ", "3.00  ", "0.30… ", "1.25  "] {
      #expect(screen.text.contains(text), "\(text) \(screen.text)")
    }
  }

  @Test("with 80 columns the rows get all of them while they have the focus")
  func sidebar() throws {
    var screen = try Self.screen([#"{"key": "k"}"#], columns: 80)
    screen.press("4")
    #expect(!screen.text.contains("Namespaces"), "\(screen.text)")
    screen.press("1")
    #expect(screen.text.contains("Namespaces") && screen.text.contains("Results"))
    screen.press("2")
    #expect(screen.text.contains("Namespaces") && screen.text.contains("Results"))
    screen = try Self.screen([#"{"key": "k"}"#], columns: 100)
    screen.press("4")
    #expect(screen.text.contains("Namespaces"))
  }
}
