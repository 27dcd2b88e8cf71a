import Explorer
import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("Live queries pane")
struct SubscriptionsPaneTests {
  /// Returns three queries: one is live, one is loading, and one has failed.
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
    expectBlock(
      """
      ╭─ [8] Live queries ────────────────────────────────────────────────────────────────────────── 3 queries · 4 subscribers ─╮
      │ query                                                  state            rows  answered  subscribers   changed      took │
      │ plants filter height > 30 order height desc            live           12,345  12:04:31            2   tx 1042    420 µs │
      │ beds                                                   loading                                    1                     │
      │ plants with bed                                        failed                                     1                     │
      """, in: screen.text)
    expectBlock(
      """
      │ plants filter height > 30 order height desc                                                                             │
      │                                                                                                                         │
      │ Up to date                                                                                                              │
      │ 2 subscribers, 12,345 rows, last changed by transaction 1042                                                            │
      │ 1 full evaluation, 41 incremental updates                                                                               │
      │ last answered at 12:04:31 in 420 µs                                                                                     │
      ╰─────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────╯
       help  escape close
      """, in: screen.text)
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
    expectBlock(
      """
      ╭─ [8] Live queries ─────────────────────────────── 3 queries · 4 subscribers ─╮
      │ query                           state            rows  answered  subscribers │
      │ plants filter height > 30 ord…  live           12,345  12:04:31            2 │
      │ beds                            loading                                    1 │
      │ plants with bed                 failed                                     1 │
      │                                                                              │
      """, in: screen.text)
    #expect(!screen.text.contains("Up to date"), "\(screen.text)")
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
