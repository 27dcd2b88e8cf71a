import ConformanceSupport
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
    try WrittenResult.tree(answers, options: nil),
    try WrittenResult.tree(
      there.filter { !$0.plan.isCount }
        + there.filter(\.plan.isCount), options: nil), rows
  )
}

@Suite("Join rows of an answer")
struct JoinRowsWriterTests {
  @Test("give the same answer in a client's engine", arguments: [UInt64](1...8))
  func sameAnswer(_ seed: UInt64) throws {
    let store = PeopleAndClubs(seed: seed).store
    for query in PeopleAndClubs.queries {
      let (here, there, _) = try answers(query, in: store)
      #expect(here == there, "seed \(seed), \(JSONWriter.text(query))")
    }
  }

  @Test(
    "contain each triple once, and only triples of the store", arguments: PeopleAndClubs.queries)
  func sound(_ query: Value) throws {
    let store = PeopleAndClubs(seed: 5).store
    let (_, _, rows) = try answers(query, in: store)
    #expect(Set(rows.rows).count == rows.rows.count)
    for row in rows.rows {
      let entity = try #require(store.handle(of: row.entity))
      #expect(store.values(entity, row.attribute).contains(row.value))
    }
  }

  @Test("include members for tests of missing values")
  func membersOnTheWay() throws {
    let (_, _, rows) = try answers(
      ["people": ["$": ["where": ["manager.age": ["$isNull": false]]]]],
      in: PeopleAndClubs(seed: 1).store)
    let managers = rows.rows.filter { $0.attribute.text == "p-manager" }.map(\.value)
    let members = rows.rows.filter { $0.attribute.text == "p-id" }.map(\.value)
    #expect(!managers.isEmpty && Set(managers).isSubset(of: members))
  }

  @Test("are empty for a count")
  func counted() throws {
    let (_, _, rows) = try answers(
      ["people": ["$": ["aggregate": "count"]]], in: PeopleAndClubs(seed: 1).store)
    #expect(rows == JoinRows(counts: ["people": PeopleAndClubs.people]))
  }

  @Test("contain page info")
  func page() throws {
    let (_, _, rows) = try answers(
      ["people": ["$": ["order": ["name": "asc"], "limit": 2]]], in: PeopleAndClubs(seed: 1).store)
    let info = try #require(rows.pages["people"])
    #expect(info.hasNext && !info.hasPrevious)
    #expect(info.start?.value == "p0" && info.end?.value == "p1")
  }
}
