import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("A query as one reads it")
struct ReadingTests {
  private static func screen() throws -> Screen {
    try Screen(columns: 110, rows: 24, query: QueryPlan("plants").order("name"))
  }

  @Test("says what one came from by its name, also behind a further filter; its text has the id")
  func comingFrom() throws {
    var screen = try Self.screen()
    screen.press("4 $ enter")
    #expect(screen.row(2).contains("beds │ plants = Fig "), "\(screen.text)")
    screen.press("F end")
    screen.type(" and area > 0")
    screen.press("enter")
    #expect(screen.row(2).contains("beds │ plants = Fig and area > 0 "), "\(screen.text)")
    screen.press("i")
    #expect(screen.row(2).contains("plants.id = \""))
  }

  @Test("follows the name when it changes, and tells the id where there is no such thing any more")
  func renamed() throws {
    var screen = try Self.screen()
    screen.press("4 $ enter")
    let name = try #require(screen.store.schema.attribute("plants", "name"))
    let fig = try #require(
      screen.store.rows(of: "plants").handles.first {
        screen.store.value($0, name.id) == .text("Fig")
      })
    let id = screen.store.id(of: fig)
    try screen.transact([.addTriple(.id(id), name.id, "Common fig")])
    #expect(screen.row(2).contains("plants = Common fig "))
    try screen.transact([.deleteEntity(.id(id), namespace: "plants")])
    #expect(screen.row(2).contains("plants.id = \""))
  }

  @Test("filters by a link under the name of what it leads to")
  func menu() throws {
    var screen = try Self.screen()
    screen.press("4 $ f")
    #expect(screen.text.contains("=  bed = South wall "), "\(screen.text)")
    #expect(screen.text.contains("!  bed != South wall "))
  }
}
