import Explorer
import TerminalUI
import Testing

@Suite("Demo chooser")
struct DemoChooserTests {
  private static func chooser(
    _ size: Size = Size(columns: 80, rows: 24), settings: ExplorerSettings = ExplorerSettings()
  ) -> DemoChooser {
    DemoChooser(["company", "goals", "world"], size: size, settings: settings)
  }

  private static func click(
    _ chooser: inout DemoChooser, _ row: Int, _ column: Int = 6, times: Int = 1
  ) -> DemoChooser.Step {
    chooser.handle(.mouse(Mouse(.press(.left, clicks: times), row: row, column: column)))
  }

  @Test("one click selects, the second opens")
  func click() throws {
    var chooser = Self.chooser()
    let lines = chooser.view().text.split(separator: "\n", omittingEmptySubsequences: false)
    let row = try #require(lines.firstIndex { $0.contains("2  goals") })
    #expect(Self.click(&chooser, row) == .goOn)
    #expect(chooser.view().text.contains("▸ 2  goals"))
    #expect(Self.click(&chooser, row, times: 2) == .end(.chosen("goals")))
  }

  @Test("clicks next to the demos have no effect")
  func beside() {
    var chooser = Self.chooser()
    for row in [0, 1, 2, 22, 23] {
      for times in 1...2 {
        #expect(Self.click(&chooser, row, 79, times: times) == .goOn, "row \(row)")
      }
    }
    #expect(chooser.view().text.contains("▸ 1  world"))
  }

  @Test("the selected name is visible on any screen", arguments: 10...14)
  func inSight(rows: Int) {
    var chooser = Self.chooser(Size(columns: 40, rows: rows))
    for name in ["▸ 1  world", "▸ 2  goals", "▸ 3  company"] {
      #expect(chooser.view().text.contains(name), "\(chooser.view().text)")
      _ = chooser.handle(.key(.down))
    }
  }

  @Test("the selected demo is described, with keys to try first")
  func details() {
    var chooser = Self.chooser()
    _ = chooser.handle(.key(.down))
    let text = chooser.view().text
    #expect(text.contains("a person's goals") && text.contains("Try: w includes"))
    #expect(text.contains("your own data"))
  }

  @Test("a number opens a demo")
  func number() {
    var chooser = Self.chooser()
    #expect(chooser.handle(.key(.character("3"))) == .end(.chosen("company")))
  }

  @Test("? shows its keys until the next key")
  func help() {
    var chooser = Self.chooser()
    #expect(chooser.handle(.key(.character("?"))) == .goOn)
    #expect(chooser.view().text.contains("press its number"))
    #expect(chooser.handle(.key(.enter)) == .goOn)
    #expect(chooser.view().text.contains("▸ 1  world"))
  }

  @Test("the keys in the last line can be clicked")
  func footer() throws {
    var chooser = Self.chooser()
    let footer = chooser.view().text(row: 23)
    let quit = try #require(footer.firstRange(of: "escape quit")).lowerBound
    #expect(Self.click(&chooser, 23, 2) == .end(.chosen("world")))
    let column = footer.distance(from: footer.startIndex, to: quit)
    #expect(Self.click(&chooser, 23, column) == .end(.left))
  }

  @Test("q, escape and ctrl-c leave", arguments: ["q", "escape", "ctrl-c"])
  func leave(name: String) throws {
    var chooser = Self.chooser()
    #expect(chooser.handle(.key(try #require(Key(named: name)))) == .end(.left))
  }

  @Test("ctrl-z suspends and ctrl-l redraws; a signal ends")
  func everywhere() {
    var chooser = Self.chooser()
    #expect(chooser.handle(.key(.control("z"))) == .suspend)
    #expect(chooser.handle(.key(.control("l"))) == .redraw)
    #expect(chooser.handle(.resumed) == .goOn)
    #expect(chooser.handle(.terminate(15)) == .end(.ended(15)))
  }

  @Test("a key without effect gives advice", arguments: ["x", "4", "ctrl-x", "alt-1", ":"])
  func nothing(name: String) throws {
    var chooser = Self.chooser()
    let key = try #require(Key(named: name))
    #expect(chooser.handle(.key(key)) == .goOn)
    let last = chooser.view().text(row: 23)
    #expect(last.contains("does nothing in Demos") && last.contains("? help"), "\(last)")
    #expect(chooser.handle(.key(.down)) == .goOn)
    #expect(chooser.view().text(row: 23).contains("enter open"))
  }

  @Test("messages and the cursor are accessible to a screen reader")
  func linear() throws {
    var chooser = Self.chooser(settings: ExplorerSettings(isScreenReader: true))
    _ = chooser.handle(.key(.character("x")))
    #expect(chooser.view().text.contains("x does nothing in Demos"))
    _ = chooser.handle(.key(.down))
    let frame = chooser.view()
    let row = try #require(frame.cursor?.row)
    #expect(frame.text(row: row).contains("chosen: 2  goals"))
    #expect(!frame.text.contains("▸") && !frame.text.contains("↑"))
  }
}
