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
    "commands that need all rows wait for them", arguments: ["y", "E", "|", "o", "z", "x", "M"])
  func commands(key: String) throws {
    var screen = try Self.screen()
    screen.press(key)
    #expect(screen.notice == .loading)
    screen.reread(try Self.store(rows: 5))
    screen.press(key)
    #expect(screen.notice != .loading)
  }

  @Test("changes wait until all rows are loaded")
  func changes() throws {
    var screen = try Self.screen()
    screen.press("right e")
    #expect(screen.notice?.text == Notice.loading.text)
    screen.reread(try Self.store(rows: 5))
    screen.press("e")
    #expect(screen.notice?.text != Notice.loading.text)
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
