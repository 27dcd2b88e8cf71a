import InstaQL
import Sync
import Testing
import Triples

/// What a client finds in the rows of an answer, asked the same there.
private func answers(
  _ query: Value, in store: TripleStore
) throws -> (here: String, there: String, rows: JoinRows) {
  let document = try QueryDocument(instaQL: query, reading: .reference)
  let answers = try document.plans.map { try QueryEngine.answer($0, in: store) }
  let written = try WrittenResult(answers, as: .joinRows)
  let text = MessageCoding.text(ServerEnvelope(.queryAdded(query, .written(written), processed: 1)))
  guard
    case .queryAdded(_, .joinRows(let rows), _)? =
      try MessageCoding.serverMessages(in: text).first?.message
  else { throw MessageFault(reason: "no rows") }
  var copy = TripleStore()
  for attribute in store.schema.attributes { copy.addAttribute(attribute) }
  for row in rows.rows {
    let namespace = store.schema.attribute(row.attribute)?.namespace ?? ""
    let entity = copy.makeEntity(row.entity, in: namespace)
    copy.insert(row.value, of: entity, row.attribute, at: row.createdAt)
  }
  var options = QueryOptions.standard
  options.paging = .served(rows.pages)
  let there = try document.plans.map { plan in
    try QueryEngine.answer(try QueryEngine.prepare(plan, copy.schema, options: options), in: copy)
  }
  return (
    try WrittenResult.tree(answers),
    try WrittenResult.tree(
      there.filter { !$0.plan.isCount }
        + there.filter(\.plan.isCount)), rows
  )
}

@Suite("The rows of an answer")
struct JoinRowsWriterTests {
  static let queries: [Value] = [
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
    ["people": ["$": ["where": ["reports.name": ["$not": "p3"]]]]],
    ["people": ["$": ["where": ["manager.manager.name": "p1"]], "manager": [:]]],
    ["people": ["$": ["where": ["manager.id": ["$in": [Value.text(World.id(1).text)]]]]]],
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

  @Test("lead a client's own engine to the same answer", arguments: [UInt64](1...8))
  func sameAnswer(_ seed: UInt64) throws {
    let store = World(seed: seed).store
    for query in Self.queries {
      let (here, there, _) = try answers(query, in: store)
      #expect(here == there, "seed \(seed), \(JSONWriter.text(query))")
    }
  }

  @Test("hold no triple twice, and none that the store does not hold", arguments: Self.queries)
  func sound(_ query: Value) throws {
    let store = World(seed: 5).store
    let (_, _, rows) = try answers(query, in: store)
    #expect(Set(rows.rows).count == rows.rows.count)
    for row in rows.rows {
      let entity = try #require(store.handle(of: row.entity))
      #expect(store.values(entity, row.attribute).contains(row.value))
    }
  }

  @Test("are none when only the number was asked for")
  func counted() throws {
    let (_, _, rows) = try answers(
      ["people": ["$": ["aggregate": "count"]]], in: World(seed: 1).store)
    #expect(rows == JoinRows(counts: ["people": World.people]))
  }

  @Test("say where a page lies")
  func page() throws {
    let (_, _, rows) = try answers(
      ["people": ["$": ["order": ["name": "asc"], "limit": 2]]], in: World(seed: 1).store)
    let info = try #require(rows.pages["people"])
    #expect(info.hasNext && !info.hasPrevious)
    #expect(info.start?.value == "p0" && info.end?.value == "p1")
  }
}

/// People who report to one another and meet in clubs, at random.
private struct World {
  static let people = 10
  static let clubs = 3
  private(set) var store = TripleStore()

  static func id(_ number: Int) -> EntityID {
    EntityID("5a000000-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)")
  }

  private static let attributes = [
    Attribute(id: AttributeID("p-id"), namespace: "people", label: "id", isUnique: true),
    Attribute(id: AttributeID("p-name"), namespace: "people", label: "name", isIndexed: true),
    Attribute(id: AttributeID("p-age"), namespace: "people", label: "age", isIndexed: true),
    Attribute(
      id: AttributeID("p-manager"), namespace: "people", label: "manager",
      reverse: .init(namespace: "people", label: "reports"), valueType: .ref),
    Attribute(
      id: AttributeID("p-clubs"), namespace: "people", label: "clubs",
      reverse: .init(namespace: "clubs", label: "people"), valueType: .ref, cardinality: .many),
    Attribute(id: AttributeID("c-id"), namespace: "clubs", label: "id", isUnique: true),
    Attribute(id: AttributeID("c-title"), namespace: "clubs", label: "title"),
    Attribute(id: AttributeID("c-open"), namespace: "clubs", label: "open"),
  ]

  init(seed: UInt64) {
    var chance = Chance(state: seed)
    for attribute in Self.attributes { store.addAttribute(attribute) }
    func add(_ number: Int, _ attribute: String, _ value: Value) {
      let id = AttributeID(attribute)
      let namespace = attribute.hasPrefix("p") ? "people" : "clubs"
      let entity = store.makeEntity(Self.id(number), in: namespace)
      store.insert(value, of: entity, id, at: Int64(number * 10 + chance.next(9)))
    }
    for number in 0..<Self.people {
      add(number, "p-id", .text(Self.id(number).text))
      add(number, "p-name", .text("p\(number)"))
      if chance.next(4) > 0 { add(number, "p-age", .integer(Int64(20 + chance.next(60)))) }
      if chance.next(3) > 0 {
        add(number, "p-manager", .text(Self.id(chance.next(Self.people)).text))
      }
      for club in 0..<Self.clubs where chance.next(2) == 0 {
        add(number, "p-clubs", .text(Self.id(50 + club).text))
      }
    }
    for club in 0..<Self.clubs {
      add(50 + club, "c-id", .text(Self.id(50 + club).text))
      add(50 + club, "c-title", .text("c\(club)"))
      if chance.next(2) == 0 { add(50 + club, "c-open", .bool(chance.next(2) == 0)) }
    }
  }
}

/// Numbers that are the same for the same seed.
private struct Chance {
  var state: UInt64

  mutating func next(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
