import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("Resizing panes")
struct SplitTests {
  private func mouse(_ action: Mouse.Action, _ row: Int, _ column: Int) -> Event {
    .terminal(.mouse(Mouse(action, row: row, column: column)))
  }

  @Test("many namespaces get the rows that no schema needs")
  func manyNamespaces() throws {
    let entities = (10..<50).map { #""n\#($0)": {"attrs": {"size": {"valueType": "number"}}}"# }
    let schema = #"{"entities": {\#(entities.joined(separator: ","))}}"#
    let screen = try Screen(
      columns: 100, rows: 24,
      store: try Dataset.load([(name: "schema.json", bytes: Array(schema.utf8))]))
    // Of 19 rows, 3 remain for the schema.
    #expect(screen.row(17).contains("n25"), "\(screen.text)")
    #expect(screen.row(18).hasPrefix("├─ [2] n10"), "\(screen.text)")
    #expect(screen.text.contains("size"))
  }

  @Test("keys move the divider, and its position is persisted")
  func sides() throws {
    var screen = try Screen(columns: 100, rows: 20)
    #expect(screen.row(1).hasPrefix("╭─ [1] Namespaces ────────╮╭"))
    screen.press(") )")
    #expect(screen.row(1).hasPrefix("╭─ [1] Namespaces ────────────╮╭"))
    #expect(screen.splits == ["left": 31])
    screen.press("(")
    #expect(screen.splits == ["left": 29])
    screen.press("=")
    #expect(screen.splits == [:])
    #expect(screen.row(1).hasPrefix("╭─ [1] Namespaces ────────╮╭"))
  }

  @Test("the border shows which lines are visible")
  func moreLines() throws {
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("countries"), store: DemoData.store())
    func thumb(_ column: Int) -> [Int] {
      (1..<23).filter { Array(screen.row($0))[column] == "█" }
    }
    let first = thumb(26)
    #expect(!first.isEmpty, "\(screen.text)")
    screen.press("2 down")
    #expect(thumb(26) == first)
    screen.press("G")
    #expect(thumb(26).last == 21 && first.last != 21, "\(screen.text)")
    screen.press("4 enter")
    let top = thumb(109)
    #expect(!top.isEmpty, "\(screen.text)")
    screen.press("ctrl-d ctrl-d ctrl-d")
    #expect(thumb(109) != top, "\(screen.text)")
  }

  @Test("up and down move the divider of the focused side")
  func rows() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("ctrl-down ctrl-down 4 ctrl-down ctrl-up ctrl-up")
    #expect(screen.splits == ["namespaces": 5, "query": 1])
    #expect(screen.row(7).hasPrefix("├─ [2] beds ─"))
    #expect(screen.row(3).contains("├─ [4] Results ─"))
  }

  @Test(
    "a divider cannot hide a pane", arguments: [(100, 20), (71, 10), (300, 90)])
  func limits(columns: Int, rows: Int) throws {
    for key in ["(", ")", "ctrl-up", "ctrl-down"] {
      for pane in ["1", "4"] {
        var screen = try Screen(columns: columns, rows: rows)
        screen.press(pane)
        for _ in 0..<200 { screen.press(key) }
        #expect(screen.text.contains("Namespaces") || columns < 100 && pane == "4")
        #expect(screen.text.contains("Results"))
        #expect(screen.text.contains("South"))
      }
    }
  }

  @Test("a pane next to the results grows to the left")
  func beside() throws {
    var screen = try Screen(columns: 140, rows: 20)
    screen.press("4 enter")
    let before = try #require(screen.row(4).firstRange(of: "╭─ [5] South"))
    screen.press("(")
    let after = try #require(screen.row(4).firstRange(of: "╭─ [5] South"))
    #expect(after.lowerBound < before.lowerBound)
    #expect(screen.splits?["beside"] != nil)
  }

  @Test("a divider can be dragged, and is persisted on release")
  func drag() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.handle(mouse(.press(.left, clicks: 1), 9, 26))
    screen.handle(mouse(.drag(.left), 9, 39))
    #expect(screen.splits == nil)
    screen.handle(mouse(.release(.left), 9, 39))
    #expect(screen.splits == ["left": 40])
    screen.handle(mouse(.press(.left, clicks: 1), 4, 60))
    screen.handle(mouse(.drag(.left), 9, 60))
    screen.handle(mouse(.release(.left), 9, 60))
    #expect(screen.row(9).contains("├─ [4] Results ─"))
    #expect(screen.splits == ["left": 40, "query": 7])
  }

  @Test("a pane can be zoomed and restored")
  func zoom() throws {
    var screen = try Screen(columns: 100, rows: 16)
    screen.press("down enter Z")
    expectBlock(
      """
      ╭─ [4] Results ─────────────────────────────────────────────────────────────────────── row 1 of 5 ─╮
      │ name          height  edible  sown        note  key   bed                                        │
      │ Fig              250  true    2019-04-01  ·     fig   South wall →                               │
      │ Iris              80  false   2022-03-15  ·     iris  By the pond →                              │
      │ Mint              40  true    2023-05-02  ·     mint  By the pond →                              │
      │ 梅 Ume           310  true    ∅           ·     ume   South wall →                               │
      │ Odd␛[31m␉one  12,345  false   ·           é     odd   ·                                          │
      │                                                                                                  │
      """, in: screen.text)
    expectBlock(
      """
      ╰──────────────────────────────────────────────────────────────────────────────────────────────────╯
       Results fills the screen.  Z restore
      """, in: screen.text)
    screen.handle(mouse(.press(.left, clicks: 1), 4, 10))
    #expect(screen.workspace.view().paintedText(row: 4).contains("selection"))
    screen.press("F")
    #expect(screen.row(1).contains("─ Filter ─"))
    screen.press("escape 2")
    #expect(screen.row(1).hasPrefix("╭─ [2] plants ─"))
    #expect(!screen.text.contains("Results"))
    screen.press("Z")
    #expect(screen.text.contains("Namespaces"))
    screen.press("4 enter Z")
    #expect(screen.row(1).contains("╭─ [5] Iris ─") || screen.row(1).contains("╭─ [5] Mint ─"))
  }

  @Test("zooming keeps the cursors of hidden panes")
  func outOfSight() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants").order("name"))
    screen.press("down down 1 Z Z 4")
    screen.press("f")
    #expect(screen.text.contains("name = \"Mint\""))
  }

  @Test("saved sizes are restored, invalid ones ignored")
  func recalled() throws {
    let splits = ["left": 40, "query": -3, "namespaces": 1_000_000, "elsewhere": 4]
    let screen = try Screen(columns: 100, rows: 20, recalled: RestoredSession(splits: splits))
    #expect(screen.row(1).contains("Namespaces " + String(repeating: "─", count: 21) + "╮╭"))
    #expect(screen.row(4).contains("├─ [4] Results ─"))
  }
}

@Suite("Session")
struct SessionTests {
  private func again(_ screen: Screen) throws -> Screen {
    let view = try #require(screen.lastView)
    return try Screen(columns: 110, rows: 20, recalled: RestoredSession(view: view))
  }

  /// The text of the selected row.
  private func cursorCell(_ screen: Screen) -> Substring? {
    let text = screen.workspace.view().paintedText
    return text.firstRange(of: "cursor-cell}").map { text[$0.upperBound...].prefix { $0 != "{" } }
  }

  @Test("tabs, query, history and cursor are restored")
  func comeBack() throws {
    var screen = try Screen(columns: 110, rows: 20)
    screen.press("4 down $ enter down t 1 up enter F")
    screen.type("area > 9")
    screen.press("enter down l q")
    #expect(screen.effects.last == .quit(status: 0))
    var next = try again(screen)
    #expect(next.row(0) == screen.row(0))
    #expect(next.text.contains("area > 9"))
    #expect(next.notice == .sessionRestored)
    #expect(cursorCell(next) == cursorCell(screen))
    next.press(",")
    #expect(next.row(0).contains("garden › beds › plants"))
    next.press("[")
    #expect(next.row(0).contains("garden › beds"))
    #expect(
      next.workspace.view().paintedText.split(separator: "\n")
        .contains { $0.contains("selection") && $0.contains("By the pond") })
  }

  @Test("a restored session does not replace a notice about a wrong setting")
  func earlierNotice() throws {
    var screen = try Screen(columns: 110, rows: 20)
    screen.press("4 s q")
    let view = try #require(screen.lastView)
    let notice = Notice("Unknown setting.").aboveHints
    var next = try Screen(columns: 110, rows: 20, isRestored: false)
    next.handle(.notice(notice))
    next.handle(.sessionRestored(RestoredSession(view: view)))
    #expect(next.text.contains(" from the last session "), "\(next.text)")
    #expect(next.notice == notice)
  }

  @Test(
    "undo and redo, expanded relations, the view and the selection are restored")
  func all() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("4 l s s u $ > space t v v i q")
    var next = try again(screen)
    #expect(next.text.contains("JSON"))
    #expect(next.text.contains("InstaQL ─╮"))
    next.press("i i ,")
    #expect(next.text.contains("╰ bed 1"))
    #expect(next.text.contains("1 selected"))
    #expect(next.watched.last?.document.text == "plants order height")
    next.press("u")
    #expect(next.watched.last?.document.text == "plants")
    next.press("u")
    #expect(next.notice == .nothingToUndoInQuery)
    next.press("ctrl-r ctrl-r")
    #expect(next.watched.last?.document.text == "plants order height desc")
    next.press("ctrl-r")
    #expect(next.notice == .nothingToRedo)
  }

  @Test(
    "the cursor returns to its row, for any id", arguments: ["a\tb", "a\\tb", "\\"])
  func strangeIDs(id: String) throws {
    var store = try Garden.store()
    let schema = store.schema
    let (identity, name) = (
      try #require(schema.attribute("plants", "id")),
      try #require(schema.attribute("plants", "name"))
    )
    try store.transact(
      Transaction([
        .addTriple(.id(EntityID(id)), identity.id, .text(id)),
        .addTriple(.id(EntityID(id)), name.id, "龜 Zinnia"),
      ]), rules: .optimistic)
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants").order("name"), store: store)
    screen.press("4 G q")
    let view = try #require(screen.lastView)
    let again = try Screen(
      columns: 110, rows: 20, store: store, recalled: RestoredSession(view: view))
    #expect(
      cursorCell(screen) == cursorCell(again) && cursorCell(again)?.contains("Zinnia") == true)
  }

  @Test("days such as today are saved and restored as words")
  func days() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    for condition in ["sown < today", "sown in last 7 days"] {
      screen.press("F ctrl-u")
      screen.type(condition)
      screen.press("enter")
    }
    screen.press("q")
    let view = try #require(screen.lastView)
    #expect(view.tabs?.map(\.query) == ["plants filter sown in last 7 days"])
    #expect(view.tabs?.first?.past?.last == "plants filter sown < today")
    var again = try Screen(columns: 100, rows: 20, recalled: RestoredSession(view: view))
    again.press("q")
    #expect(again.lastView?.tabs?.map(\.query) == view.tabs?.map(\.query))
    #expect(again.lastView?.tabs?.first?.past == view.tabs?.first?.past)
  }

  @Test("a restored query is marked until it changes")
  func marked() throws {
    let views = [TabView(query: "plants filter height > 50"), TabView(query: "beds")]
    var screen = try Screen(
      columns: 100, rows: 20, recalled: RestoredSession(view: LastView(tabs: views, shown: 0)))
    #expect(screen.row(1).contains(" from the last session "), "\(screen.text)")
    screen.press("down z escape")
    #expect(screen.row(1).contains(" from the last session "), "\(screen.text)")
    screen.press("F ctrl-u enter")
    #expect(screen.watched.last?.document.text == "plants")
    #expect(!screen.text.contains("from the last session"), "\(screen.text)")
    // A query for all rows is never marked.
    screen.press(".")
    #expect(screen.row(0).contains("beds") && !screen.text.contains("from the last session"))
  }

  @Test("nothing is shown before the session is restored, and keys wait")
  func waiting() throws {
    var workspace = Workspace(
      StoreListing(typed: "garden"), size: Size(columns: 80, rows: 20),
      startup: StartupView(recalls: true))
    #expect(workspace.update(.snapshot(StoreSnapshot(try Garden.store()))).isEmpty)
    #expect(workspace.mustWait(.key(.down)))
    #expect(!workspace.mustWait(.key(.control("c"))))
    let effects = workspace.update(.sessionRestored(RestoredSession()))
    #expect(!effects.isEmpty)
    #expect(
      workspace.update(.sessionRestored(RestoredSession(view: LastView(query: "plants")))).isEmpty)
  }

  @Test("the session is awaited for at most half a second")
  func patience() throws {
    var workspace = Workspace(
      StoreListing(typed: "garden"), size: Size(columns: 80, rows: 20),
      startup: StartupView(recalls: true))
    let start = ContinuousClock.now
    #expect(workspace.isTimed)
    #expect(workspace.update(.tick(start)).isEmpty)
    #expect(workspace.update(.snapshot(StoreSnapshot(try Garden.store()))).isEmpty)
    #expect(workspace.deadline == start + .milliseconds(500))
    #expect(workspace.update(.tick(start + .milliseconds(499))).isEmpty)
    #expect(!workspace.update(.tick(start + .milliseconds(500))).isEmpty)
    #expect(
      workspace.update(.sessionRestored(RestoredSession(view: LastView(query: "plants")))).isEmpty)
  }

  @Test("sessions of older versions and invalid queries are handled")
  func older() throws {
    let old = RestoredSession(view: LastView(query: "plants limit 2"))
    #expect(try Screen(recalled: old).text.contains("limit 2"))
    let gone = RestoredSession(
      view: LastView(
        tabs: [TabView(query: "trees"), TabView(query: "plants"), TabView(query: "{{")], shown: 1))
    #expect(try Screen(recalled: gone).row(0).contains("garden › plants"))
    let lost = try Screen(
      recalled: RestoredSession(view: LastView(tabs: [TabView(query: "trees")], shown: 7)))
    #expect(lost.row(0).contains("garden › beds"))
    #expect(lost.notice == .sessionLost)
    let part = RestoredSession(
      view: LastView(tabs: [TabView(query: "trees"), TabView(query: "plants")], shown: 0))
    #expect(try Screen(recalled: part).row(0).contains("garden › plants"))
  }

  @Test("a query on the command line takes precedence over the session")
  func typed() throws {
    let screen = try Screen(
      query: QueryPlan("plants"), recalled: RestoredSession(view: LastView(query: "beds limit 1")))
    #expect(screen.row(0).contains("garden › plants"))
  }
}
