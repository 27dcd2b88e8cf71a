import Explorer
import InstaQL
import Testing
import Triples

@Suite("Queries with days and times stay true")
struct RelativeTimeTests {
  /// March 2024, on this day at 10 hours and a number of minutes.
  private static func time(day: Int, minute: Int64 = 0) -> QueryTime {
    QueryTime(
      today: CalendarDay(year: 2024, month: 3, day: day),
      minute: 1_710_064_800_000 + (Int64(day) - 10) * 86_400_000 + minute * 60_000)
  }

  /// Opens a query on March 10 at 10:00 in UTC.
  private static func screen(_ query: String) throws -> Screen {
    try QueryTime.$fixed.withValue(time(day: 10)) {
      var screen = try Screen(columns: 110, query: QueryPlan("plants"))
      screen.press("Q ctrl-u")
      screen.type(query)
      screen.press("enter")
      return screen
    }
  }

  /// Lets time pass until the days and times of the query may have changed.
  private static func pass(to time: QueryTime, in screen: inout Screen) {
    let start = ContinuousClock.now
    QueryTime.$fixed.withValue(time) {
      screen.handle(.tick(start))
      screen.handle(.tick(start + .seconds(4_000)))
    }
  }

  private static func query(of screen: Screen) -> String? { screen.watched.last?.document.text }

  @Test("a query has the current day and the current minute, and is shown as it was typed")
  func renewed() throws {
    var screen = try Self.screen("plants filter sown < today")
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-10""#)
    Self.pass(to: Self.time(day: 10, minute: 1), in: &screen)
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-10""#)
    Self.pass(to: Self.time(day: 11), in: &screen)
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-11""#)
    #expect(screen.row(2).contains("plants filter sown < today "), "\(screen.text)")

    screen = try Self.screen("plants filter sown < 2 hours ago")
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-10T08:00:00.000Z""#)
    Self.pass(to: Self.time(day: 10, minute: 5), in: &screen)
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-10T08:05:00.000Z""#)
    #expect(screen.row(2).contains("plants filter sown < 2 hours ago "), "\(screen.text)")
  }

  @Test("a query that is undone or shown again has the current day, without a step for undo")
  func shownAgain() throws {
    var screen = try Self.screen("plants filter sown < today")
    QueryTime.$fixed.withValue(Self.time(day: 10)) {
      screen.press("L")
      screen.type("2")
      screen.press("enter")
    }
    Self.pass(to: Self.time(day: 11), in: &screen)
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-11" limit 2"#)
    QueryTime.$fixed.withValue(Self.time(day: 12)) { screen.press("u") }
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-12""#)
    QueryTime.$fixed.withValue(Self.time(day: 12)) { screen.press("u") }
    #expect(Self.query(of: screen) == "plants")
  }

  @Test("while live updates are paused, a query keeps its day")
  func paused() throws {
    var screen = try Self.screen("plants filter sown < today")
    screen.press("p")
    Self.pass(to: Self.time(day: 11), in: &screen)
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-10""#)
    QueryTime.$fixed.withValue(Self.time(day: 11)) { screen.press("p") }
    #expect(Self.query(of: screen) == #"plants filter sown < "2024-03-11""#)
  }
}
