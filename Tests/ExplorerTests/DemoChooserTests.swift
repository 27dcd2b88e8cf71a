import Explorer
import TerminalUI
import Testing

@Suite("Demo chooser")
struct DemoChooserTests {
  private static let size = Size(columns: 80, rows: 24)

  private static func chooser() -> DemoChooser { DemoChooser(["company", "goals", "world"]) }

  /// The row of the screen on which a text stands.
  private static func row(of text: String, in chooser: DemoChooser, on size: Size = size) -> Int? {
    chooser.view(size).text.split(separator: "\n", omittingEmptySubsequences: false)
      .firstIndex { $0.contains(text) }
  }

  private static func click(
    _ chooser: inout DemoChooser, _ row: Int, _ column: Int = 6, times: Int = 1,
    on size: Size = size
  ) -> DemoChooser.Step {
    chooser.handle(
      .mouse(Mouse(.press(.left, clicks: times), row: row, column: column)), on: size)
  }

  @Test("one click selects, the second opens, on any line of a demo")
  func click() throws {
    for text in ["2  goals", "Try: w includes"] {
      var chooser = Self.chooser()
      let row = try #require(Self.row(of: text, in: chooser))
      #expect(Self.click(&chooser, row) == .goOn)
      #expect(chooser.view(Self.size).text.contains("▸ 2  goals"))
      #expect(Self.click(&chooser, row, times: 2) == .end(.chosen("goals")))
    }
  }

  @Test("clicks next to the demos have no effect")
  func beside() throws {
    var chooser = Self.chooser()
    for row in [0, 1, 2, 22, 23, 400] {
      for times in 1...2 {
        #expect(Self.click(&chooser, row, 79, times: times) == .goOn, "row \(row)")
      }
    }
    #expect(chooser.view(Self.size).text.contains("▸ 1  world"))
  }

  @Test("on a small screen, a second click opens only the selected demo")
  func small() {
    let size = Size(columns: 30, rows: 10)
    var chooser = Self.chooser()
    for _ in 0..<2 { _ = chooser.handle(.key(.down), on: size) }
    #expect(Self.click(&chooser, 1, on: size) == .goOn)
    #expect(chooser.view(size).text.contains("▸ 2  goals"))
    // The list moved beneath the mouse: another demo may lie there now, which is chosen then.
    let step = Self.click(&chooser, 1, times: 2, on: size)
    #expect(step == .goOn || step == .end(.chosen("goals")))
  }

  @Test("the selected name is visible on any screen", arguments: 3...12)
  func inSight(rows: Int) {
    let size = Size(columns: 30, rows: rows)
    var chooser = Self.chooser()
    for name in ["▸ 1  world", "▸ 2  goals", "▸ 3  company"] {
      #expect(chooser.view(size).text.contains(name), "\(chooser.view(size).text)")
      _ = chooser.handle(.key(.down), on: size)
    }
  }

  @Test("? shows its keys until the next key", arguments: [80, 40])
  func help(columns: Int) {
    let size = Size(columns: columns, rows: 10)
    var chooser = Self.chooser()
    #expect(chooser.view(size).text.contains("? help  q quit"))
    #expect(chooser.handle(.key(.character("?")), on: size) == .goOn)
    #expect(chooser.view(size).text.contains("selected demo"))
    #expect(chooser.handle(.key(.enter), on: size) == .goOn)
    #expect(chooser.view(size).text.contains("▸ 1  world"))
  }

  @Test("demos above or below the view are marked at the edge")
  func more() {
    let size = Size(columns: 40, rows: 8)
    var chooser = Self.chooser()
    #expect(chooser.view(size).text.contains("▾") && !chooser.view(size).text.contains("▴"))
    for _ in 0..<2 { _ = chooser.handle(.key(.down), on: size) }
    #expect(chooser.view(size).text.contains("▴") && !chooser.view(size).text.contains("▾"))
  }

  @Test("the wheel moves the selection and stops at the ends")
  func wheel() {
    var chooser = Self.chooser()
    for expected in ["▸ 2  goals", "▸ 3  company", "▸ 3  company"] {
      let step = chooser.handle(.mouse(Mouse(.scrollDown, row: 5, column: 5)), on: Self.size)
      #expect(step == .goOn && chooser.view(Self.size).text.contains(expected))
    }
    for _ in 0..<4 {
      _ = chooser.handle(.mouse(Mouse(.scrollUp, row: 5, column: 5)), on: Self.size)
    }
    #expect(chooser.view(Self.size).text.contains("▸ 1  world"))
  }

  @Test("the keys in the last line can be clicked")
  func footer() {
    var chooser = Self.chooser()
    #expect(Self.click(&chooser, 23, 2) == .end(.chosen("world")))
    #expect(Self.click(&chooser, 23, 34) == .end(.left))
    #expect(Self.click(&chooser, 23, 18) == .goOn)
  }

  @Test("ctrl-z suspends and ctrl-l redraws")
  func everywhere() {
    var chooser = Self.chooser()
    #expect(chooser.handle(.key(.control("z")), on: Self.size) == .suspend)
    #expect(chooser.handle(.key(.control("l")), on: Self.size) == .redraw)
    #expect(chooser.handle(.resumed, on: Self.size) == .goOn)
  }

  @Test(
    "a key without effect gives advice", arguments: ["x", "4", "ctrl-x", "alt-1"])
  func nothing(name: String) throws {
    var chooser = Self.chooser()
    let key = try #require(Key(named: name))
    #expect(chooser.handle(.key(key), on: Self.size) == .goOn)
    let last = chooser.view(Self.size).text(row: 23)
    #expect(last.contains("enter open · q quit"), "\(last)")
    #expect(chooser.handle(.key(.down), on: Self.size) == .goOn)
    #expect(chooser.view(Self.size).text(row: 23).contains("↑↓ choose"))
  }

  @Test("messages and the cursor are accessible to a screen reader")
  func linear() throws {
    var chooser = DemoChooser(["company", "goals", "world"], isScreenReader: true)
    _ = chooser.handle(.key(.character("x")), on: Self.size)
    _ = chooser.handle(.key(.down), on: Self.size)
    let frame = chooser.view(Self.size)
    let row = try #require(frame.cursor?.row)
    #expect(frame.text(row: row).contains("chosen: 2  goals"))
    #expect(!frame.text.contains("▸") && !frame.text.contains("↑"))
  }
}
