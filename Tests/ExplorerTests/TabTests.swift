import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Tabs")
struct TabTests {
  @Test("a new tab starts with a copy of the query")
  func open() throws {
    var screen = try Screen(columns: 100, rows: 20)
    #expect(!screen.row(0).contains("["))
    screen.press("t down enter")
    #expect(screen.row(0).contains(" 1 beds [2 plants]"))
    screen.press("F")
    screen.type("height > 100")
    screen.press("enter ,")
    #expect(screen.row(0).contains("[1 beds] 2 plants"))
    #expect(screen.text.contains("South wall"))
    screen.press("u")
    #expect(screen.notice == .nothingToUndoInQuery)
    screen.press(".")
    #expect(screen.text.contains("height > 100"))
    screen.press("u")
    #expect(!screen.text.contains("height > 100"))
  }

  @Test("tabs are shown in the header")
  func header() throws {
    var screen = try Screen(columns: 100, rows: 16)
    screen.press("t down enter t 1 up enter 1")
    #expect(screen.row(0).hasPrefix(" sonde   1 beds  2 plants [3 beds]  garden › beds "))
    #expect(screen.row(0).hasSuffix(" ● live  tx 0"))
  }

  @Test("tabs of the same namespace name their conditions, and saved queries their names")
  func titles() throws {
    var screen = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    screen.press("t F")
    screen.type("height > 100")
    screen.press("enter")
    #expect(screen.row(0).contains(" 1 plants [2 plants height > 100]"), "\(screen.row(0))")
    screen.press("b")
    screen.type("tall")
    screen.press("enter")
    #expect(screen.row(0).contains(" 1 plants [2 tall]"), "\(screen.row(0))")
    screen.press("u")
    #expect(screen.row(0).contains(" 1 plants [2 plants]"), "\(screen.row(0))")
    screen.press("b")
    screen.type("tall")
    screen.press("enter")
    #expect(screen.row(0).contains(" 1 tall [2 tall]"), "\(screen.row(0))")
    screen.press("ctrl-r")
    #expect(screen.row(0).contains(" 1 tall [2 plants]"), "\(screen.row(0))")
    var listed = try Screen(columns: 120, rows: 20, query: QueryPlan("plants"))
    listed.saved = [SavedQuery(name: "tall", store: "", text: "plants filter height > 100")]
    listed.press("t B enter")
    #expect(listed.row(0).contains(" 1 plants [2 tall]"), "\(listed.row(0))")
  }

  @Test("saved queries name the tabs of a restored session")
  func restoredTitles() throws {
    let tall = SavedQuery(name: "tall", store: "", text: "plants filter height > 100")
    let views = [TabView(query: "beds"), TabView(query: tall.text)]
    let screen = try Screen(
      columns: 120, rows: 20,
      recalled: RestoredSession(view: LastView(tabs: views, shown: 0), savedQueries: [tall]))
    #expect(screen.row(0).contains("[1 beds] 2 tall "), "\(screen.row(0))")
  }

  @Test("a tab keeps its history, cursor and open panes")
  func state() throws {
    var screen = try Screen(columns: 119, rows: 24)
    screen.press("down enter down down enter")
    #expect(screen.text.contains("─ [5] Mint"))
    screen.press("t")
    #expect(!screen.text.contains("[5] Mint"))
    screen.press(",")
    #expect(screen.text.contains("─ [5] Mint ─"))
  }

  @Test("closing a tab shows the next one and cancels its query")
  func close() throws {
    var screen = try Screen()
    screen.press("t down enter t 1 up enter ctrl-w")
    #expect(screen.row(0).contains("[2 plants]"))
    #expect(screen.watched.count == 2)
    screen.press(", ctrl-w")
    #expect(screen.text.contains("height"))
    #expect(screen.watched.count == 1)
    screen.press("ctrl-w")
    #expect(screen.notice == .onlyTab)
    #expect(screen.watched.count == 1)
  }

  @Test("hidden tabs stay up to date")
  func live() throws {
    var screen = try Screen(columns: 120)
    screen.press("t down")
    let name = try #require(screen.store.schema.attribute("beds", "name"))
    let answer = try QueryEngine.answer(QueryPlan("beds"), in: screen.store)
    let fallow = try #require(
      answer.rows.first { screen.store.value($0, name.id) == .text("Fallow") })
    try screen.transact([.addTriple(.id(screen.store.id(of: fallow)), name.id, .text("Sown"))])
    screen.press(",")
    #expect(screen.text.contains("Sown"))
    #expect(!screen.text.contains("Fallow"))
  }

  @Test("switching is cyclic, and with one tab shows how to open another")
  func turning() throws {
    var screen = try Screen()
    screen.press(".")
    #expect(screen.notice == .onlyTab)
    screen.press("t t .")
    #expect(screen.row(0).contains(" [1 beds] 2 beds  3 beds "))
    screen.press(",")
    #expect(screen.row(0).contains("  1 beds  2 beds [3 beds]"))
  }

  @Test("a click on a tab shows it")
  func click() throws {
    var screen = try Screen(columns: 100)
    screen.press("t down")
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 0, column: 10))))
    #expect(screen.row(0).contains("[1 beds] 2 beds"))
  }

  @Test("in a narrow header the current tab is shown; tabs are limited")
  func many() throws {
    var screen = try Screen(columns: 60)
    screen.press(Array(repeating: "t", count: 25).joined(separator: " "))
    #expect(screen.row(0).contains("[20 beds] +19 tabs"))
    #expect(screen.notice == .tooManyTabs(limit: 20))
    #expect(screen.watched.count == 20)
  }
}
