import DataSourcesTesting
import TestSupport
package import Triples

/// Random people who report to each other and are members of clubs.
package struct PeopleAndClubs {
  package static let people = 10
  package static let clubs = 3
  package private(set) var store = TripleStore()

  package static func id(_ number: Int) -> EntityID {
    EntityID("5a000000-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)")
  }

  /// Queries with every kind of condition, order, page and relation.
  package static let queries: [Value] = [
    ["people": [:]],
    ["people": ["$": ["where": ["name": "p3"]]]],
    ["people": ["$": ["where": ["age": ["$gt": 30]], "order": ["age": "desc"], "limit": 3]]],
    ["people": ["$": ["order": ["age": "asc"], "limit": 3, "offset": 2]]],
    ["people": ["$": ["order": ["serverCreatedAt": "desc"], "first": 4, "offset": 1]]],
    ["people": ["$": ["last": 4]]],
    ["people": ["$": ["fields": ["name"]], "manager": [:]]],
    ["people": ["$": ["limit": 2], "manager": ["manager": [:]], "reports": [:]]],
    ["people": ["$": ["where": ["manager": ["$isNull": true]]], "reports": [:]]],
    ["people": ["$": ["where": ["manager.age": ["$isNull": true]]]]],
    ["people": ["$": ["where": ["manager.age": ["$isNull": false]]]]],
    ["clubs": ["$": ["where": ["people.manager.name": ["$isNull": false]]]]],
    ["people": ["$": ["where": ["reports.name": ["$not": "p3"]]]]],
    ["people": ["$": ["where": ["manager.manager.name": "p1"]], "manager": [:]]],
    ["people": ["$": ["where": ["manager.id": ["$in": [Value.text(PeopleAndClubs.id(1).text)]]]]]],
    ["people": ["$": ["where": ["reports": ["$isNull": true]]], "manager": ["reports": [:]]]],
    ["people": ["$": ["where": ["or": [["name": "p1"], ["clubs.title": "c2"]]]], "clubs": [:]]],
    ["people": ["$": ["where": ["and": [["age": ["$lt": 50]], ["clubs.title": "c1"]]]]]],
    ["people": ["$": ["where": ["clubs.title": "c1", "clubs.open": true]]]],
    ["people": ["clubs": ["$": ["where": ["open": true]], "people": [:]]]],
    ["people": ["clubs": ["$": ["where": ["people.name": "p2"]]]]],
    ["people": ["reports": ["$": ["where": ["age": ["$isNull": true]]]], "clubs": [:]]],
    ["clubs": ["people": ["$": ["order": ["age": "asc"]], "manager": [:]]]],
    ["clubs": ["$": ["where": ["people.manager.name": "p1"]]]],
    ["clubs": ["$": ["where": ["open": ["$not": true]]], "people": ["clubs": [:]]]],
    ["clubs": [:], "people": ["$": ["where": ["clubs.open": true], "limit": 2]]],
    ["people": ["$": ["where": ["name": ["$like": "%1%"]]]]],
    ["nothing": [:]],
    ["people": ["$": ["where": ["unknown": 1]]]],
  ]

  private static let attributes = [
    Attribute(id: AttributeID("p-id"), namespace: "people", label: "id", constraints: .unique),
    Attribute(id: AttributeID("p-name"), namespace: "people", label: "name", constraints: .indexed),
    Attribute(id: AttributeID("p-age"), namespace: "people", label: "age", constraints: .indexed),
    Attribute(
      id: AttributeID("p-manager"), namespace: "people", label: "manager",
      reverse: .init(namespace: "people", label: "reports"), valueType: .ref),
    Attribute(
      id: AttributeID("p-clubs"), namespace: "people", label: "clubs",
      reverse: .init(namespace: "clubs", label: "people"), valueType: .ref, cardinality: .many),
    Attribute(id: AttributeID("c-id"), namespace: "clubs", label: "id", constraints: .unique),
    Attribute(id: AttributeID("c-title"), namespace: "clubs", label: "title"),
    Attribute(id: AttributeID("c-open"), namespace: "clubs", label: "open"),
  ]

  package init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for attribute in Self.attributes { store.addAttribute(attribute) }
    func add(_ number: Int, _ attribute: String, _ value: Value) {
      let id = AttributeID(attribute)
      let namespace = attribute.hasPrefix("p") ? "people" : "clubs"
      let entity = store.makeEntity(Self.id(number), in: namespace)
      store.insert(value, of: entity, id, at: Int64(number * 10 + random.below(9)))
    }
    for number in 0..<Self.people {
      add(number, "p-id", .text(Self.id(number).text))
      add(number, "p-name", .text("p\(number)"))
      if random.below(4) > 0 { add(number, "p-age", .integer(Int64(20 + random.below(60)))) }
      if random.below(3) > 0 {
        add(number, "p-manager", .text(Self.id(random.below(Self.people)).text))
      }
      for club in 0..<Self.clubs where random.below(2) == 0 {
        add(number, "p-clubs", .text(Self.id(50 + club).text))
      }
    }
    for club in 0..<Self.clubs {
      add(50 + club, "c-id", .text(Self.id(50 + club).text))
      add(50 + club, "c-title", .text("c\(club)"))
      if random.below(2) == 0 { add(50 + club, "c-open", .bool(random.below(2) == 0)) }
    }
  }
}
