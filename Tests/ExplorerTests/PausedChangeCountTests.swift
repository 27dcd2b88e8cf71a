import Explorer
import InstaQL
import Testing
import Triples

@Suite("Counted changes while paused")
struct PausedChangeCountTests {
  /// New plants, each with a name, a height and a bed.
  private static func steps(_ screen: Screen, _ count: Int) throws -> [TransactionStep] {
    let schema = screen.store.schema
    let attributes = try ["id", "name", "height", "note"].map {
      try #require(schema.attribute("plants", $0)).id
    }
    let bed = try #require(schema.link("plants", "bed")).attribute.id
    let beds = try QueryEngine.answer(QueryPlan("beds"), in: screen.store).rows
    let target = Value.text(screen.store.id(of: beds[0]).text)
    return (0..<count).flatMap { number -> [TransactionStep] in
      let digits = String(number)
      let id = EntityID(
        "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits)
      return [
        .addTriple(.id(id), attributes[0], .text(id.text)),
        .addTriple(.id(id), attributes[1], .text("Plant \(number)")),
        .addTriple(.id(id), attributes[2], .integer(Int64(number))),
        .addTriple(.id(id), attributes[3], "new"), .addTriple(.id(id), bed, target),
      ]
    }
  }

  /// How many lines Changes says that it has, with those that it dropped.
  private static func listed(_ screen: Screen) -> String {
    var screen = screen
    screen.press("C G")
    return screen.line(with: "Changes ─") ?? ""
  }

  @Test("count as Changes lists them: an entity and a link, not each value")
  func few() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("p")
    try screen.transact(try Self.steps(screen, 3))
    #expect(screen.row(0).contains("6 changes waiting"), "\(screen.row(0))")
    #expect(Self.listed(screen).contains("─ 6 changes ─"), "\(Self.listed(screen))")
  }

  @Test("are counted the same way when many arrive at once")
  func many() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("p")
    try screen.transact(try Self.steps(screen, 1_500))
    #expect(screen.row(0).contains("3,000 changes waiting"), "\(screen.row(0))")
    #expect(
      Self.listed(screen).contains("─ 2,000 changes · 1,000 not listed (too many at once) ─"),
      "\(Self.listed(screen))")
  }

  @Test("are counted for a hidden tab, too")
  func aside() throws {
    var screen = try Screen(columns: 100, rows: 20, query: QueryPlan("plants"))
    screen.press("p t")
    try screen.transact(try Self.steps(screen, 2))
    #expect(!screen.row(0).contains("waiting"), "\(screen.row(0))")
    screen.press(",")
    #expect(screen.row(0).contains("4 changes waiting"), "\(screen.row(0))")
  }
}
