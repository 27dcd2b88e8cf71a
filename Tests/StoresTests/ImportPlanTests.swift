import Foundation
import Stores
import Testing
import Triples

@Suite("Import plan")
struct ImportPlanTests {
  private static func read(
    _ text: String, as name: String = "people.csv", into earlier: TripleStore = TripleStore()
  ) throws -> FileReading {
    let reading = try Dataset.read(
      [(name, Array(text.utf8))], DatasetOptions(identity: .content(earlier: earlier)))
    return FileReading(reading)
  }

  private static func plan(
    _ text: String, into store: TripleStore, updateBy column: String? = nil
  ) throws -> ImportPlan {
    let reading = try read(text)
    return try ImportPlan(
      reading.store, contentRows: reading.contentRows, into: store, updateBy: column)
  }

  private static func names(_ store: TripleStore) throws -> [String] {
    let name = try #require(store.schema.attribute("people", "name"))
    let mail = try #require(store.schema.attribute("people", "mail"))
    return store.rows(of: "people").handles.map {
      "\(store.value($0, name.id)?.textValue ?? "-") \(store.value($0, mail.id)?.textValue ?? "-")"
    }.sorted()
  }

  private static let people = "name,mail\nAnn,a@x\nBob,b@x\nCem,\n"

  @Test("a repeated import has no effect and keeps edits")
  func again() throws {
    var store = try Self.read(Self.people).store
    var plan = try Self.plan(Self.people, into: store)
    #expect(plan.transaction.steps.isEmpty)
    #expect(plan.tallies["people"]?.unchanged == 3)
    let name = try #require(store.schema.attribute("people", "name"))
    let first = try #require(store.rows(of: "people").handles.first)
    try store.transact(
      Transaction([.addTriple(.id(store.id(of: first)), name.id, "Edited")]))
    plan = try Self.plan("name,mail\nNew,n@x\nAnn,a@x\nBob,b@x\nCem,\n", into: store)
    #expect(plan.tallies["people"]?.new == 1 && plan.tallies["people"]?.unchanged == 3)
    try store.transact(plan.transaction)
    #expect(try Self.names(store) == ["Bob b@x", "Cem -", "Edited a@x", "New n@x"])
  }

  @Test("rows are matched by a column, and those without a value are new")
  func matching() throws {
    var store = try Self.read(Self.people).store
    let plan = try Self.plan(
      "mail,name,age\na@x,Anna,7\nd@x,Dan,8\n,Cem,9\nd@x,Dana,8\n", into: store, updateBy: "mail")
    let tally = try #require(plan.tallies["people"])
    #expect(tally.new == 2 && tally.changed == 2 && tally.unchanged == 0)
    #expect(
      plan.remarks == ["people: 1 row without mail was imported as a new entity."])
    try store.transact(plan.transaction)
    #expect(try Self.names(store) == ["Anna a@x", "Bob b@x", "Cem -", "Cem -", "Dana d@x"])
    #expect(store.checkInvariants().isEmpty)
  }

  @Test("a row is skipped if several entities have its value")
  func ambiguous() throws {
    let store = try Self.read("name,mail\nAnn,a@x\nAnna,a@x\nBob,b@x\n").store
    let plan = try Self.plan("name,mail\nEve,a@x\nBo,b@x\n", into: store, updateBy: "mail")
    let tally = try #require(plan.tallies["people"])
    #expect(tally.leftOut == 1 && tally.changed == 1 && tally.new == 0)
    #expect(
      plan.remarks == [
        "people: 1 row was skipped because several entities in the store have the same mail."
      ])
  }

  @Test("no entity with the column is an error that names it")
  func noColumn() throws {
    let error = #expect(throws: ImportError.self) {
      try Self.plan(Self.people, into: TripleStore(), updateBy: "phone")
    }
    #expect(error?.message.contains("phone") == true)
  }

  @Test("links follow entities that are matched")
  func links() throws {
    let schema = """
      {"links": {"l": {"forward": {"on": "people", "label": "boss", "has": "one"},
        "reverse": {"on": "people", "label": "staff", "has": "many"}}}}
      """
    func read(_ rows: String) throws -> TripleStore {
      try Dataset.read([
        ("schema.json", Array(schema.utf8)), ("people.csv", Array(rows.utf8)),
      ]).store
    }
    var store = try read("id,mail,boss\n1,a@x,\n2,b@x,1\n")
    let plan = try ImportPlan(
      read("id,mail,boss\n7,a@x,\n8,c@x,7\n"), into: store, updateBy: "mail")
    try store.transact(plan.transaction)
    let link = try #require(store.schema.link("people", "boss"))
    let mail = try #require(store.schema.attribute("people", "mail"))
    let third = try #require(
      store.rows(of: "people").handles.first { store.value($0, mail.id) == "c@x" })
    let boss = try #require(store.targets(third, link).first)
    #expect(store.value(boss, mail.id) == "a@x")
    #expect(store.count(of: "people") == 3)
  }

  @Test("values of another type change the attribute, with a remark")
  func loosening() throws {
    var store = try Self.read("name,age\nAnn,7\n").store
    let plan = try Self.plan("name,age\nBob,old\n", into: store)
    try store.transact(plan.transaction)
    let age = try #require(store.schema.attribute("people", "age"))
    #expect(age.checkedType == nil)
    #expect(Set(store.rows(of: "people").handles.map { store.value($0, age.id) }) == [7, "old"])
    #expect(plan.remarks.count == 1)
  }

  @Test("rows without ids are not shared between files")
  func twoFiles() throws {
    let first = try Self.read(Self.people).store
    let second = try Self.read("name,mail\nAnn,a@x\nDan,d@x\n", into: first).store
    var both = first
    try both.transact(Transaction(importing: second, into: first))
    #expect(both.count(of: "people") == 5)
  }
}
