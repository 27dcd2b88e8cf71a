import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing

@Suite("Type-ahead")
struct TypeAheadTests {
  /// On the way into the plants of the first bed, which are not there yet.
  private static func screen() throws -> Screen {
    var screen = try Screen(columns: 110, query: QueryPlan("beds").order("name"))
    screen.isSlow = true
    screen.press("$ enter")
    return screen
  }

  @Test("queued keys apply to the new rows in order, including typed text")
  func waiting() throws {
    var screen = try Self.screen()
    screen.press("down l e ctrl-u")
    screen.type("77")
    screen.press("enter")
    #expect(
      screen.row(23).contains("7 keystrokes queued until the rows load.  escape discard"),
      "\(screen.row(23))")
    #expect(screen.transactions.isEmpty)
    screen.answerAtLast()
    #expect(screen.transactions.count == 1)
    #expect(screen.line(with: "Mint ")?.contains("77") == true, "\(screen.text)")
    #expect(screen.notice?.text == "height updated.")
  }

  @Test("queued keys wait for each set of rows on their way")
  func further() throws {
    var screen = try Self.screen()
    screen.press("$ enter down")
    screen.answerAtLast(keepingSlow: true)
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.answerAtLast()
    #expect(!screen.row(23).contains("wait"))
    #expect(screen.watched.last?.document.plans[0].namespace == "beds")
  }

  @Test("keys for a match wait until a search in the background has found it")
  func searching() throws {
    let plants = (0..<3_000).map { #"{"key": "k\#($0)", "name": "P\#($0)"}"# }
    var screen = try Screen(
      columns: 110, query: QueryPlan("plants"),
      store: try Garden.store(plants: "[" + plants.joined(separator: ",") + "]"))
    screen.isSlow = true
    screen.press("4 /")
    screen.type("P2900")
    screen.press("enter enter")
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.isSlow = false
    screen.respondAtLast()
    #expect(screen.text.contains("─ [5] P2900 ─"), "\(screen.text)")
    // Without a match nothing is opened.
    screen.press("escape")
    screen.isSlow = true
    screen.press("/")
    screen.type("P29000")
    screen.press("enter enter")
    screen.isSlow = false
    screen.respondAtLast()
    #expect(screen.notice?.text.hasPrefix("No match for") == true, "\(screen.text)")
    #expect(!screen.text.contains("[5]"), "\(screen.text)")
  }

  @Test("escape discards them, and keys that need no rows do not wait")
  func dropped() throws {
    var screen = try Self.screen()
    screen.press("down e")
    screen.press("escape")
    #expect(screen.notice == .queuedKeysDiscarded)
    screen.answerAtLast()
    #expect(!screen.text.contains("Edit"))
    var other = try Self.screen()
    other.press("backspace")
    #expect(other.watched.last?.document.plans[0].namespace == "beds")
    var quitting = try Self.screen()
    quitting.press("down q")
    #expect(quitting.effects.last == .quit(status: 0))
  }

  @Test(
    "a command for a field of a namespace that is not open is performed when its rows are loaded",
    arguments: [
      ("#", "plants group height order count desc"), ("s", "plants order height"),
      ("z", "plants"),
    ])
  func inSchema(key: String, query: String) throws {
    var screen = try Screen(columns: 110, query: QueryPlan("beds").order("name"))
    screen.isSlow = true
    screen.press("1 down 2 / h e i g enter \(key)")
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.watched.last?.document.text == query, "\(screen.text)")
    #expect(screen.hears(key == "z" ? "Value counts" : "Results"), "\(screen.text)")
  }

  @Test(
    "so is a command for the results that is pressed in another pane",
    arguments: [
      ("1 E", "─ Export"), ("1 y", "─ Copy"), ("3 z", "Values of"), ("3 |", "─ Pipe"),
      ("1 5", "─ [5] "), ("4 y", "─ Copy"),
    ])
  func inOtherPanes(keys: String, shown: String) throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("plants").order("name"), isSlow: true)
    screen.press(keys)
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.text.contains(shown), "\(screen.text)")
  }

  @Test("a key in Namespaces right after the cursor moved applies to the rows of that namespace")
  func afterMove() throws {
    var screen = try Screen(columns: 110)
    screen.isSlow = true
    screen.press("down y")
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.answerAtLast()
    screen.press("q")
    #expect(screen.effects.last == .copy("plants"), "\(screen.text)")
  }

  @Test("the queue is limited")
  func bounded() throws {
    var screen = try Self.screen()
    for _ in 0..<500 { screen.press("down") }
    #expect(screen.notice == .queueFull)
    screen.answerAtLast()
    #expect(screen.line(with: "Mint ") != nil)
  }

  @Test("they are discarded if no rows come")
  func failed() throws {
    var screen = try Self.screen()
    screen.press("down e")
    let token = try #require(screen.watched.last?.token)
    screen.handle(.live(token, .failed(LiveFailure(message: "Not for you"))))
    #expect(screen.text.contains("Not for you"))
    #expect(!screen.text.contains("Edit"))
    screen.press("escape")
    #expect(screen.notice != .queuedKeysDiscarded)
  }

  @Test("loaded rows can be navigated during a query")
  func there() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants").order("name"))
    screen.isSlow = true
    screen.press("F")
    screen.type("height > 1")
    screen.press("enter down l e")
    #expect(screen.text.contains("Edit height"))
    #expect(screen.text.contains("80"))
  }

  @Test("enter waits for the rows of a changed query")
  func changedQuery() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants").order("name"))
    screen.isSlow = true
    screen.press("F")
    screen.type("height < 100")
    screen.press("enter enter")
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    #expect(!screen.text.contains("[5]"), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.text.contains("─ [5] Iris ─"), "\(screen.text)")
  }

  @Test("all keys for rows wait for groups of the rows")
  func groups() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants").order("name"))
    screen.isSlow = true
    screen.press("l l # down enter")
    #expect(screen.notice == .keysQueued(2), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.watched.last?.document.text == "plants filter edible = false", "\(screen.text)")
  }

  @Test("they never apply to other rows")
  func others() throws {
    var screen = try Self.screen()
    screen.press("d")
    #expect(screen.notice == .keysQueued(1))
    let (row, column) = try #require(screen.place(of: "beds   "))
    screen.click(row, column, times: 2)
    screen.answerAtLast()
    #expect(!screen.text.contains("Delete"), "\(screen.text)")
  }

  @Test("they are discarded when another pane gets the focus")
  func leftPane() throws {
    var screen = try Self.screen()
    screen.press("d")
    let (row, column) = try #require(screen.place(of: "[2]"))
    screen.click(row + 1, column)
    #expect(screen.notice == .queuedKeysDiscarded, "\(screen.text)")
    screen.answerAtLast()
    #expect(!screen.text.contains("Delete"), "\(screen.text)")
  }

  @Test("input before the session is restored is handled in order afterwards")
  func atStart() throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("plants").order("name"), isSlow: true, isRestored: false)
    screen.press("F ctrl-u")
    screen.handle(.terminal(.paste("height > 40")))
    screen.press("enter")
    #expect(screen.watched.isEmpty)
    screen.handle(.sessionRestored(RestoredSession()))
    #expect(
      screen.watched.last?.document.text.contains("filter height > 40") == true, "\(screen.text)")
  }

  @Test("escape discards input from before the session is restored")
  func discardedAtStart() throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("plants").order("name"), isSlow: true, isRestored: false)
    screen.press("d escape")
    #expect(screen.notice == .queuedKeysDiscarded)
    screen.handle(.sessionRestored(RestoredSession()))
    screen.answerAtLast()
    #expect(!screen.text.contains("Delete"), "\(screen.text)")
  }

  @Test("of the input from before the session is restored, only that for rows waits for the answer")
  func rowsAtStart() throws {
    var screen = try Screen(
      columns: 110, query: QueryPlan("plants").order("name"), isSlow: true, isRestored: false)
    screen.press("4 d")
    screen.handle(.sessionRestored(RestoredSession()))
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    screen.answerAtLast()
    #expect(screen.text.contains("Delete"), "\(screen.text)")
  }

  @Test("keys that need no rows work while the query of the command line runs")
  func slowFirstQuery() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants").order("name"), isSlow: true)
    screen.press("1")
    #expect(screen.hears("Namespaces"), "\(screen.text)")
    screen.press("?")
    #expect(screen.text.contains("Keys in Namespaces"), "\(screen.text)")
    screen.press("escape 4 Q")
    screen.type(" limit 3")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants order name limit 3", "\(screen.text)")
  }

  @Test("they never apply after a tab switch")
  func leftTab() throws {
    var screen = try Self.screen()
    screen.press("d t")
    screen.answerAtLast()
    screen.press(",")
    #expect(!screen.text.contains("Delete"), "\(screen.text)")
  }
}
