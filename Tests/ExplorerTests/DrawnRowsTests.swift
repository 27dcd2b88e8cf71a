import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Rows and records that were drawn before")
struct DrawnRowsTests {
  /// Returns a screen of a width with or without the record next to the results.
  private static func screen(columns: Int) throws -> Screen {
    try Screen(columns: columns, rows: 20, query: QueryPlan("beds"))
  }

  @Test(
    "look as if they were drawn for the first time",
    arguments: [
      "4 down right down up left", "4 right } } { down _ ! H down", "4 - down", "4 c space escape",
      "4 space down space up M", "4 ) ) down ( =", "4 Z down Z up", "4 K down K up",
      "4 > down down > up < down", "4 * down * up G g", "4 / e down escape escape down",
      "4 e x enter down up", "4 d enter down u", "4 v down v down v down",
      "1 down enter 1 up enter", "t down enter . 4 down , 4 down",
    ], [110, 140])
  func again(keys: String, columns: Int) throws {
    var (seen, unseen) = (
      try Self.screen(columns: columns), try Self.screen(columns: columns)
    )
    for key in keys.split(separator: " ").map(String.init) {
      _ = seen.workspace.view()
      seen.press(key)
      unseen.press(key)
    }
    #expect(seen.workspace.view().paintedText == unseen.workspace.view().paintedText)
  }

  @Test("follow a change of the data and of the size")
  func changes() throws {
    var (seen, unseen) = (try Self.screen(columns: 140), try Self.screen(columns: 140))
    let name = try #require(seen.store.schema.attribute("beds", "name"))
    let bed = try #require(seen.store.rows(of: "beds").handles.map { seen.store.id(of: $0) }.first)
    for (columns, text) in [(110, "Moss"), (80, "Moss bank, south"), (140, "M")] {
      _ = seen.workspace.view()
      let steps = [TransactionStep.addTriple(.id(bed), name.id, .text(text))]
      try seen.transact(steps)
      try unseen.transact(steps)
      let size = Size(columns: columns, rows: 20)
      seen.handle(.terminal(.resize(size)))
      unseen.handle(.terminal(.resize(size)))
      #expect(seen.text.contains(text), "\(seen.text)")
      #expect(seen.workspace.view().paintedText == unseen.workspace.view().paintedText)
    }
  }
}
