import Testing
import Triples

struct ChangedTypeTests {
  @Test("texts that become checked texts are ordered by collation immediately")
  func reordering() {
    var store = TripleStore()
    let id = Attribute(id: AttributeID("id"), namespace: "people", label: "id")
    var name = Attribute(id: AttributeID("name"), namespace: "people", label: "name")
    store.addAttribute(id)
    store.addAttribute(name)
    let names = ["Zoë", "ana", "Émile", "Bo"] + (0..<200).map { "x\($0)" }
    for (place, text) in names.enumerated() {
      let entity = store.makeEntity(EntityID("e\(place)"), in: "people")
      store.insert(.text("e\(place)"), of: entity, id.id, at: 1)
      store.insert(.text(text), of: entity, name.id, at: 1)
    }
    func first(_ count: Int) -> [Value?] {
      store.top(count, of: store.rows(of: "people"), orderedBy: [RowOrder(.attribute(name.id))])
        .map { store.value($0, name.id) }
    }
    for _ in 0..<4 { #expect(first(3) == ["Bo", "Zoë", "ana"]) }
    name.checkedType = .string
    store.addAttribute(name)
    #expect(first(3) == ["ana", "Bo", "Émile"])
  }
}
