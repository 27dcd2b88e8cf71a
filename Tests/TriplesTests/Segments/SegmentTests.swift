import DataSourcesTesting
import Testing
import Triples
import TestSupport

@Suite("A store in segments")
struct SegmentTests {
  @Test("it round-trips with every fact, every time and the same rows", arguments: [1, 2, 3])
  func roundTrip(seed: UInt64) throws {
    let store = try Self.randomStore(seed: seed)
    let copy = try Self.copy(of: store)
    #expect(copy.facts == store.facts)
    #expect(copy.moments == store.moments)
    #expect(copy.schema == store.schema)
    #expect(copy.transactionID == store.transactionID)
    #expect(copy.checkInvariants() == [])
    for entity in store.rows(of: "people").handles {
      #expect(copy.handle(of: store.id(of: entity)) == entity)
    }
  }

  @Test("a restored store applies transactions like the original")
  func goingOn() throws {
    var store = try Self.randomStore(seed: 4)
    var copy = try Self.copy(of: store)
    var random = RandomSteps(random: SeededGenerator(seed: 5))
    for round in 0..<40 {
      let transaction = random.transaction(of: store)
      let first = try? store.transact(transaction, at: Int64(round))
      let second = try? copy.transact(transaction, at: Int64(round))
      #expect((first == nil) == (second == nil), "round \(round)")
    }
    #expect(copy.facts == store.facts)
    #expect(copy.checkInvariants() == [])
  }

  @Test("a change does not affect unrelated segments")
  func sharing() throws {
    var store = TripleStore()
    let (id, n) = (AttributeID("id"), AttributeID("n"))
    store.addAttribute(Attribute(id: id, namespace: "a", label: "id"))
    store.addAttribute(Attribute(id: n, namespace: "a", label: "n"))
    for number in 0..<70_000 {
      let entity = store.makeEntity(EntityID(high: 1, low: UInt64(number)), in: "a")
      store.insert(.null, of: entity, id, at: 0)
      store.insert(.integer(Int64(number)), of: entity, n, at: 0)
    }
    let before = store
    store.insert(-1, of: EntityHandle(row: 3), n, at: 0)
    let changed = store.segmentKeys.filter { !store.sharesSegment($0, with: before) }
    #expect(changed == [SegmentKey(kind: .cells, column: 1, branch: 0)])
  }

  @Test("changed bytes are rejected or read as other data without a crash")
  func damage() throws {
    let store = try Self.randomStore(seed: 6)
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      var segments = Self.segments(of: store)
      let key = segments.keys.sorted { $0.name < $1.name }[random.below(segments.count)]
      var bytes = segments[key] ?? []
      switch random.below(3) {
      case 0: bytes.removeLast(random.below(bytes.count) + 1)
      case 1: bytes.append(contentsOf: [UInt8](repeating: 7, count: random.below(9) + 1))
      default:
        for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
      }
      segments[key] = bytes
      // Restored data must be readable.
      if let copy = try? Self.store(head: Self.head(of: store), segments) { _ = copy.facts }
    }
  }

  @Test("an invalid head is rejected", arguments: ["", "[]", "{}", #"{"transaction":-1}"#])
  func heads(_ text: String) {
    #expect(throws: SegmentFault.self) { try SegmentedStore(head: Array(text.utf8)) }
  }

  // MARK: There and back

  private static func randomStore(seed: UInt64) throws -> TripleStore {
    var random = RandomSteps(random: SeededGenerator(seed: seed))
    var store = try Company.store()
    for round in 0..<60 { _ = try? store.transact(random.transaction(of: store), at: Int64(round)) }
    try store.transact(Transaction([.deleteAttribute(Company.attributeID("people.born"))]))
    return store
  }

  private static func copy(of store: TripleStore) throws -> TripleStore {
    try Self.store(head: head(of: store), segments(of: store))
  }

  private static func head(of store: TripleStore) -> [UInt8] {
    JSONWriter.bytes(store.segmentHead)
  }

  private static func segments(of store: TripleStore) -> [SegmentKey: [UInt8]] {
    Dictionary(uniqueKeysWithValues: store.segmentKeys.map { ($0, store.segment($0)) })
  }

  private static func store(
    head: [UInt8], _ segments: [SegmentKey: [UInt8]]
  ) throws -> TripleStore {
    let reading = try SegmentedStore(head: head)
    return try reading.store(
      of: reading.parts.map { part in
        switch part {
        case .ids:
          try reading.load(
            part, cells: branches(.ids, 0, segments), texts: branches(.idTexts, 0, segments))
        case .column(let column):
          try reading.load(
            part, cells: branches(.cells, column, segments),
            texts: branches(.texts, column, segments))
        }
      })
  }

  private static func branches(
    _ kind: SegmentKey.Kind, _ column: Int, _ segments: [SegmentKey: [UInt8]]
  ) -> [[UInt8]] {
    let own = segments.filter { $0.key.kind == kind && $0.key.column == column }
    let count = (own.keys.map(\.branch).max() ?? -1) + 1
    return (0..<count).map {
      own[SegmentKey(kind: kind, column: column, branch: $0)] ?? []
    }
  }
}
