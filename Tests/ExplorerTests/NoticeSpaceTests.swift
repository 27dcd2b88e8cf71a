import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples
import Widgets

/// Notices are shown completely, and the key hints stay visible next to them.
@Suite("Sentences on the screen")
struct NoticeSpaceTests {
  private static func screen(columns: Int = 40, rows: Int = 10) throws -> Screen {
    try Screen(columns: columns, rows: rows, query: QueryPlan("plants").order("name"))
  }

  /// All words on the screen, boxes and the ends of lines left out.
  private static func words(_ screen: Screen) -> String {
    screen.text.split { " \n│─╭╮╰╯├┤".contains($0) }.joined(separator: " ")
  }

  @Test("help texts are complete on any screen", arguments: [(40, 10), (80, 24)])
  func help(columns: Int, rows: Int) throws {
    var screen = try Self.screen(columns: columns, rows: rows)
    screen.press("4 f1")
    var seen = ""
    for _ in 0..<200 {
      seen += Self.words(screen) + " "
      screen.press("down")
    }
    #expect(seen.contains(PaneTraits.results.about))
    for row in Keymap.standard.rows(in: .results) {
      #expect(seen.contains(row.command.help), "\(row.command.help)")
    }
  }

  @Test("a notice too long for one line grows upwards until the next key")
  func notice() throws {
    var screen = try Self.screen()
    screen.press("P")
    #expect(
      Self.words(screen).contains(
        "Staging on: changes are collected until you send them. P send C review"),
      "\(screen.text)")
    screen.press("down")
    #expect(screen.row(9).contains("? help"), "\(screen.text)")
    #expect(!screen.text.contains("Staging on"))
  }

  @Test("a notice that no key caused leaves the hints visible, which can be clicked")
  func aboveHints() throws {
    var screen = try Self.screen(columns: 80, rows: 24)
    let hints = screen.row(23)
    #expect(hints.contains("? help"))
    for way in ["down", "click"] {
      screen.handle(.notice(Notice("Sonde cannot change these: logs").aboveHints))
      #expect(screen.row(22) == " Sonde cannot change these: logs", "\(screen.text)")
      #expect(screen.row(23) == hints)
      if way == "down" {
        screen.press(way)
        #expect(screen.notice == nil && screen.row(23) == hints, "\(screen.text)")
      } else {
        let (row, column) = try #require(screen.place(of: "? help"))
        screen.click(row, column)
        #expect(screen.text.contains("Keys in "), "\(screen.text)")
      }
    }
  }

  @Test("confirmations are complete")
  func deletion() throws {
    var screen = try Self.screen()
    screen.press("4 0 d")
    #expect(
      Self.words(screen).contains("Delete Fig? Removes 1 row from plants, and 1 link"),
      "\(screen.text)")
    #expect(screen.text.contains("keep it") && screen.text.contains("can be undone"))
    screen.press("down enter")
    #expect(!screen.text.contains("│ Fig "), "\(screen.text)")
  }

  @Test("confirmations leave space for all answers", arguments: ["4 0 d", "4 0 space M d"])
  func answers(way: String) throws {
    var screen = try Self.screen()
    screen.press(way)
    #expect(screen.text.contains("n  keep"), "\(screen.text)")
    #expect(screen.text.contains("d  delete"), "\(screen.text)")
  }

  @Test(
    "of a list with hidden lines mention them",
    arguments: [("4 y", "G"), (":", "down down down down down down"), ("A", "up up")])
  func moreInList(way: String, on: String) throws {
    var screen = try Self.screen()
    screen.press(way)
    let before = screen.text
    screen.press(on)
    #expect(before.contains("█") && screen.text.contains("█"), "\(before)\n\(screen.text)")
  }

  @Test("an open pane has only one border", arguments: 38...46)
  func border(columns: Int) throws {
    var screen = try Self.screen(columns: max(40, columns))
    screen.press("4 o")
    for doubled in ["╭╭", "│╭", "╮╮", "╮│"] {
      #expect(!screen.text.contains(doubled) || columns > 42, "\(screen.text)")
    }
  }

  @Test("a remark next to a title is cut at its end")
  func remark() throws {
    var screen = try Self.screen()
    screen.press("4 space down space v")
    #expect(screen.row(4).contains(" Results ─") && screen.row(4).contains("2 selected"))
    #expect(!screen.row(4).contains("µs"), "\(screen.text)")
  }

  @Test("a long error of a line has a box as wide as the pane")
  func complaintBox() throws {
    var screen = try Self.screen(columns: 60, rows: 24)
    screen.press("Q")
    screen.type(" group name { count }")
    screen.press("enter")
    #expect(screen.text.contains("expected"), "\(screen.text)")
    for doubled in ["├╭", "│╭", "│╰"] {
      #expect(!screen.text.contains(doubled + "─"), "\(screen.text)")
    }
  }

  @Test("a confirmation names what cannot be undone")
  func deletionOfOthers() throws {
    var screen = try Screen(
      columns: 120, rows: 24, query: QueryPlan("plants"), changeDetection: "watched")
    screen.press("4 0 d")
    #expect(
      screen.text.contains("can be undone if at most 10,000 rows are deleted"), "\(screen.text)")
  }

  @Test("the reason why a store is stale leaves the keys visible", arguments: [(40, 10), (80, 24)])
  func stale(columns: Int, rows: Int) throws {
    var screen = try Self.screen(columns: columns, rows: rows)
    let reason = "The file cannot be read any more: it is read again when it is there"
    screen.show(StoreSnapshot(screen.store, freshness: .stale(reason: reason)))
    #expect(Self.words(screen).contains(reason), "\(screen.text)")
    screen.press("down")
    #expect(screen.row(rows - 2).contains("The file cannot be read any mor"), "\(screen.text)")
    #expect(screen.row(rows - 1).contains("? help  q quit"), "\(screen.text)")
    screen.show(StoreSnapshot(screen.store))
    #expect(!screen.text.contains("cannot be read"))
  }

  @Test("the reason why a store is stale changes, and disappears when it is live again")
  func fresh() throws {
    var screen = try Self.screen(columns: 80, rows: 24)
    let reason =
      "/folder/plants.json, line 20, column 7: expected ':', found '1'; it keeps its rows"
    let other = reason.replacing("plants", with: "gardens")
    screen.show(StoreSnapshot(screen.store, freshness: .stale(reason: reason)))
    screen.show(StoreSnapshot(screen.store, freshness: .stale(reason: other)))
    #expect(Self.words(screen).contains(other), "\(screen.text)")
    screen.show(StoreSnapshot(screen.store))
    #expect(!screen.text.contains("expected ':'"), "\(screen.text)")
  }

  @Test("a store that was never reached shows the reason, not that it is empty")
  func neverReached() {
    var workspace = Workspace(StoreListing(typed: "far"), size: Size(columns: 40, rows: 10))
    let reason = "Cannot reach ws://far: connection refused"
    _ = workspace.update(
      .snapshot(
        StoreSnapshot(
          TripleStore(), freshness: .offline(since: 0, nextTry: nil, reason: reason))))
    let words = workspace.view().text.split { " \n│─╭╮╰╯├┤".contains($0) }.joined(separator: " ")
    #expect(words.contains(reason) && !words.contains("no namespaces"), "\(words)")
    var wide = Workspace(StoreListing(typed: "far"), size: Size(columns: 100, rows: 24))
    _ = wide.update(
      .snapshot(
        StoreSnapshot(
          TripleStore(), freshness: .offline(since: 0, nextTry: nil, reason: reason))))
    #expect(wide.view().text.ranges(of: reason).count == 1, "once is enough")
  }

  @Test("the error of a failed store stays until it works again")
  func failed() throws {
    var screen = try Self.screen(columns: 80, rows: 24)
    screen.handle(.storeFailed("The folder garden is gone"))
    screen.press("down up")
    #expect(screen.row(22).contains("The folder garden is gone"), "\(screen.text)")
    #expect(screen.row(23).contains("? help"))
  }

  @Test("the error of a line waits while completions are offered")
  func complaint() throws {
    var screen = try Self.screen(columns: 80, rows: 24)
    screen.press("O ctrl-u")
    screen.type("height desc, ")
    #expect(screen.text.contains("│ name    text"), "\(screen.text)")
    #expect(!screen.text.contains("expected"))
    screen.press("enter")
    #expect(screen.text.contains("Character 14: expected a field name"), "\(screen.text)")
    #expect(screen.row(23).contains("escape"), "\(screen.text)")
  }

  @Test("a text that exactly fits is not marked as cut")
  func full() {
    #expect(TextLines.wrapped("one two", width: 7, limit: 1) == ["one two"])
    #expect(TextLines.wrapped("one two", width: 4, limit: 2) == ["one", "two"])
    #expect(TextLines.wrapped("one two six", width: 4, limit: 2) == ["one", "two …"])
    #expect(TextLines.wrapped("one\ntwo\nsix", width: 4, limit: 2) == ["one", "two …"])
    #expect(TextLines.wrapped("one\ntwo", width: 4, limit: 2) == ["one", "two"])
  }

  @Test("descriptions in the palette are cut at a pause instead of within a word")
  func palette() throws {
    var screen = try Self.screen()
    screen.press(":")
    screen.type("co")
    #expect(screen.text.contains("│ copy "), "\(screen.text)")
    #expect(!screen.text.contains("…"))
  }
}
