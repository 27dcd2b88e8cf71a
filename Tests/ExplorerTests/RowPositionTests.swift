import Explorer
import InstaQL
import Testing
import Triples
import Widgets

@Suite("Position among the rows")
struct RowPositionTests {
  @Test(
    "the title shows the row and the part of the rows above it",
    arguments: [
      (RowPosition(row: 12, of: .exactly(26_184)), "row 12 of 26,184 · 1%"),
      (RowPosition(row: 26_184, of: .exactly(26_184)), "row 26,184 of 26,184 · end"),
      (RowPosition(row: 1, of: .exactly(250)), "row 1 of 250 · top"),
      (RowPosition(row: 249, of: .exactly(250)), "row 249 of 250 · 99%"),
      (RowPosition(row: 3, of: .exactly(5)), "row 3 of 5 · 50%"),
      (RowPosition(row: 1, of: .exactly(1)), "row 1 of 1"),
      (RowPosition(row: 1, of: .exactly(0)), "0 rows"),
      (RowPosition(row: 500, of: .about(1_000)), "row 500 of ≈1,000 · 49%"),
      (RowPosition(row: 12, of: .atLeast(1_000)), "row 12 of 1,000+"),
    ])
  func words(position: RowPosition, words: String) {
    #expect(position.text() == words)
  }

  @Test("the thumb shows the share of visible lines, and touches an end only if the view does")
  func thumb() {
    #expect(ScrollThumb.rows(top: 0, page: 10, of: 10, in: 10) == nil)
    #expect(ScrollThumb.rows(top: 0, page: 10, of: 20, in: 10) == 0..<5)
    #expect(ScrollThumb.rows(top: 10, page: 10, of: 20, in: 10) == 5..<10)
    #expect(ScrollThumb.rows(top: 5, page: 10, of: 20, in: 10) == 3..<8)
    #expect(ScrollThumb.rows(top: 1, page: 10, of: 1_000_000, in: 10) == 1..<2)
    #expect(ScrollThumb.rows(top: 999_989, page: 10, of: 1_000_000, in: 10) == 8..<9)
    #expect(ScrollThumb.rows(top: 999_990, page: 10, of: 1_000_000, in: 10) == 9..<10)
    #expect(ScrollThumb.rows(top: 0, page: 1, of: 3, in: 1) == 0..<1)
  }

  @Test("the title follows the cursor, and with a limit shows the number of matches")
  func title() throws {
    var screen = try Screen(columns: 100, rows: 10, query: QueryPlan("plants"))
    screen.press("4 down")
    #expect(screen.line(with: "─ row 2 of 5 · 25% ─") != nil, "\(screen.text)")
    screen.press("G")
    #expect(screen.line(with: "─ row 5 of 5 · end ─") != nil, "\(screen.text)")
    // All rows are visible.
    screen = try Screen(columns: 100, query: QueryPlan("plants").limit(3))
    #expect(screen.line(with: "─ row 1 of 3 · 5 rows match ─") != nil, "\(screen.text)")
  }
}
