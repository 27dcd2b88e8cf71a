import Testing
import Triples

@Suite("Long lists")
struct LongListTests {
  private static let link = AttributeID("link")
  private static let list = AttributeID("list")

  private func store() -> TripleStore {
    var store = TripleStore()
    store.addAttribute(
      Attribute(
        id: Self.link, namespace: "a", label: "link", reverse: .init(namespace: "b", label: "a"),
        valueType: .ref, cardinality: .many))
    store.addAttribute(
      Attribute(id: Self.list, namespace: "a", label: "list", cardinality: .many))
    return store
  }

  @Test("a list that grew and shrank again contains each item once")
  func growAndShrink() {
    var store = store()
    var did: Bool
    let hub = store.makeEntity(EntityID("hub"), in: "a")
    let ends = (0..<1_000).map { store.makeEntity(EntityID("end\($0)"), in: "b") }
    for round in 0..<2 {
      for (number, end) in ends.enumerated() {
        did = store.insert(target: end, of: hub, Self.link, at: 1) == (round == 0)
        #expect(did)
        did = store.insert(.integer(Int64(number)), of: hub, Self.list, at: 1) == (round == 0)
        #expect(did)
      }
    }
    for (number, end) in ends.enumerated() where number % 10 != 0 {
      did = store.retract(target: end, of: hub, Self.link)
      #expect(did)
      did = store.retract(.integer(Int64(number)), of: hub, Self.list)
      #expect(did)
      did = store.retract(target: end, of: hub, Self.link)
      #expect(!did)
    }
    #expect(store.values(hub, Self.list) == (0..<100).map { .integer($0 * 10) })
    #expect(store.values(hub, Self.link).count == 100)
    did = store.insert(target: ends[1], of: hub, Self.link, at: 1)
    #expect(did)
    did = store.insert(target: ends[1], of: hub, Self.link, at: 1)
    #expect(!did)
    #expect(store.checkInvariants() == [])
  }

  @Test("a list of ten thousand links is filled quickly", .timeLimit(.minutes(10)))
  func longList() {
    var store = store()
    let hub = store.makeEntity(EntityID("hub"), in: "a")
    for number in 0..<10_000 {
      let end = store.makeEntity(high: 1, low: UInt64(number), in: "b")
      store.insert(target: end, of: hub, Self.link, at: 1)
      store.insert(.integer(Int64(number)), of: hub, Self.list, at: 1)
    }
    #expect(store.values(hub, Self.link).count == 10_000)
  }
}
