import DataSourcesTesting
import Testing
import Triples
import TestSupport

/// Stores with several chunks, several pages of texts, and values at their boundaries.
@Suite struct ColumnsChunksTests {
  private static let id = TestAttributes.attribute("as", "id", unique: true)
  private static let name = TestAttributes.attribute("as", "name", .string, unique: true)
  private static let size = TestAttributes.attribute("as", "size", .number)

  /// Entities with numbered names and sizes; each hundredth name is long.
  private static func store(_ count: Int) -> (store: TripleStore, entities: [EntityHandle]) {
    var store = TripleStore()
    for attribute in [id, name, size] { store.addAttribute(attribute) }
    var entities: [EntityHandle] = []
    for number in 0..<count {
      let entity = store.makeEntity(high: UInt64(number), low: 7, in: "as")
      store.insert(.null, of: entity, id.id, at: Int64(number))
      store.insert(.text(name(number)), of: entity, name.id, at: Int64(number))
      store.insert(.integer(Int64(number % 700)), of: entity, size.id, at: Int64(number))
      entities.append(entity)
    }
    return (store, entities)
  }

  private static func name(_ number: Int) -> String {
    number % 100 == 3 ? String(repeating: "long ", count: 200) + "\(number)x" : "name \(number)x"
  }

  @Test("Texts on all pages are found by their whole or a part, including long ones")
  func findsTexts() {
    let (store, entities) = Self.store(2600)
    for number in [0, 3, 255, 256, 1023, 1024, 1103, 2048, 2599] {
      let equal = ValuePredicate.equal(.text(Self.name(number)))
      #expect(store.rows(Self.name.id, equal).handles == [entities[number]])
    }
    for part in ["1x", "ng 10", "name 2", "e", "203x", "xn", "x"] {
      let expected = entities.indices.filter { Self.name($0).contains(part) }
      let pattern = ValuePredicate.like(LikePattern("%\(part)%"))
      #expect(store.rows(Self.name.id, pattern).handles == expected.map { entities[$0] })
    }
    #expect(store.checkInvariants() == [])
  }

  @Test("Ranges and orders span chunks, before and after an index is built")
  func ordersChunks() {
    let (store, entities) = Self.store(2600)
    let all = store.rows(of: "as")
    let expected = entities.indices.sorted {
      ($0 % 700, $0) > ($1 % 700, $1)
    }.map { entities[$0] }
    let order = [RowOrder(.attribute(Self.size.id), descending: true)]
    for _ in 0..<3 {
      #expect(store.top(60, of: all, orderedBy: order) == Array(expected.prefix(60)))
      let range = ValuePredicate.greater(than: 690, orEqual: true)
      let found = store.rows(Self.size.id, range)
      #expect(found.handles == entities.indices.filter { $0 % 700 >= 690 }.map { entities[$0] })
      #expect(store.top(.max, of: found, orderedBy: order) == Array(expected.prefix(found.count)))
    }
    #expect(store.top(.max, of: all, orderedBy: [RowOrder(.created(in: "as"))]) == entities)
  }

  @Test("An index survives many changes and is rebuilt when there are too many")
  func indexesSurvive() {
    var (store, entities) = Self.store(1500)
    let order = [RowOrder(.attribute(Self.size.id))]
    var sizes = entities.indices.map { Int64($0 % 700) }
    var numbers = SeededGenerator(seed: 11)
    for round in 0..<700 {
      let before = store
      let place = numbers.below(1500)
      let size = Int64(numbers.below(900))
      store.insert(.integer(size), of: entities[place], Self.size.id, at: 1)
      if round % 50 != 0 {
        sizes[place] = size
        continue
      }
      let old = sizes
      sizes[place] = size
      for (store, sizes) in [(before, old), (store, sizes)] {
        let expected = entities.indices.sorted { (sizes[$0], $0) < (sizes[$1], $1) }.prefix(20)
        let found = store.top(20, of: store.rows(of: "as"), orderedBy: order)
        #expect(found == expected.map { entities[$0] })
        let equal = store.rows(Self.size.id, .equal(.integer(size)))
        #expect(equal.handles == entities.indices.filter { sizes[$0] == size }.map { entities[$0] })
      }
    }
  }

  @Test("Replaced texts are eventually removed, and snapshots keep theirs")
  func forgetsTexts() {
    var (store, entities) = Self.store(1100)
    let column = store.column(of: Self.name.id)!
    let first = store
    for round in 0..<20_000 {
      let entity = entities[round % 1100]
      store.insert(.text("round \(round)"), of: entity, Self.name.id, at: 1)
    }
    #expect(store.textCount(column: column) < 8000)
    for (place, entity) in entities.enumerated() {
      let last = (19_999 - place) / 1100 * 1100 + place
      #expect(store.value(entity, Self.name.id) == .text("round \(last)"))
      #expect(first.value(entity, Self.name.id) == .text(Self.name(place)))
    }
    let found = store.rows(Self.name.id, .equal(.text("round 19999")))
    #expect(found.handles == [entities[19_999 % 1100]])
    #expect(store.rows(Self.name.id, .equal(.text("round 17"))).isEmpty)
    #expect(store.checkInvariants() == [])
    #expect(first.checkInvariants() == [])
  }

  @Test("A null differs from a missing value, and a number keeps its form")
  func keepsSpelling() {
    var (store, entities) = Self.store(4)
    for (entity, value) in zip(entities, [Value.double(1), .integer(1), .null]) {
      store.insert(value, of: entity, Self.size.id, at: 0)
    }
    store.clear(entities[3], Self.size.id)
    #expect(
      entities.map { store.value($0, Self.size.id) } == [.double(1), .integer(1), .null, nil])
    #expect(store.rows(Self.size.id, .equal(.integer(1))).handles == Array(entities[0...1]))
    #expect(store.rows(Self.size.id, .null).handles == [entities[2]])
    #expect(store.rows(Self.size.id, .stored).count == 3)
    store.insert(.integer(.max), of: entities[2], Self.size.id, at: 0)
    #expect(
      entities.map { store.value($0, Self.size.id) } == [
        .double(1), .integer(1), .integer(.max), nil,
      ])
    #expect(store.checkInvariants() == [])
  }

  @Test(
    "A cell is written as the JSON of its value",
    arguments: [
      .null, .bool(true), .integer(.min), .integer(.max), .integer(0), .integer(-10), .integer(99),
      .double(0.1), .double(-5), .double(1e300), .text(""), .text("plain"), .text("\"\\\u{1}\n\t"),
      .text("é😀"), .array([.integer(1), .text("\"")]),
    ] as [Value])
  func writesCells(value: Value) {
    var store = TripleStore()
    let any = TestAttributes.attribute("as", "any")
    store.addAttribute(any)
    let entity = store.makeEntity(EntityID("one"), in: "as")
    store.insert(value, of: entity, any.id, at: 0)
    var output = JSONOutput()
    let isWritten = store.write(entity, column: store.column(of: any.id)!, into: &output)
    #expect(isWritten)
    #expect(output.text == JSONWriter.text(value))
  }

  @Test("Removing an attribute removes its triples; its name can be reused")
  func removesAttributes() {
    var (store, entities) = Self.store(3)
    let before = store
    let isGone = store.removeAttribute(Self.name.id)
    #expect(isGone)
    #expect(store.value(entities[0], Self.name.id) == nil)
    #expect(store.checkInvariants() == [])
    store.addAttribute(Self.name)
    #expect(store.value(entities[0], Self.name.id) == nil)
    #expect(before.value(entities[0], Self.name.id) == .text("name 0x"))
  }

  @Test("An attribute that becomes many-valued keeps its values and their times")
  func changesCardinality() {
    var (store, entities) = Self.store(3)
    var many = Self.size
    many.cardinality = .many
    store.addAttribute(many)
    let isNew = store.insert(.integer(9), of: entities[2], many.id, at: 50)
    #expect(isNew)
    #expect(store.values(entities[2], many.id) == [.integer(2), .integer(9)])
    #expect(store.createdAt(entities[1], many.id) == 1)
    #expect(store.rows(many.id, .equal(.integer(9))).handles == [entities[2]])
    #expect(store.checkInvariants() == [])
  }
}
