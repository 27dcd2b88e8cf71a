import Explorer
import InstaQL
import TerminalUI
import Testing

@Suite("Review of changes")
struct ChangeReviewTests {
  /// Returns a screen that reviews a staged change: ` END` was added to a note of the fig.
  private static func screen(
    note: String, columns: Int, isScreenReader: Bool = false
  ) throws -> Screen {
    let plants = Garden.plants.replacing(
      #""sown": "2019-04-01""#, with: #""sown": "2019-04-01", "note": "\#(note)""#)
    var screen = try Screen(
      columns: columns, rows: 24, query: QueryPlan("plants").order("name"),
      store: try Garden.store(plants: plants), isScreenReader: isScreenReader)
    screen.press("P l l l l e end")
    screen.type(" END")
    screen.press("enter P c")
    return screen
  }

  /// A text of 401 characters.
  private static let note = String(repeating: "abcdefghi ", count: 40) + "Z"

  @Test("values that differ only at the end are shown whole", arguments: [80, 200])
  func whole(columns: Int) throws {
    let screen = try Self.screen(note: Self.note, columns: columns)
    // Words are not broken across lines, so each of them can be counted.
    #expect(screen.text.ranges(of: "abcdefghi").count >= 80, "\(screen.text)")
    #expect(screen.text.contains("Z END "), "\(screen.text)")
  }

  @Test("a line of the list shows where long values differ", arguments: [80, 200])
  func line(columns: Int) throws {
    let screen = try Self.screen(note: Self.note, columns: columns)
    let line = try #require(screen.line(with: "~ plants"))
    #expect(line.contains("note  …") && line.contains("ghi Z → …"), "\(line)")
    #expect(line.contains("ghi Z END"), "\(line)")
  }

  @Test("old values are dim, before an arrow or after a minus")
  func oldValues() throws {
    let screen = try Self.screen(note: "abc", columns: 120)
    let frame = screen.workspace.view()
    for (line, value) in [("abc → abc END", 0), ("- abc", 2)] {
      let place = try #require(screen.place(of: line), "\(screen.text)")
      let paint = frame.cell(row: place.row, column: place.column + value).paint
      #expect(paint.ink == .dim, "\(line)\n\(screen.text)")
    }
    let inks = (0..<frame.size.rows).flatMap { row in
      (0..<frame.size.columns).map { frame.cell(row: row, column: $0).paint.ink }
    }
    #expect(!inks.contains(.error) && !inks.contains(.deleted), "\(screen.text)")
  }

  @Test("the pager gets whole values")
  func pager() throws {
    var screen = try Self.screen(note: Self.note, columns: 80)
    screen.press("o")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    #expect(text.contains("\(Self.note) → \(Self.note) END"), "\(text)")
  }

  @Test("a difference beyond the largest shown value is visible")
  func huge() throws {
    let note = String(repeating: "a", count: 12_000) + String(repeating: "b", count: 100)
    var screen = try Self.screen(note: note, columns: 80)
    #expect(screen.line(with: "~ plants")?.contains("bbb END") == true, "\(screen.text)")
    screen.press("o")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    // Of the common start, a third of the maximum length remains.
    let start = "…" + String(repeating: "a", count: 3_233) + String(repeating: "b", count: 100)
    #expect(text.contains("note \(start) → \(start) END"))
  }

  @Test("the rest of a huge value is counted")
  func rest() throws {
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("C")
    let note = String(repeating: "a", count: 22_345)
    screen.reread(
      try Garden.store(
        plants: Garden.plants.replacing(#""note": "é""#, with: #""note": "\#(note)""#)))
    screen.press("o")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    #expect(text.contains("é → aaa"))
    #expect(text.contains("aaa… 20,345 more characters\n"))
  }

  @Test("a screen reader hears where long values differ")
  func spoken() throws {
    let screen = try Self.screen(note: Self.note, columns: 200, isScreenReader: true)
    #expect(screen.text.contains("note will be …"), "\(screen.text)")
    #expect(screen.text.contains("ghi Z END, is …"), "\(screen.text)")
  }
}
