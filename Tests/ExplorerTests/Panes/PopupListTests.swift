import InstaQL
import TerminalUI
import Testing

@Suite("Lists in popups")
struct PopupListTests {
  /// The rows of the popup with this title, including its border, and its columns.
  private static func popup(_ title: String, in screen: Screen) throws -> (
    rows: ClosedRange<Int>, columns: ClosedRange<Int>
  ) {
    // A wide character takes two columns.
    func columns(of sign: Character) -> [Character] {
      TextWidth.columns(of: String(sign)) == 2 ? [sign, " "] : [sign]
    }
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { $0.flatMap(columns) }
    let top = try #require(
      lines.firstIndex { String($0).contains("╭─ \(title) ") }, "\(screen.text)")
    let start = try #require(Array(lines[top]).firstRange(of: Array("╭─ \(title) "))).lowerBound
    let end = try #require(lines[top][start...].firstIndex(of: "╮"))
    let bottom = lines[top...].firstIndex { $0.indices.contains(start) && $0[start] == "╰" }
    return (top...(try #require(bottom, "\(screen.text)")), start...end)
  }

  @Test("are as large as their lines")
  func stores() throws {
    var screen = try Screen(columns: 120, rows: 36, query: QueryPlan("plants"))
    screen.press("ctrl-o")
    let one = try Self.popup("Stores", in: screen)
    // The border, the field and one store.
    #expect(one.rows.count == 4, "\(screen.text)")
    #expect(one.columns.count == 42)
  }

  @Test("shrink and grow while they are filtered, and stay in place")
  func palette() throws {
    var screen = try Screen(columns: 120, rows: 36, query: QueryPlan("plants"))
    screen.press(":")
    let all = try Self.popup("Command", in: screen)
    #expect(all.rows.count == 18, "\(screen.text)")
    #expect(all.columns.count <= 74)
    screen.type("zoom this")
    let few = try Self.popup("Command", in: screen)
    #expect(few.rows.count == 4, "\(screen.text)")
    #expect(few.rows.lowerBound == all.rows.lowerBound && few.columns == all.columns)
    screen.type("zzz")
    #expect(try Self.popup("Command", in: screen).rows.count == 6, "\(screen.text)")
    screen.press("ctrl-u")
    #expect(try Self.popup("Command", in: screen).rows == all.rows)
  }

  @Test("list the targets of a link")
  func chooser() throws {
    var screen = try Screen(columns: 120, rows: 36, query: QueryPlan("plants"))
    screen.press("4 $ e")
    let chooser = try Self.popup("Target of “bed”", in: screen)
    #expect(chooser.rows.count == 6, "\(screen.text)")
    #expect(chooser.columns.count == 42)
    // The results below name their own keys.
    try screen.change(to: Garden.store(plants: "[]"))
    #expect(screen.text.contains("plants has no rows.  1 choose another"), "\(screen.text)")
  }
}
