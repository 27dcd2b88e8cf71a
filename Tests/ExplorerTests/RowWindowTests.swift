import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Windows of long answers")
struct RowWindowTests {
  private static func cities(_ plan: QueryPlan = QueryPlan("cities")) throws -> Screen {
    try Screen(
      columns: 120, rows: 30, query: plan, store: DemoData.store(), isReadAsNeeded: true)
  }

  /// The same screen over a store that returns all rows, for comparison.
  private static func whole(_ plan: QueryPlan) throws -> Screen {
    try Screen(columns: 120, rows: 30, query: plan, store: DemoData.store())
  }

  /// The names in the first column; how wide it is depends on the rows that are known.
  private static func names(_ screen: Screen) -> [String] {
    screen.text.split(separator: "\n").map { String($0.prefix(15)) }
  }

  /// What the cell under the cursor says.
  private static func chosen(_ screen: Screen) -> String? {
    screen.workspace.view().selectedText(of: .cursorCell)
  }

  @Test("the first window is requested, and the title shows the number of rows")
  func first() throws {
    let screen = try Self.cities()
    #expect(screen.windows == [AnswerView.Window(count: 1_000)])
    #expect(screen.text.contains("of 26,184 ·"))
  }

  @Test(
    "more rows are loaded near the end, and the cursor stays on its entity and line")
  func scrolling() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    var whole = try Self.whole(QueryPlan("cities").order("name"))
    for _ in 0..<100 {
      screen.press("ctrl-d")
      whole.press("ctrl-d")
      #expect(Self.names(screen) == Self.names(whole))
    }
    #expect(screen.windows.count > 1)
    for _ in 0..<100 {
      screen.press("ctrl-u")
      whole.press("ctrl-u")
      #expect(Self.names(screen) == Self.names(whole))
    }
    #expect(screen.windows.last?.skipped == 0)
    #expect(screen.windows.dropFirst().allSatisfy { $0.count == 220 })
  }

  @Test("a match in a row that is not loaded also selects its column")
  func foundColumn() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Screen(
      columns: 80, rows: 30, query: plan, store: DemoData.store(), isReadAsNeeded: true)
    let store = screen.store
    let row = 20_000
    let entity = try QueryEngine.answer(plan, in: store).rows[row]
    let attribute = try #require(store.schema.attribute("cities", "key"))
    let key = try #require(store.value(entity, attribute.id)?.textValue)
    screen.isSlow = true
    screen.press("/")
    screen.type(key)
    screen.press("enter")
    screen.respond(.found(RowHit(entity: store.id(of: entity), row: row)))
    screen.answerAtLast()
    #expect(screen.text.contains(key), "\(screen.text)")
    screen.press("0 down up")
    #expect(!screen.text.contains(key))
  }

  @Test("G moves to the last row and g to the first, with one query each")
  func ends() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    var whole = try Self.whole(QueryPlan("cities").order("name"))
    screen.press("G")
    whole.press("G")
    #expect(Self.names(screen) == Self.names(whole))
    #expect(screen.windows.count == 2)
    #expect(
      screen.windows.last == AnswerView.Window(skipped: 25_964, count: 220, of: 26_184))
    screen.press("up up g")
    whole.press("up up g")
    #expect(Self.names(screen) == Self.names(whole))
    #expect(screen.windows.count == 3)
  }

  @Test("a key moves the cursor at once while more rows are being loaded")
  func movingMeanwhile() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Self.whole(plan)
    screen.isSlow = true
    screen.pressAtOnce("down", times: 979)
    #expect(screen.windows.count == 2)
    #expect(screen.text.contains("row 980 of 26,184"), "\(screen.text)")
    screen.press("down")
    #expect(screen.text.contains("row 981 of 26,184"), "\(screen.text)")
    whole.pressAtOnce("down", times: 980)
    #expect(Self.chosen(screen) == Self.chosen(whole))
  }

  @Test(
    "keys faster than the rows are queued, and move as if all rows were loaded",
    arguments: [("pagedown", 100), ("ctrl-d", 130)])
  func ahead(_ key: String, _ times: Int) throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Self.whole(plan)
    screen.isSlow = true
    for _ in 0..<times {
      screen.press(key)
      whole.press(key)
    }
    #expect(screen.text.contains("to row"))
    screen.press("pageup up")
    #expect(!screen.text.contains("further"))
    whole.press("pageup up")
    // Only the last of the requests is still active.
    #expect(Self.actions(screen) == 1)
    screen.answerAtLast()
    #expect(Self.chosen(screen) != nil)
    #expect(Self.chosen(screen) == Self.chosen(whole))
    #expect(!screen.text.contains("to row"))
    // The rows between are not read.
    #expect(screen.windows.count < 15)
  }

  @Test(
    "the cursor stays on its entity in another query of a long answer, and in another tab of it",
    arguments: [
      "right s left", "t", "F population>1000 enter", "F population>1000 enter u",
      "right s u left",
    ])
  func quest(_ keys: String) throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.press("G pageup up")
    let name = Self.chosen(screen)
    for part in keys.split(separator: " ") {
      let part = String(part)
      if Key(named: part) != nil { screen.press(part) } else { screen.type(part) }
    }
    #expect(name != nil)
    #expect(Self.chosen(screen) == name)
  }

  @Test(
    "a search for the cursor's row continues in the next query and in another tab",
    arguments: [["s"], ["t"], ["t", ","], ["s", "t", ","]])
  func questGoesOn(_ keys: [String]) throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.press("G pageup up")
    let name = Self.chosen(screen)
    screen.isSlow = true
    for key in ["right s"] + keys {
      screen.press(key)
      screen.answerAtLast(keepingSlow: true)
    }
    // In another pane the result is not shown.
    screen.isSlow = false
    screen.press("t , left")
    screen.answerAtLast()
    #expect(name != nil)
    #expect(Self.chosen(screen) == name)
  }

  @Test("jumps work while paused")
  func paused() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.press("p")
    let name = try #require(screen.store.schema.attribute("cities", "name"))
    let first = try #require(screen.store.rows(of: "cities").handles.first)
    try screen.transact([
      .addTriple(.id(screen.store.id(of: first)), name.id, .text("Mmm"))
    ])
    #expect(screen.text.contains("1 change waiting"))
    screen.press("G")
    let last = Self.chosen(screen)
    screen.press("p")
    #expect(last != nil)
    #expect(Self.chosen(screen) == last)
    #expect(screen.text.contains(last ?? ""))
  }

  /// A screen that has made a request to locate its row in a new order, and that request.
  private static func locating() throws -> (screen: Screen, request: Request) {
    var screen = try cities(QueryPlan("cities").order("name"))
    screen.press("G")
    screen.isSlow = true
    screen.press("right s")
    screen.answerAtLast(keepingSlow: true)
    let requests = screen.requests.map(\.request)
    let located = requests.filter { if case .locate = $0 { true } else { false } }
    #expect(located.count == 1)
    return (screen, try #require(located.first))
  }

  @Test("a missing entity is located once, and later movements win")
  func questInVain() throws {
    var (screen, _) = try Self.locating()
    screen.press("down")
    let here = Self.chosen(screen)
    screen.respond(.row(12_000))
    screen.answerAtLast()
    #expect(Self.chosen(screen) == here)
  }

  @Test("locating a row ends when another query is shown")
  func outdatedQuest() throws {
    var (screen, request) = try Self.locating()
    screen.press("s")
    #expect(screen.canceled.contains(request))
  }

  @Test("queued movements request only the window of the last one")
  func atOnce() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Self.whole(plan)
    screen.pressAtOnce("pagedown", times: 100)
    for _ in 0..<100 { whole.press("pagedown") }
    #expect(Self.chosen(screen) == Self.chosen(whole))
    #expect(screen.windows.count == 2)
  }

  /// How many questions for rows of the answer are open.
  private static func actions(_ screen: Screen) -> Int {
    screen.watched.count { $0.document.plans == [QueryPlan("cities").order("name")] }
  }

  @Test("a reversed movement cancels the request")
  func turningBack() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Self.whole(plan)
    screen.isSlow = true
    for key in Array(repeating: "pagedown", count: 50) + Array(repeating: "pageup", count: 45) {
      screen.press(key)
      whole.press(key)
    }
    #expect(Self.chosen(screen) == Self.chosen(whole))
    screen.answerAtLast()
    #expect(Self.chosen(screen) == Self.chosen(whole))
  }

  @Test("the cursor arrives as soon as its row is loaded")
  func arriving() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Self.whole(plan)
    screen.isSlow = true
    // Beyond the margin of the window that the first of these keys requests.
    for _ in 0..<56 {
      screen.press("pagedown")
      whole.press("pagedown")
    }
    #expect(screen.workspace.awaitedRows != nil)
    screen.answerAtLast(keepingSlow: true)
    #expect(screen.workspace.awaitedRows == nil)
    #expect(Self.chosen(screen) == Self.chosen(whole))
  }

  @Test("any other key cancels the destination and applies to the visible row")
  func otherwise() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.isSlow = true
    for _ in 0..<100 { screen.press("pagedown") }
    let before = Self.chosen(screen)
    screen.press("y")
    #expect(!screen.text.contains("to row"))
    screen.press("escape")
    screen.answerAtLast()
    #expect(before != nil)
    #expect(Self.chosen(screen) == before)
  }

  @Test(
    "a store with fewer rows than counted, or a late count, is not queried forever",
    arguments: [0, 1_000, 24_000, 26_000, 26_184], [false, true])
  func fewer(missing: Int, countsLate: Bool) throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.missingRows = missing
    screen.countsLate = countsLate
    screen.isSlow = true
    for _ in 0..<130 { screen.press("pagedown") }
    let asked = screen.windows.count
    screen.answerAtLast()
    #expect(screen.windows.count - asked <= 4)
    #expect(missing == 26_184 || Self.chosen(screen) != nil)
    // Rows are found again from there.
    screen.press("g")
    #expect(missing == 26_184 || Self.chosen(screen) != nil)
    screen.press("pagedown G pageup G g")
    #expect(screen.windows.count - asked <= 40)
  }

  @Test("links are not queried again for each step")
  func neighbors() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    let asked = screen.windows.count
    screen.press("pagedown pageup pagedown down down up pageup")
    #expect(screen.windows.count == asked)
  }

  @Test(
    "closing or canceling the value counts stops the counting",
    arguments: ["escape", "ctrl-c"])
  func counting(_ key: String) throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.isSlow = true
    screen.press("right z")
    #expect(screen.text.contains("counting"))
    screen.press(key)
    #expect(screen.canceled == screen.requests.suffix(1).map { $0.request })
    #expect(!screen.text.contains("counting"))
    #expect(!screen.effects.contains(.quit(status: 130)))
    let given = screen.effects.count
    screen.press("down")
    #expect(screen.effects.count == given)
  }

  @Test("with a limit, G moves to the limit's last row")
  func limited() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name").limit(1_500))
    #expect(screen.text.contains("row 1 of 1,500 · top · 26,184 rows match"))
    screen.press("G")
    #expect(screen.windows.last?.skipped == 1_280)
  }

  @Test("a match in rows that are not loaded is loaded and selected")
  func finding() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    let rows = try QueryEngine.answer(plan, in: screen.store).rows
    screen.isSlow = true
    screen.press("/")
    screen.type("no such city")
    screen.respond(.rowsDone(12_000))
    #expect(screen.text.contains("Searched 12,000 of 26,184 rows …"))
    screen.isSlow = false
    screen.respond(.found(RowHit(entity: screen.store.id(of: rows[20_000]), row: 20_000)))
    screen.press("enter")
    let name = try #require(screen.store.schema.attribute("cities", "name"))
    #expect(
      Self.chosen(screen) == screen.store.value(rows[20_000], name.id).map { CellWords.of($0) })
    screen.isSlow = true
    screen.press("n")
    #expect(screen.text.contains("Searching 26,184 rows …"))
    screen.respond(.found(nil))
    #expect(screen.text.contains("No match for “no such city”"))
  }

  @Test("the next match is searched among all rows")
  func findingOn() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.press("G")
    let last = Self.chosen(screen)
    screen.isSlow = true
    screen.press("/")
    screen.type("zu")
    screen.press("enter n")
    // After the last row comes the very first, which is far away.
    #expect(Self.chosen(screen) == last)
    screen.respond(.found(nil))
    #expect(Self.chosen(screen) == last)
  }

  @Test("all rows can be selected and copied, not only loaded ones")
  func wholes() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name").limit(3_000))
    screen.press("M")
    #expect(screen.text.contains("3000"))
    screen.press("a")
    #expect(screen.text.contains("3,000 selected"))
    screen.press("y")
    #expect(screen.text.contains("results as CSV"))
    screen.press("right s")
    guard case .copy(let text)? = screen.effects.last else {
      Issue.record("Nothing is copied")
      return
    }
    #expect(text.split(whereSeparator: \.isNewline).count == 3_001)
    // Text beyond the clipboard's limit is reported instead of copied in part.
    var long = try Self.cities(QueryPlan("cities").order("name"))
    long.press("y")
    #expect(long.line(with: "results as CSV")?.contains("too long") == true)
    long.press("s")
    #expect(!long.effects.contains { if case .copy = $0 { true } else { false } })
  }
}

private enum CellWords {
  static func of(_ value: Value) -> String {
    if case .text(let text) = value { text } else { "\(value)" }
  }
}
