import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Queries in several lines")
struct BrokenTextTests {
  @Test("lines cover the text once, and positions survive", arguments: [8, 11, 20, 40])
  func positions(_ width: Int) {
    let text = "plants filter name = \"Fig, 無花果\" and height > 3 order height desc"
    let broken = BrokenText(text, width: width, clauses: [7, 46])
    #expect(broken.lines.first?.range.lowerBound == 0)
    #expect(broken.lines.last?.range.upperBound == text.count)
    for (line, next) in zip(broken.lines, broken.lines.dropFirst()) {
      #expect(line.range.upperBound == next.range.lowerBound)
    }
    for position in 0...text.count {
      let line = broken.line(of: position)
      let column = broken.column(of: position)
      #expect(column < width)
      #expect(broken.position(line: line, column: column) == position)
    }
  }

  @Test("a line does not begin with a comma")
  func comma() {
    let text = "with a { limit 3 }, b { limit 4 }"
    let lines = BrokenText(text, width: 19).lines.map { String(Array(text)[$0.range]) }
    #expect(lines == ["with a { limit 3 ", "}, b { limit 4 }"])
  }

  @Test("a long query is typed in lines that begin with its clauses, and counted")
  func typed() throws {
    var screen = try Screen(
      columns: 80, rows: 30,
      query: QueryPlan("plants").order("name").limit(20))
    screen.press("Q")
    screen.press("ctrl-u")
    screen.type(
      "plants filter height >= 0 and name != \"a rather long name of a plant\" order height desc")
    let lines = screen.text.split(separator: "\n").map { $0.drop { "│ ".contains($0) } }
    #expect(lines.contains { $0.hasPrefix("plants") })
    #expect(lines.contains { $0.hasPrefix("filter height") }, "\(screen.text)")
    #expect(lines.contains { $0.hasPrefix("order height desc") }, "\(screen.text)")
    #expect(screen.text.contains(" rows ─"), "\(screen.text)")
  }

  @Test("the query pane shows text that can be typed, and scrolls")
  func shown() throws {
    let long = (1...12).reduce(QueryPlan("plants")) { plan, number in
      plan.filter(.isIn(AttributePath(["name"]), [.text("a name that is long, \(number)")]))
    }
    var screen = try Screen(columns: 80, rows: 24, query: long)
    screen.press("3")
    #expect(screen.text.contains("plants"))
    #expect(!screen.text.contains("long, 12"))
    screen.press("G")
    #expect(screen.text.contains("long, 12"), "\(screen.text)")
    screen.press("g")
    #expect(!screen.text.contains("long, 12"))
  }
}
