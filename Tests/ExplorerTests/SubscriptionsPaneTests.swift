import Explorer
import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("Live queries pane")
struct SubscriptionsPaneTests {
  /// Three queries: one that is true now, one that waits and one that failed.
  private static func lines() throws -> [WatchedLine] {
    [
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "plants filter height > 30 order height desc"),
          state: .loaded, subscribers: 2, freshness: .live, rows: 12_345,
          work: .init(evaluations: 1, updates: 41, elapsed: .microseconds(420)),
          deliveredTransaction: 1_042),
        answeredAt: "12:04:31"),
      WatchedLine(
        WatchedQuery(document: try QueryDocument(text: "beds"), state: .loading, subscribers: 1)),
      WatchedLine(
        WatchedQuery(
          document: try QueryDocument(text: "plants with bed"),
          state: .failed(LiveFailure(message: "The server is gone.", hint: "It is called again.")),
          subscribers: 1, work: .init(evaluations: 3))),
    ]
  }

  private static func open(columns: Int = 120, rows: Int = 30) throws -> Screen {
    var screen = try Screen(columns: columns, rows: rows)
    screen.press("4 W")
    screen.handle(.watched(try lines()))
    return screen
  }

  @Test("lists each query with its subscribers, freshness and cost")
  func list() throws {
    let screen = try Self.open(columns: 150)
    try expectScreen(screen.text, named: "subscriptions")
  }

  @Test("shows that it is loading")
  func before() throws {
    var screen = try Screen(columns: 100, rows: 20)
    screen.press("4 W")
    #expect(screen.text.contains("Loading the live queries"))
  }

  @Test("on a small screen, the queries take precedence")
  func narrow() throws {
    let screen = try Self.open(columns: 80, rows: 16)
    try expectScreen(screen.text, named: "subscriptions-80x16")
  }

  @Test("side queries of the screen are counted but not listed")
  func own() throws {
    var screen = try Screen(columns: 120, rows: 24, query: QueryPlan("plants"), isPartial: true)
    screen.press("4 W")
    let own = screen.watched.map(\.document).filter { $0.text != "plants" }
    #expect(!own.isEmpty)
    let lines = (own + [try QueryDocument(text: "plants")]).map {
      WatchedLine(WatchedQuery(document: $0, state: .loaded, subscribers: 1, freshness: .live))
    }
    screen.handle(.watched(lines))
    #expect(screen.text.contains("1 query · 1 subscriber · \(own.count) internal quer"))
    #expect(!screen.text.contains("beds count"), "\(screen.text)")
    // Another subscriber sends the same query.
    let shared = try #require(own.first)
    screen.handle(
      .watched([WatchedLine(WatchedQuery(document: shared, state: .loaded, subscribers: 2))]))
    #expect(screen.text.contains("1 query · 2 subscribers ─"))
  }

  @Test("a count query has no rows")
  func counts() throws {
    var screen = try Screen(columns: 120, rows: 24)
    screen.press("4 W")
    let document = try QueryDocument(text: "plants count")
    screen.handle(
      .watched([
        WatchedLine(
          WatchedQuery(document: document, state: .loaded, subscribers: 1, freshness: .live))
      ]))
    #expect(try #require(screen.line(with: "plants count")).contains(" 0 ") == false)
    #expect(!screen.text.contains("0 rows"))
  }

  @Test("the cursor stays on its query when the list changes")
  func identity() throws {
    var screen = try Self.open()
    screen.press("down down")
    #expect(screen.text.contains("The server is gone. It is called again."))
    screen.handle(.watched([try Self.lines()[2], try Self.lines()[0]]))
    #expect(screen.text.contains("The server is gone. It is called again."))
  }

  @Test("live queries are reported only while the pane is open")
  func asked() throws {
    var screen = try Self.open()
    #expect(screen.effects.last == .listWatched(isOn: true))
    screen.press("escape")
    #expect(screen.effects.last == .listWatched(isOn: false))
    screen.press("W 1")
    #expect(screen.effects.last == .listWatched(isOn: false))
    #expect(!screen.text.contains("Live queries"))
  }

  @Test("enter shows the query, and back returns")
  func enter() throws {
    var screen = try Self.open()
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 30 order height desc")
    #expect(screen.effects.last == .listWatched(isOn: false))
    screen.press("[")
    #expect(screen.watched.last?.document.text == "beds")
  }

  @Test("a query without subscribers disappears from the list")
  func gone() throws {
    var screen = try Self.open()
    screen.press("G")
    screen.handle(.watched([try Self.lines()[0]]))
    screen.handle(.watched([]))
    #expect(screen.text.contains("0 queries · 0 subscribers"))
  }
}
