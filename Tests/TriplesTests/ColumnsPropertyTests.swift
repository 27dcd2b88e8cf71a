import DataSourcesTesting
import Testing
import Triples
import TestSupport

/// Random stores and random changes, compared with a plain list of triples. A failing seed is in
/// the test's argument.
@Suite struct ColumnsPropertyTests {
  static let seeds: [UInt64] = (1...8).map { $0 * 7919 }

  @Test(
    "A column store answers every query like a list of triples", arguments: seeds)
  func agreesWithListOfTriples(seed: UInt64) {
    var world = StoreAndList(seed: seed)
    for _ in 0..<4 {
      for _ in 0..<60 { world.change() }
      #expect(world.store.checkInvariants() == [])
      world.expectSameTriples()
      world.expectSameEntities()
      for _ in 0..<12 { world.expectSameRows() }
      world.expectSameLinks()
      for _ in 0..<4 { world.expectSameOrder() }
    }
  }

  @Test(
    "Indexes built before a change are correct after it, in both copies",
    arguments: seeds.prefix(4))
  func indexesAge(seed: UInt64) {
    var world = StoreAndList(seed: seed, entities: 110)
    for id in world.ids { world.join(id) }
    for _ in 0..<400 { world.change() }
    var branch = world
    branch.numbers = SeededGenerator(seed: seed ^ 1)
    for _ in 0..<6 {
      for _ in 0..<5 {
        world.expectSameRows()
        world.expectSameOrder()
        branch.expectSameRows()
        branch.expectSameOrder()
      }
      for _ in 0..<3 { world.change() }
      for _ in 0..<2 { branch.change() }
    }
    world.expectSameLinks()
    branch.expectSameLinks()
    #expect(world.store.checkInvariants() == [])
  }

  @Test("A snapshot stays as it was while the store changes", arguments: seeds.prefix(3))
  func snapshotsStay(seed: UInt64) {
    var world = StoreAndList(seed: seed)
    for _ in 0..<80 { world.change() }
    let before = world
    let snapshot = world.store
    for _ in 0..<80 { world.change() }
    #expect(!snapshot.isIdentical(to: world.store))
    #expect(snapshot.isIdentical(to: before.store))
    #expect(snapshot.checkInvariants() == [])
    before.expectSameTriples()
    before.expectSameEntities()
    before.expectSameLinks()
  }

  @Test("Two copies of a store are independent", arguments: seeds.prefix(3))
  func branchesAreIndependent(seed: UInt64) {
    var first = StoreAndList(seed: seed)
    for _ in 0..<60 { first.change() }
    var second = first
    second.numbers = SeededGenerator(seed: seed ^ 1)
    for _ in 0..<10 {
      for _ in 0..<8 { first.change() }
      for _ in 0..<8 { second.change() }
      for _ in 0..<6 { first.expectSameRows() }
      for _ in 0..<6 { second.expectSameRows() }
      first.expectSameLinks()
      second.expectSameLinks()
    }
    first.expectSameTriples()
    second.expectSameTriples()
  }
}

/// A store and a list of triples with the same changes.
struct StoreAndList {
  var numbers: SeededGenerator
  var store = TripleStore()
  var list = ListOfTriples()
  var clock: Int64 = 1000
  let ids: [String]

  init(seed: UInt64, entities: Int = 30) {
    numbers = SeededGenerator(seed: seed)
    var ids: [String] = []
    for number in 0..<entities {
      ids.append(
        number % 10 == 9
          ? "thing \(number)" : EntityID(high: numbers.next(), low: numbers.next()).text)
    }
    self.ids = ids
    for attribute in TestAttributes.all { addAttribute(attribute) }
  }

  private mutating func addAttribute(_ attribute: Attribute) {
    store.addAttribute(attribute)
    list.attributes.append(attribute)
  }

  // MARK: Changing

  /// Creates an entity of the first namespace.
  mutating func join(_ id: String) {
    clock += 1
    list.insert(.text(id), of: id, AttributeID("as.id"), at: clock)
    let handle = store.makeEntity(EntityID(id), in: "as")
    store.insert(.text(id), of: handle, AttributeID("as.id"), at: clock)
  }

  mutating func change() {
    clock += Int64(numbers.below(2))
    let entity = numbers.pick(ids)
    let attribute = numbers.pick(list.attributes)
    switch numbers.below(20) {
    case 0:
      let namespace = numbers.pick([nil, "as", "bs"])
      list.removeTriples(of: entity, in: namespace)
      if let handle = store.handle(of: EntityID(entity)) {
        store.removeTriples(of: handle, in: namespace)
      }
    case 1...4:
      guard let value = list.values(entity, attribute.id).randomElement(using: &numbers) else {
        fallthrough
      }
      list.retract(value, of: entity, attribute.id)
      let handle = store.handle(of: EntityID(entity))!
      let isGone = store.retract(value, of: handle, attribute.id)
      #expect(isGone)
    default:
      let value = value(for: attribute, of: entity)
      list.insert(value, of: entity, attribute.id, at: clock)
      let handle = store.makeEntity(EntityID(entity), in: attribute.namespace)
      store.insert(value, of: handle, attribute.id, at: clock)
    }
  }

  mutating func value(for attribute: Attribute, of entity: String) -> Value {
    if attribute.label == "id" { return .text(entity) }
    if attribute.valueType == .ref { return .text(numbers.pick(ids)) }
    switch attribute.checkedType {
    case .number: return numbers.pick([number(), number(), .null])
    case .string: return numbers.pick([text(), text(), .null])
    case .boolean: return numbers.pick([.bool(true), .bool(false), .null])
    case .date: return numbers.pick([date(), date(), .null])
    case nil:
      return numbers.pick([
        number(), text(), .bool(numbers.below(2) == 0), .null, .array([number()]), .integer(7),
      ])
    }
  }

  private mutating func number() -> Value {
    numbers.below(3) == 0
      ? .double(Double(numbers.below(40)) / 4 - 3) : .integer(Int64(numbers.below(12)) - 4)
  }

  private mutating func text() -> Value {
    .text(
      numbers.pick([
        "", "a", "A", "ab", "war", "a war b", "é", "Émile", "7", "\u{FF01}", "😀", "x\"y",
      ]))
  }

  private mutating func date() -> Value {
    numbers.pick([
      .text("2025-01-10"), .text("2025-01-10T00:00:00Z"), .integer(1_736_467_200_000),
      .text("2025-03-01"), .integer(0), .text("soon"), .double(1_736_467_200_000.5),
    ])
  }

  mutating func predicate(for attribute: Attribute) -> ValuePredicate {
    func bound(_ value: Value, _ inclusive: Bool) -> ValuePredicate.Bound {
      ValuePredicate.Bound(value, isInclusive: inclusive)
    }
    let values = (0..<3).map { _ in value(for: attribute, of: numbers.pick(ids)) }
    switch numbers.below(9) {
    case 0, 1: return .equal(values[0])
    case 2: return .oneOf(values)
    case 3: return .notEqual(values[0])
    case 4:
      return .range(lower: bound(values[0], numbers.below(2) == 0), upper: nil)
    case 5:
      return .range(
        lower: bound(values[0], numbers.below(2) == 0),
        upper: bound(values[1], numbers.below(2) == 0))
    case 6:
      return .like(LikePattern(numbers.pick(["%war%", "a%", "%b", "_", "%_b", "a_", "é%", "%"])))
    case 7: return .null
    default: return numbers.pick([.notNull, .stored])
    }
  }

  // MARK: Comparing

  func expectSameTriples() {
    for id in ids {
      for attribute in list.attributes {
        let expected = list.triples.filter { $0.entity == id && $0.attribute == attribute.id }
        guard let handle = store.handle(of: EntityID(id)) else {
          #expect(expected.isEmpty)
          continue
        }
        #expect(store.values(handle, attribute.id) == expected.map(\.value))
        #expect(store.value(handle, attribute.id) == expected.last?.value)
        #expect(store.createdAt(handle, attribute.id) == expected.last?.time)
        var output = JSONOutput()
        let column = store.column(of: attribute.id)!
        #expect(store.write(handle, column: column, into: &output) == !expected.isEmpty)
      }
    }
  }

  func expectSameEntities() {
    for (namespace, label) in [("as", "as.id"), ("bs", "bs.id")] {
      let expected = list.entities(AttributeID(label)) { _ in true }
      #expect(store.count(of: namespace) == expected.count)
      let rows = store.rows(of: namespace)
      #expect(Set(rows.handles.map { store.id(of: $0).text }) == expected)
      for handle in rows.handles {
        #expect(store.contains(handle, in: namespace))
        let time = list.triples.first {
          $0.entity == store.id(of: handle).text && $0.attribute == AttributeID(label)
        }!.time
        #expect(store.createdAt(handle, in: namespace) == time)
      }
    }
  }

  mutating func expectSameRows() {
    let attribute = numbers.pick(list.attributes)
    let predicate = predicate(for: attribute)
    let expected = list.entities(attribute.id) {
      holds(predicate, $0, isDate: attribute.checkedType == .date)
    }
    let rows = store.rows(attribute.id, predicate)
    let found = Set(rows.handles.map { store.id(of: $0).text })
    #expect(found == expected, "\(attribute.id.text) \(predicate)")

    let some = RowSet(
      ids.filter { _ in numbers.below(2) == 0 }.compactMap {
        store.handle(of: EntityID($0))
      })
    #expect(
      store.rows(attribute.id, predicate, within: some) == rows.intersection(some),
      "\(attribute.id.text) \(predicate)")
  }

  func expectSameLinks() {
    for attribute in list.attributes where attribute.valueType == .ref {
      let forward = Link(attribute, .forward)
      let reverse = Link(attribute, .reverse)
      for id in ids {
        guard let handle = store.handle(of: EntityID(id)) else { continue }
        let targets = store.targets(handle, forward).map { store.id(of: $0).text }
        #expect(targets.map { Value.text($0) } == list.values(id, attribute.id))
        let sources = store.targets(handle, reverse).map { store.id(of: $0).text }
        #expect(sources.count == Set(sources).count)
        #expect(Set(sources) == list.entities(attribute.id) { $0 == .text(id) })
      }
      let some = RowSet(ids.prefix(9).compactMap { store.handle(of: EntityID($0)) })
      let ends = store.targets(attribute.id, of: some).handles.map { store.id(of: $0).text }
      #expect(
        Set(ends)
          == Set(
            ids.prefix(9).flatMap { list.values($0, attribute.id) }.map {
              if case .text(let id) = $0 { id } else { "" }
            }))
      let starts = store.sources(attribute.id, pointingTo: some).handles
      let known = Set(some.handles.map { Value.text(store.id(of: $0).text) })
      #expect(
        Set(starts.map { store.id(of: $0).text })
          == list.entities(attribute.id) { known.contains($0) })
    }
  }

  /// Checks the order by pairs: each entity is where its key and id require.
  mutating func expectSameOrder() {
    let attribute = numbers.pick(
      list.attributes.filter { $0.valueType == .blob && $0.cardinality == .one })
    let descending = numbers.below(2) == 0
    let order =
      attribute.label == "id"
      ? RowOrder(.created(in: attribute.namespace), descending: descending)
      : RowOrder(.attribute(attribute.id), descending: descending)
    let rows = store.rows(of: attribute.namespace)
    let all = store.top(.max, of: rows, orderedBy: [order])
    #expect(Set(all) == Set(rows.handles))
    #expect(all.count == rows.count)
    for (a, b) in zip(all, all.dropFirst()) {
      var comparison = naiveOrder(a, b, attribute)
      if comparison == 0 { comparison = store.id(of: a) < store.id(of: b) ? -1 : 1 }
      #expect(descending ? comparison > 0 : comparison < 0, "\(attribute.id.text)")
    }
    let few = numbers.below(6)
    #expect(store.top(few, of: rows, orderedBy: [order]) == Array(all.prefix(few)))
  }

  private func naiveOrder(_ a: EntityHandle, _ b: EntityHandle, _ attribute: Attribute) -> Int {
    func sign<N: Comparable>(_ a: N, _ b: N) -> Int { a < b ? -1 : a > b ? 1 : 0 }
    if attribute.label == "id" {
      return sign(
        store.createdAt(a, in: attribute.namespace), store.createdAt(b, in: attribute.namespace))
    }
    func key(_ entity: EntityHandle) -> (rank: Int, number: Double, text: String) {
      let value = list.values(store.id(of: entity).text, attribute.id).last ?? .null
      if attribute.checkedType == .date {
        switch value {
        case .integer(let number): return (2, Double(number), "")
        case .double(let number): return (2, number.rounded(.towardZero), "")
        case .text(let text):
          return Instant(text).map { (2, Double($0.milliseconds), "") } ?? (0, 0, "")
        default: return (0, 0, "")
        }
      }
      switch value {
      case .null: return (0, 0, "")
      case .bool(let value): return (1, value ? 1 : 0, "")
      case .integer(let number): return (2, Double(number), "")
      case .double(let number): return (2, number, "")
      case .text(let text): return (3, 0, text)
      default: return (4, 0, "")
      }
    }
    let x = key(a)
    let y = key(b)
    if x.rank != y.rank { return sign(x.rank, y.rank) }
    if x.number != y.number { return sign(x.number, y.number) }
    if attribute.checkedType == .string { return Collation.compare(x.text, y.text) }
    let (left, right) = (Array(x.text.utf16), Array(y.text.utf16))
    return left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1
  }
}

/// Attributes of every type in two namespaces.
enum TestAttributes {
  static let all: [Attribute] = [
    attribute("as", "id", unique: true), attribute("bs", "id", unique: true),
    attribute("as", "name", .string, unique: true), attribute("as", "age", .number),
    attribute("as", "active", .boolean), attribute("as", "due", .date),
    attribute("as", "any"), attribute("bs", "any"), attribute("bs", "name", .string),
    attribute("as", "tags", cardinality: .many),
    attribute("as", "owner", cardinality: .one, to: ("bs", "things")),
    attribute("bs", "friends", cardinality: .many, to: ("as", "friendOf")),
    attribute("as", "parent", cardinality: .one, to: ("as", "children")),
  ]
}

extension TestAttributes {
  static func attribute(
    _ namespace: String, _ label: String, _ type: CheckedType? = nil, unique: Bool = false,
    cardinality: Attribute.Cardinality = .one, to reverse: (String, String)? = nil
  ) -> Attribute {
    Attribute(
      id: AttributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: reverse.map { Attribute.Name(namespace: $0.0, label: $0.1) },
      valueType: reverse == nil ? .blob : .ref, cardinality: cardinality
    ).with {
      $0.isUnique = unique
      $0.isIndexed = type != nil
      $0.checkedType = type
    }
  }
}
