import Explorer
import Foundation
import InstaQL
import Testing
import Triples

@Suite("Filtering by a cell")
struct CellFilterTests {
  @Test(
    "wildcard characters in a value are escaped in the pattern",
    arguments: [("100%", ["100%"]), ("a_b", ["a_b"]), (#"c\d"#, [#"c\d"#])])
  func wildcards(cell: String, found: [String]) throws {
    let names = ["100%", "100 apples", "1000", "a_b", "axb", #"c\d"#, "cd"]
    let things = names.map { #"{"name": \#(JSONWriter.text(.text($0)))}"# }
    let store = try Dataset.load([
      (name: "things.json", bytes: Array("[\(things.joined(separator: ","))]".utf8))
    ])
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("things"), store: store)
    screen.press("4 0")
    for _ in 0..<(names.firstIndex(of: cell) ?? 0) { screen.press("j") }
    screen.press("f ~")
    let plan = try #require(screen.watched.last?.document.plans.first)
    let name = try #require(store.schema.attribute("things", "name"))
    let rows = try QueryEngine.answer(plan, in: store).rows
    #expect(rows.map { store.value($0, name.id) } == found.map { .text($0) })
  }

  @Test("dates do not match patterns")
  func dates() throws {
    var screen = try Screen(query: QueryPlan("plants").fields(["sown", "name"]))
    screen.press("f")
    #expect(screen.text.contains("sown > "), "\(screen.text)")
    #expect(!screen.text.contains("ilike"))
  }

  @Test("the example filter matches something and uses valid syntax")
  func example() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("F")
    let line = try #require(screen.line(with: " >= ")?.split(separator: "│").last)
    let text = line.trimmingCharacters(in: .whitespaces)
    #expect(screen.text.contains("is null") && !screen.text.contains("isnull"))
    screen.type(text)
    screen.press("enter")
    #expect(screen.text.contains("[4] Results"), "\(screen.text)")
    #expect(!screen.text.contains("No rows match"))
  }
}
