@testable import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The reference of the query language")
struct LanguageHelpTests {
  @Test("opens while a query is typed, and returns to the typed text", arguments: ["F", "Q", "O"])
  func opening(way: String) throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants"))
    screen.press(way)
    #expect(screen.row(23).contains("F1 query help"), "\(screen.text)")
    screen.type(" name")
    let typed = screen.row(2)
    screen.press("f1")
    #expect(screen.row(1).contains("Query language"), "\(screen.text)")
    screen.press("/")
    screen.type("regular")
    screen.press("enter")
    #expect(screen.text.contains("regular expression"), "\(screen.text)")
    screen.press("escape")
    #expect(screen.row(2) == typed)
    screen.type("x")
    #expect(screen.row(2) != typed)
  }

  @Test("is not for other lines", arguments: ["/", "4 e", "b"])
  func others(way: String) throws {
    var screen = try Screen(columns: 100, rows: 24, query: QueryPlan("plants"))
    screen.press(way)
    #expect(!screen.row(23).contains("language"))
    screen.press("f1")
    #expect(screen.row(23).contains("does nothing"), "\(screen.text)")
  }

  @Test("paragraphs have no indent, and the second column of a table wraps below itself")
  func wrapping() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("Q f1")
    #expect(screen.text.contains("│ typed in the explorer"), "\(screen.text)")
    let rows = (0..<24).map { screen.row($0) }
    let place = try #require(rows.firstIndex { $0.contains("filter CONDITION") })
    let start = try #require(rows[place].firstRange(of: "only the entities")).lowerBound
    let offset = rows[place].distance(from: rows[place].startIndex, to: start)
    #expect(rows[place + 1].dropFirst().prefix(offset - 1).allSatisfy { $0 == " " })
    #expect(!rows[place + 1].dropFirst(offset).hasPrefix(" "))
  }

  @Test("is drawn without the signs of its markup")
  func lines() {
    let lines = LanguageHelp.lines(
      of: """
        # Language

        One `word` and
        `` `two words` ``.

        | value | written |
        |---|---|
        | text | `"Asia"` |

            cities limit 3

        """)
    #expect(
      lines == [
        TextLine("Language", .emphasis), TextLine(""),
        TextLine("One word and `two words`.", margin: 0), TextLine(""),
        TextLine("  value  written", .dim, margin: 9),
        TextLine("  text   \"Asia\"", margin: 9), TextLine(""),
        TextLine("  cities limit 3", .string), TextLine(""),
      ])
    #expect(LanguageHelp.lines.count > 100)
    #expect(!LanguageHelp.lines.contains { $0.text.hasPrefix("|") || $0.text.hasPrefix("#") })
  }
}
