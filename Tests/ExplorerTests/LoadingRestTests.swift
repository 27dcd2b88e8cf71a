import Explorer
import InstaQL
import LiveQueries
import Notebooks
import TerminalUI
import Testing
import Triples

@Suite("A store that shows its first rows while it loads")
struct LoadingRestTests {
  /// A store with numbered rows.
  private static func store(rows count: Int, last: String = "") throws -> TripleStore {
    let rows = (1...count).map { "\($0),name \($0)\n" }.joined()
    return try Dataset.load([(name: "t.csv", bytes: Array("n,name\n\(rows)\(last)".utf8))])
  }

  /// The screen of a store whose first three rows are loaded.
  private static func screen(
    query: QueryPlan? = nil, recalled: RestoredSession? = nil
  ) throws -> Screen {
    try Screen(
      columns: 100, rows: 16, query: query, store: store(rows: 3), isLoading: true,
      recalled: recalled)
  }

  private static let sorted = QueryPlan("t").order("n", .descending)

  @Test("shows the progress in the header, and the number of rows as a lower bound")
  func progress() throws {
    var screen = try Self.screen()
    #expect(screen.row(0).contains("… loading"))
    #expect(screen.text.contains("name 3") && screen.text.contains("row 1 of 3+"))
    screen.handle(.loading(LoadingProgress(done: 34, of: 100, .bytes)))
    #expect(screen.row(0).contains("… loading 34%"))
    #expect(screen.text.contains("name 3"))
    screen.reread(try Self.store(rows: 5))
    #expect(screen.row(0).contains("● live"))
    #expect(screen.text.contains("row 1 of 5") && !screen.text.contains("5+"))
    // A late report of the progress has no effect.
    screen.handle(.loading(LoadingProgress(done: 99, of: 100, .bytes)))
    #expect(screen.row(0).contains("● live"))
  }

  @Test("keeps the cursor when the rest is loaded, and reports no change")
  func rest() throws {
    var screen = try Self.screen()
    screen.press("down right")
    // The last row also makes the column a text.
    screen.reread(try Self.store(rows: 5, last: "x,name 6\n"))
    #expect(screen.text.contains("row 2 of 6") && !screen.text.contains("added"))
    let isComparing = screen.requests.contains {
      if case .compare = $0.request { true } else { false }
    }
    #expect(!isComparing)
  }

  @Test(
    "commands that need all rows are performed once these are loaded",
    arguments: [
      ("E", "─ Export"), ("|", "─ Pipe"), ("o", "─ Open in the pager"), ("z", "Values of n"),
      ("1 E", "─ Export"), ("M", "No rows selected"), (": e x p o r t enter", "─ Export"),
    ])
  func commands(keys: String, shown: String) throws {
    var screen = try Self.screen()
    screen.press(keys)
    #expect(screen.notice == .keysQueued(1), "\(screen.text)")
    #expect(!screen.text.contains(shown))
    screen.reread(try Self.store(rows: 5))
    #expect(screen.text.contains(shown), "\(screen.text)")
  }

  @Test("keys pressed after such a command wait as well, and escape discards them")
  func laterKeys() throws {
    var screen = try Self.screen()
    screen.press("E enter")
    #expect(screen.notice == .keysQueued(2))
    var canceled = screen
    screen.reread(try Self.store(rows: 5))
    let order = try #require(screen.ordered)
    #expect(order.answer.rows.count == 5 && order.path == "t.csv")
    canceled.press("escape")
    canceled.reread(try Self.store(rows: 5))
    #expect(canceled.ordered == nil && !canceled.text.contains("─ Export"))
  }

  @Test("a loaded cell can be copied, but not all rows")
  func copying() throws {
    var screen = try Self.screen()
    screen.press("down y")
    var all = screen
    screen.press("c")
    #expect(screen.effects.last == .copy("name 2"), "\(all.text)")
    #expect(all.line(with: "results as CSV")?.contains("still loading") == true, "\(all.text)")
    all.press("s")
    #expect(all.notice == .loading)
    all.reread(try Self.store(rows: 5))
    all.press("y")
    #expect(all.text.contains("results as CSV") && !all.text.contains("still loading"))
  }

  @Test("changes wait until all rows are loaded")
  func changes() throws {
    var screen = try Self.screen()
    screen.press("right e")
    #expect(screen.notice == .keysQueued(1))
    screen.reread(try Self.store(rows: 5))
    #expect(screen.text.contains("─ Edit n"), "\(screen.text)")
  }

  @Test("a search without a match says that it searched the first rows")
  func finding() throws {
    var screen = try Self.screen()
    screen.press("/")
    screen.type("name 5")
    screen.press("enter n")
    #expect(screen.notice == .notFoundYet("name 5"))
  }

  @Test("a query of the command line waits until all rows are loaded")
  func query() throws {
    var screen = try Self.screen(query: Self.sorted)
    #expect(screen.watched.isEmpty && screen.row(0).contains("… loading"))
    screen.reread(try Self.store(rows: 5))
    #expect(screen.text.contains("name 5") && screen.text.contains("row 1 of 5"))
  }

  @Test("a plain view of the last session is shown at once; others wait until all rows are loaded")
  func session() throws {
    let whole = try Self.store(rows: 5)
    let last = try #require(whole.rows(of: "t").handles.last)
    var screen = try Self.screen(recalled: RestoredSession(view: LastView(query: "t")))
    #expect(screen.text.contains("row 1 of 3+"))
    screen = try Self.screen(
      recalled: RestoredSession(view: LastView(query: Self.sorted.text)))
    #expect(screen.watched.isEmpty && screen.row(0).contains("… loading"))
    screen.reread(whole)
    #expect(screen.watched.count == 1 && screen.text.contains("row 1 of 5"))
    // The row of the cursor is not among the first rows.
    screen = try Self.screen(
      recalled: RestoredSession(view: LastView(query: "t", cursor: whole.id(of: last).text)))
    #expect(screen.watched.isEmpty)
    screen.reread(whole)
    #expect(screen.text.contains("row 5 of 5"))
  }

  @Test("paused live updates do not hold back the rest")
  func paused() throws {
    var screen = try Self.screen()
    screen.press("p")
    #expect(screen.row(0).contains("… loading"))
    screen.reread(try Self.store(rows: 5))
    #expect(screen.text.contains("row 1 of 5") && screen.row(0).contains("‖ paused"))
  }

  @Test("an error of loading ends the program, as it does before the first rows")
  func failure() throws {
    var screen = try Self.screen()
    screen.handle(.storeFailed("t.csv is not valid"))
    #expect(screen.effects.contains(.fail(reason: "t.csv is not valid")))
  }
}
