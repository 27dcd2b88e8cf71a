import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("A long answer of a store that reads what is looked at")
struct StretchTests {
  private static func cities(_ plan: QueryPlan = QueryPlan("cities")) throws -> Screen {
    try Screen(
      columns: 120, rows: 30, query: plan, store: World.store(), isReadAsNeeded: true)
  }

  /// The names in the first column; how wide it is depends on the rows that are known.
  private static func names(_ screen: Screen) -> [String] {
    screen.text.split(separator: "\n").map { String($0.prefix(42)) }
  }

  /// What the cell under the cursor says.
  private static func chosen(_ screen: Screen) -> String? {
    screen.model.view().selectedText(of: .cursorCell)
  }

  @Test("the first rows are asked for, and the title says how many there are")
  func first() throws {
    let screen = try Self.cities()
    #expect(screen.stretches == [AnswerView.Stretch(count: 1_000)])
    #expect(screen.text.contains("26 184 ·"))
  }

  @Test(
    "others are asked for as the cursor comes near the end, and it stays on its entity and line")
  func scrolling() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    var whole = try Screen(
      columns: 120, rows: 30, query: QueryPlan("cities").order("name"), store: World.store())
    for _ in 0..<100 {
      screen.press("ctrl-d")
      whole.press("ctrl-d")
      #expect(Self.names(screen) == Self.names(whole))
    }
    #expect(screen.stretches.count > 1)
    for _ in 0..<100 {
      screen.press("ctrl-u")
      whole.press("ctrl-u")
      #expect(Self.names(screen) == Self.names(whole))
    }
    #expect(screen.stretches.last?.skipped == 0)
    #expect(screen.stretches.allSatisfy { $0.count == 1_000 })
  }

  @Test("G goes to the very last row and g back to the first, with one question each")
  func ends() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    var whole = try Screen(
      columns: 120, rows: 30, query: QueryPlan("cities").order("name"), store: World.store())
    screen.press("G")
    whole.press("G")
    #expect(Self.names(screen) == Self.names(whole))
    #expect(screen.stretches.count == 2)
    #expect(
      screen.stretches.last == AnswerView.Stretch(skipped: 25_184, count: 1_000, of: 26_184))
    screen.press("up up g")
    whole.press("up up g")
    #expect(Self.names(screen) == Self.names(whole))
    #expect(screen.stretches.count == 3)
  }

  @Test(
    "keys that come faster than rows are remembered, and lead where they lead with all rows",
    arguments: ["pagedown", "ctrl-d", "down"])
  func ahead(_ key: String) throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Screen(columns: 120, rows: 30, query: plan, store: World.store())
    screen.isSlow = true
    for _ in 0..<1_500 {
      screen.press(key)
      whole.press(key)
    }
    screen.press("pageup up")
    whole.press("pageup up")
    screen.answerAtLast()
    #expect(Self.chosen(screen) != nil)
    #expect(Self.chosen(screen) == Self.chosen(whole))
    // The rows between are not read.
    #expect(screen.stretches.count < 10)
  }

  @Test("whoever turns back before the rows came is where the cursor would have been")
  func turningBack() throws {
    let plan = QueryPlan("cities").order("name")
    var screen = try Self.cities(plan)
    var whole = try Screen(columns: 120, rows: 30, query: plan, store: World.store())
    screen.isSlow = true
    for key in Array(repeating: "pagedown", count: 60) + Array(repeating: "pageup", count: 55) {
      screen.press(key)
      whole.press(key)
    }
    #expect(Self.chosen(screen) == Self.chosen(whole))
    screen.answerAtLast()
    #expect(Self.chosen(screen) == Self.chosen(whole))
  }

  @Test("what rows are linked with is not asked anew for each step")
  func neighbours() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    let asked = screen.stretches.count
    screen.press("pagedown pageup pagedown down down up pageup")
    #expect(screen.stretches.count == asked)
  }

  @Test("a limit is kept: the last row is that of the limit")
  func limited() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name").limit(1_500))
    #expect(screen.text.contains("1500 of 26 184"))
    screen.press("G")
    #expect(screen.stretches.last?.skipped == 500)
  }

  @Test("what is not in the rows that were read may be in others, and a filter finds it")
  func finding() throws {
    var screen = try Self.cities(QueryPlan("cities").order("name"))
    screen.press("/")
    screen.type("no such city")
    #expect(screen.text.contains("'no such city' is not in the rows read so far: F filters all"))
  }
}
