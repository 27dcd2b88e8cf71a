import Explorer
import InstaQL
import Testing
import Triples

@Suite("Value counts")
struct FacetValueTests {
  @Test("have shares, and several of them filter the query together")
  func several() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("4 0 l l z")
    #expect(screen.line(with: " true ")?.contains("3  60% ▆") == true, "\(screen.text)")
    #expect(screen.line(with: " false ")?.contains("2  40% ▆") == true, "\(screen.text)")
    screen.press("space space")
    #expect(screen.text.contains("2 selected · 2 distinct"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter edible in (true, false)")
  }

  @Test("a value that is deselected does not filter")
  func deselected() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("4 0 l l z space space up space enter")
    #expect(screen.watched.last?.document.text == "plants filter edible = false", "\(screen.text)")
  }

  @Test(
    "values that are nearly all different have a sentence instead of bars",
    arguments: [
      (0, "All 40 values are different."), (1, "39 of 40 values are different."), (5, nil),
    ])
  func distinct(equal: Int, sentence: String?) throws {
    let rows = (1...40).map { #"{"key": "k\#($0)", "name": "P\#($0 <= equal ? 40 : $0)"}"# }
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryPlan("plants"),
      store: Garden.store(plants: "[" + rows.joined(separator: ",") + "]"))
    screen.press("4 0 z")
    #expect(screen.text.contains("▆") == (sentence == nil), "\(screen.text)")
    if let sentence { #expect(screen.text.contains(sentence), "\(screen.text)") }
    screen.press("enter")
    let text = try #require(screen.watched.last?.document.text)
    #expect(text.hasPrefix("plants filter name = "), "\(text)")
  }

  @Test("ranges have equal counts where one of equal width would have most rows")
  func quantiles() throws {
    let rows = (1...60).map { number in
      #"{"key": "k\#(number)", "name": "P\#(number)", "height": \#(number == 60 ? 1_000_000 : number)}"#
    }
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryPlan("plants"),
      store: Garden.store(plants: "[" + rows.joined(separator: ",") + "]"))
    screen.press("4 0 l z")
    #expect(screen.text.contains("quantiles · 60 distinct"), "\(screen.text)")
    #expect(screen.line(with: "1 – 7 ")?.contains("6  10%") == true, "\(screen.text)")
    // The last range includes the greatest number.
    screen.press("G enter")
    let text = try #require(screen.watched.last?.document.text)
    #expect(text == "plants filter height >= 55 and height <= 1M")
  }
}
