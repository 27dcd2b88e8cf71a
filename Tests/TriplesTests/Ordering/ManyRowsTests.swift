import DataSourcesTesting
import TestSupport
import Testing
import Triples

/// Many rows are ordered by sorting numbers, few by comparing: both must agree.
struct ManyRowsTests {
  private static let id = TestAttributes.attribute("as", "id", unique: true)
  private static let name = TestAttributes.attribute("as", "name", .string)
  private static let note = TestAttributes.attribute("as", "note")
  private static let size = TestAttributes.attribute("as", "size", .number)
  private static let day = TestAttributes.attribute("as", "day", .date)

  /// Few different values, so that later keys matter; some are null, missing or invalid dates.
  private static func store(_ count: Int, seed: UInt64, mixed: Bool = false) -> TripleStore {
    var random = SeededGenerator(seed: seed)
    var store = TripleStore()
    for attribute in [id, name, note, size, day] { store.addAttribute(attribute) }
    let names = ["elm", "Elm", "élan", "ash tree by the pond", "ash tree by the wall", "", "ash"]
    for number in 0..<count {
      let entity = store.makeEntity(
        high: .random(in: 0...UInt64.max, using: &random), low: 7, in: "as")
      func set(_ attribute: Attribute, _ value: Value) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: break
        case 1: store.insert(.null, of: entity, attribute.id, at: 1)
        default: store.insert(value, of: entity, attribute.id, at: 1)
        }
      }
      store.insert(.null, of: entity, id.id, at: Int64(number / 100))
      set(name, .text(names.randomElement(using: &random)!))
      set(note, mixed && number % 3 == 0 ? .integer(4) : .text(names[number % 5]))
      set(size, number % 2 == 0 ? .integer(Int64(number % 7)) : .double(Double(number % 5) / 2))
      set(day, .text(number % 9 == 0 ? "soon" : "20\(10 + number % 4)-01-01"))
    }
    return store
  }

  @Test(
    "several keys, each ascending or descending", arguments: [1, 2, 3] as [UInt64], [false, true])
  func severalKeys(_ seed: UInt64, _ mixed: Bool) throws {
    let store = Self.store(4_500, seed: seed, mixed: mixed)
    let rows = store.rows(of: "as")
    var random = SeededGenerator(seed: seed)
    let keys: [RowOrder.Key] =
      [.created(in: "as")] + [Self.name, Self.note, Self.size, Self.day].map { .attribute($0.id) }
    for count in 1...3 {
      let order = keys.shuffled(using: &random).prefix(count).map {
        RowOrder($0, descending: .random(using: &random))
      }
      let expected = rows.handles.sorted { a, b in
        for key in order {
          let comparison = store.compare(a, b, by: key)
          if comparison != 0 { return comparison < 0 }
        }
        return order.last!.isDescending ? store.precedes(b, a) : store.precedes(a, b)
      }
      #expect(store.top(.max, of: rows, orderedBy: order) == expected, "\(seed): \(order)")
      #expect(
        store.top(3_000, of: rows, orderedBy: order) == Array(expected.prefix(3_000)),
        "\(seed): \(order)")
    }
  }

  @Test("the first order by a text and later ones are sorted")
  func texts() throws {
    let store = Self.store(4_500, seed: 4)
    let rows = store.rows(of: "as")
    for isDescending in [false, true, false] {
      let order = RowOrder(.attribute(Self.name.id), descending: isDescending)
      let expected = rows.handles.sorted { a, b in
        let comparison = store.compare(a, b, by: order)
        if comparison != 0 { return comparison < 0 }
        return isDescending ? store.precedes(b, a) : store.precedes(a, b)
      }
      #expect(store.top(.max, of: rows, orderedBy: [order]) == expected)
    }
  }
}
