import Explorer
import InstaQL
import Testing
import Triples

@Suite("A store that may only be read")
struct ReadOnlyTests {
  private static let reason = "It is open read-only: open it with --write to change it"

  @Test(
    "the header says so, and every key that would change it says what would help",
    arguments: ["4 e", "4 a", "4 d", "4 U", "4 $ e", "4 space M d", "4 o v", "4 enter down e"])
  func refused(keys: String) throws {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), whyReadOnly: Self.reason)
    #expect(screen.row(0).contains("read-only"))
    screen.press(keys)
    #expect(screen.row(19).contains("open it with --write"))
    #expect(screen.transactions.isEmpty)
    #expect(!screen.text.contains("Edit name"))
  }

  @Test("the footer offers no key that would change it", arguments: ["", "enter", "enter G"])
  func footer(keys: String) throws {
    for isReadOnly in [true, false] {
      var screen = try Screen(
        columns: 160, rows: 20, query: QueryPlan("plants"),
        whyReadOnly: isReadOnly ? Self.reason : nil)
      screen.press(keys)
      let offered = screen.row(19).contains("e edit") || screen.row(19).contains("d delete")
      #expect(offered != isReadOnly, "\(screen.row(19))")
    }
  }
}
