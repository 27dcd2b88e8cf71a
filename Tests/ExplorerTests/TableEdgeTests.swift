import Explorer
import InstaQL
import Testing
import Triples

@Suite("Edges of a table")
struct TableEdgeTests {
  private static func screen(
    _ rows: [String], columns: Int = 80, lines: Int = 24, order: String = "key"
  ) throws -> Screen {
    let text = "[" + rows.joined(separator: ",") + "]"
    return try Screen(
      columns: columns, rows: lines, query: QueryPlan("things").order(AttributePath([order])),
      store: try Dataset.load([(name: "things.json", bytes: Array(text.utf8))]))
  }

  private static let wide =
    #""abcdefgh": "aaaaaaaaaaaa", "bcdefghi": "bbbbbbbbbbbbbb", "#
    + #""cdefghij": "cccccccccccccccccc", "defghijk": "dddddddddddd", "efghijkl": "eeeeeeee""#

  @Test("hidden columns are marked at both sides without covering letters")
  func sides() throws {
    var screen = try Self.screen([#"{"key": "a", \#(Self.wide)}"#], columns: 70)
    screen.press("4 0")
    let titles = try #require(screen.line(with: "abcdefgh"))
    #expect(titles.contains(" ›│") && !titles.contains("‹"), "\(titles)")
    screen.press("right right right right right")
    #expect(screen.line(with: "‹") != nil, "\(screen.text)")
  }

  @Test("a space separates the last column from the border")
  func frame() throws {
    let screen = try Self.screen([#"{"key": "a", \#(Self.wide)}"#], columns: 70)
    let row = try #require(screen.line(with: "aaaaaaaaaaaa"))
    #expect(row.hasSuffix(" │"), "\(row)")
  }

  @Test("the border shows which part of the rows is in view")
  func rows() throws {
    var screen = try Self.screen((10..<60).map { #"{"key": "k\#($0)"}"# })
    screen.press("4")
    func thumb() -> [Int] { (0..<24).filter { screen.row($0).hasSuffix("█") } }
    let atTop = thumb()
    #expect(atTop.first == 6 && (3..<10).contains(atTop.count), "\(screen.text)")
    screen.press("G")
    #expect(thumb().last == 21 && thumb().count == atTop.count, "\(screen.text)")
    screen.press("ctrl-u ctrl-u")
    #expect(thumb().first ?? 0 > 6 && thumb().last ?? 24 < 21, "\(screen.text)")
  }

  @Test("missing values align with numbers, and all numbers are grouped")
  func numbers() throws {
    let screen = try Self.screen([
      #"{"key": "a", "n": 1000.5}"#, #"{"key": "b", "n": 10005.5}"#, #"{"key": "c", "n": null}"#,
    ])
    let rows = screen.text.split(separator: "\n").compactMap { $0.split(separator: "│").last }
      .filter { ["a ", "b ", "c "].contains($0.drop { $0 == " " }.prefix(2)) }
    #expect(rows.count == 3)
    #expect(rows[0].contains("  1,000.5 "), "\(screen.text)")
    #expect(rows[1].contains(" 10,005.5 "))
    #expect(rows[2].contains("        ∅ "))
  }

  @Test("the record has the digit grouping of the table, and a copy has none")
  func record() throws {
    var screen = try Self.screen(
      [#"{"key": "a", "n": 1000.5}"#, #"{"key": "b", "n": 10005.5}"#], columns: 60)
    screen.press("4 g 0 enter")
    #expect(screen.hears("Record") && screen.text.contains(" 1,000.5 "), "\(screen.text)")
    screen.press("y e")
    guard case .copy(let json)? = screen.effects.last else {
      Issue.record("\(screen.text)")
      return
    }
    #expect(json.contains(#""n":1000.5"#), "\(json)")
    // Without long numbers, neither the column nor the record has a grouping.
    screen = try Self.screen([#"{"key": "a", "n": 1000.5}"#], columns: 60)
    screen.press("4 g 0 enter")
    #expect(screen.hears("Record") && screen.text.contains(" 1000.5 "), "\(screen.text)")
  }

  @Test("a number is never cut")
  func cut() throws {
    let screen = try Self.screen(
      [#"{"key": "a fairly long key of a thing", "n": 620000, "more": 1234567}"#], columns: 40,
      lines: 12)
    #expect(!screen.text.contains("620,…") && !screen.text.contains("1,234…"), "\(screen.text)")
    var narrow = try Self.screen([#"{"key": "a", "n": 620000}"#])
    narrow.press("4 right")
    for _ in 0..<6 { narrow.press("<") }
    #expect(narrow.text.contains("620,000") || narrow.text.contains("###"), "\(narrow.text)")
  }

  @Test("a column fits the rows that are visible first")
  func width() throws {
    let long = "a name that is the longest"
    let screen = try Self.screen(
      (100..<400).map { #"{"key": "k\#($0)", "name": "\#($0 == 103 ? long : "short")"}"# },
      columns: 110, order: "key")
    #expect(screen.text.contains(long), "\(screen.text)")
  }
}
