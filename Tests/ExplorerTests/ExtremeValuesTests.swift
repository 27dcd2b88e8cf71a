import DataSourcesTesting
import Explorer
import InstaQL
import TerminalUI
import TestSupport
import Testing
import Triples

/// Extreme numbers and dates from other programs or servers.
@Suite("Extreme numbers and dates, on the screen")
struct ExtremeValuesTests {
  private static let numbers: [Value] = [
    .integer(.max), .integer(.min), .integer(.max - 1), .integer(0), .integer(-1), .double(-0.0),
    .double(1.7e308), .double(-1.7e308), .double(1e308), .double(-1e308),
    .double(.leastNonzeroMagnitude),
    .double(0x1p63), .double(-0x1p63), .double(0.1), .double(1e15), .null,
  ]
  private static let dates: [Value] = [
    .integer(.max), .integer(.min), .integer(8_640_000_000_000_000),
    .integer(-8_640_000_000_000_001), .double(1e308), .double(-1e308), .double(9.3e18),
    .double(0.5), .text("+275760-09-13T00:00:00Z"), .text("2026-01-31"), .text("0001-01-01"),
    .integer(0), .null,
  ]

  /// Plants whose heights and dates are among these, or anything of 64 bits.
  private func store(_ random: inout SeededGenerator) throws -> TripleStore {
    var store = try Garden.store(plants: "[]")
    func attribute(_ label: String) throws -> AttributeID {
      try #require(store.schema.attribute("plants", label)).id
    }
    let (id, height, sown) = (try attribute("id"), try attribute("height"), try attribute("sown"))
    for place in 0..<Int.random(in: 1...40, using: &random) {
      let plant = store.makeEntity(EntityID("plant-\(place)"), in: "plants")
      store.insert(.text("plant-\(place)"), of: plant, id, at: 1)
      store.insert(Self.any(of: Self.numbers, &random), of: plant, height, at: 1)
      store.insert(Self.any(of: Self.dates, &random), of: plant, sown, at: 1)
    }
    return store
  }

  private static func any(of values: [Value], _ random: inout SeededGenerator) -> Value {
    switch Int.random(in: 0..<6, using: &random) {
    case 0: .integer(Int64(bitPattern: random.next()))
    case 1:
      { number in number.isFinite ? .double(number) : .null }(Double(bitPattern: random.next()))
    default: values[Int.random(in: 0..<values.count, using: &random)]
    }
  }

  @Test(
    "are counted, drawn over time, ordered, grouped, opened and copied", arguments: UInt64(1)...12)
  func everywhere(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let store = try store(&random)
    for (query, keys) in [
      ("plants", "l z home end page-down enter"), ("plants", "l l l z end enter"),
      ("plants order height desc", "l s s v v enter"), ("plants order sown", "l l l s v enter y"),
      ("plants group sown aggregate sum(height), average(height), max(sown)", "l s s v v"),
      ("plants filter height > 0 and sown < '2026-01-31'", "l z"),
    ] {
      var screen = try Screen(
        columns: Int.random(in: 20...200, using: &random),
        rows: Int.random(in: 4...40, using: &random),
        query: try QueryDocument(text: query).plans[0], store: store)
      screen.press(keys)
      #expect(!screen.text.isEmpty, "seed \(seed)")
      #expect(!screen.text.contains("inf"), "seed \(seed)")
    }
  }

  @Test("a range beyond all dates ends with a number")
  func farDates() throws {
    var screen = try farAway("sown", .integer(.max))
    screen.press("l l l z")
    #expect(screen.text.contains("9,223,370,269,344,000,000"))
  }

  @Test("a series is drawn for extreme numbers")
  func farNumbers() throws {
    var screen = try farAway("height", .double(1.7e308), .double(-1.7e308))
    screen.press("l z")
    #expect(screen.text.contains("█"))
  }

  /// Plants on successive days; the first ones have extreme values.
  private func farAway(_ label: String, _ values: Value...) throws -> Screen {
    let plants = (10..<30).map {
      #"{"key": "k\#($0)", "name": "P", "height": \#($0), "sown": "2026-01-\#($0)"}"#
    }
    var store = try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
    let attribute = try #require(store.schema.attribute("plants", label)).id
    let rows = try QueryEngine.answer(QueryPlan("plants"), in: store).rows
    for (row, value) in zip(rows, values) { store.insert(value, of: row, attribute, at: 9) }
    return try Screen(columns: 150, rows: 30, query: QueryPlan("plants"), store: store)
  }
}
