import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The pager and the editor")
struct ExternalToolsTests {
  @Test("the menu names the program for each text")
  func menu() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("o")
    expectBlock(
      """
      ╭─ Open in the pager or the editor ─╮
      │ c  cell              pager        │
      │ e  row as JSON       pager        │
      │ v  value of name     editor       │
      │ t  results as table  pager        │
      │ j  results as JSON   pager        │
      │ q  query             editor       │
      ╰───────────────────────────────────╯
      """, in: screen.text)
    screen.press("t")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    #expect(text.contains("name") && text.contains("South wall"))
  }

  @Test("a value is edited completely, with its line breaks")
  func value() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l l l l o v")
    #expect(screen.requests.last?.request == .edit("", ending: ".txt"))
    screen.respond(.edited(.changed("one\ntwo")))
    #expect(screen.transactions.count == 1)
    #expect(screen.text.contains("one␊two"))
    screen.press("o v")
    #expect(screen.requests.last?.request == .edit("one\ntwo", ending: ".txt"))
  }

  @Test("an edited value that violates the schema stays in the line with the reason")
  func refused() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("l o v")
    screen.respond(.edited(.changed("tall")))
    #expect(screen.text.contains("height must be a number"))
    #expect(screen.transactions.isEmpty)
    screen.press("ctrl-u 7 enter")
    #expect(screen.transactions.count == 1)
  }

  @Test("the typed line can be edited and is then applied")
  func typed() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("Q")
    screen.type("limit ")
    screen.press("ctrl-o")
    #expect(screen.requests.last?.request == .edit("plants limit", ending: ".txt"))
    screen.respond(.edited(.changed("plants\n  filter height > 100\n  limit 2\n")))
    #expect(screen.watched.last?.document.text == "plants filter height > 100 limit 2")
    screen.press("o q")
    screen.respond(.edited(.changed("plants filter heigth > 1")))
    #expect(screen.text.contains("Did you mean"))
    #expect(screen.text.contains("heigth"))
  }

  @Test("a comment of an edited query ends with its line", arguments: ["Q", "F"])
  func comment(key: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press(key + " ctrl-o")
    let start = key == "Q" ? "plants -- tall\nfilter " : "-- tall\n"
    screen.respond(.edited(.changed(start + "height > 100 -- cm\nand note != '-- x'\n")))
    #expect(
      screen.watched.last?.document.text
        == #"plants filter height > 100 and note != "-- x""#)
  }

  @Test("a comment of a pasted query ends with its line", arguments: ["Q", "F"])
  func pastedComment(key: String) throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press(key + " ctrl-u")
    let start = key == "Q" ? "plants -- tall\nfilter " : "-- tall\n"
    screen.handle(.terminal(.paste(start + "height > 100")))
    #expect(screen.text.contains("/* tall */"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 100")
    #expect(screen.row(2).contains("/* tall */ "), "\(screen.text)")
    screen.press(key)
    #expect(screen.row(2).contains("/* tall */ "), "\(screen.text)")
  }

  @Test("a failed or unchanged edit has no effect")
  func nothing() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("o v")
    screen.respond(.edited(.unchanged))
    #expect(screen.notice?.text == "Nothing was changed in the editor.")
    screen.press("e ctrl-o")
    screen.respond(.edited(.failed("The editor was ended by signal 9: nothing was changed")))
    #expect(screen.row(19).contains("signal 9"))
    // The typed text is unchanged.
    #expect(screen.text.contains("Edit name"))
    #expect(screen.transactions.isEmpty)
  }

  @Test("values can be edited in the record pane")
  func entity() throws {
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"))
    screen.press("enter o e")
    guard case .page(let text)? = screen.effects.last else {
      Issue.record("Nothing went to the pager")
      return
    }
    #expect(text.contains(#""name":"Fig""#))
    screen.press("o v")
    screen.respond(.edited(.changed("Figs")))
    #expect(screen.text.contains("─ [5] Figs ─"))
  }
}
