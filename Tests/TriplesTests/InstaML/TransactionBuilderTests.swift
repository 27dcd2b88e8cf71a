import Testing
import Triples

@Suite("Transactions from InstaML operations")
struct TransactionBuilderTests {
  private let store: TripleStore
  private let ana = InstaMLEntity(Company.ana)
  private let new = InstaMLEntity(Company.id(9))

  init() throws { store = try Company.store() }

  /// One line for each step, without the random ids of new attributes.
  private func lines(_ builder: TransactionBuilder, declared: Schema? = nil) throws -> [String] {
    var next: UInt64 = 0
    let transaction = try builder.transaction(in: store, declared: declared) {
      next += 1
      return EntityID("new-\(next)")
    }
    return transaction.steps.map { step in
      guard case .addAttribute(let attribute) = step else { return JSONWriter.text(step.json) }
      var words = ["\(attribute.name.namespace).\(attribute.label)", attribute.id.text]
      words.append("\(attribute.valueType) \(attribute.cardinality)")
      if let reverse = attribute.reverse { words.append("\(reverse.namespace).\(reverse.label)") }
      if attribute.isUnique { words.append("unique") }
      if attribute.isIndexed { words.append("indexed") }
      if let type = attribute.checkedType { words.append(type.rawValue) }
      if attribute.onDelete != nil { words.append("cascade") }
      if attribute.isUnsynced { words.append("unsynced") }
      return words.joined(separator: " ")
    }
  }

  @Test(
    "updates of existing entities require them; the id comes first, and an id value is ignored")
  func update() throws {
    var builder = TransactionBuilder()
    builder.update("people", ana, ["age": 31, "id": "other"])
    let a = Company.ana.text
    #expect(
      try lines(builder) == [
        #"["add-triple","\#(a)","attr:people.id","\#(a)",{"mode":"update"}]"#,
        #"["add-triple","\#(a)","attr:people.age",31,{"mode":"update"}]"#,
      ])
  }

  @Test(
    "an option determines whether an update creates an entity",
    arguments: [
      (nil, true, TransactionMode.update), (nil, false, .upsert), (true, true, .upsert),
      (false, false, .update),
    ] as [(Bool?, Bool, TransactionMode)])
  func upsert(wish: Bool?, exists: Bool, mode: TransactionMode) throws {
    var builder = TransactionBuilder()
    builder.update("people", exists ? ana : new, ["age": 1], upsert: wish)
    let steps = try builder.transaction(in: store).steps
    for step in steps {
      guard case .addTriple(_, _, _, let found) = step else { continue }
      #expect(found == mode)
    }
    #expect(steps.count == 2)
  }

  @Test("creating marks every step, merging merges, ruleParams change nothing")
  func others() throws {
    var builder = TransactionBuilder()
    builder.create("projects", new, ["title": "Gemini"])
    builder.merge("people", ana, ["nick": ["a": 1]])
    builder.delete("tasks", InstaMLEntity(Company.t1))
    builder.ruleParams("people", ana, ["secret": "x"])
    let (n, a) = (Company.id(9).text, Company.ana.text)
    #expect(
      try lines(builder) == [
        #"["add-triple","\#(n)","attr:projects.id","\#(n)",{"mode":"create"}]"#,
        #"["add-triple","\#(n)","attr:projects.title","Gemini",{"mode":"create"}]"#,
        #"["add-triple","\#(a)","attr:people.id","\#(a)",{"mode":"update"}]"#,
        #"["deep-merge-triple","\#(a)","attr:people.nick",{"a":1},{"mode":"update"}]"#,
        #"["delete-entity","\#(Company.t1)","tasks"]"#,
        #"["rule-params","\#(a)","people",{"secret":"x"}]"#,
      ])
  }

  @Test("a link is set and removed from either end")
  func links() throws {
    let (a, d) = (Company.ana.text, Company.dee.text)
    var builder = TransactionBuilder()
    builder.link("people", InstaMLEntity(Company.dee), "manager", [ana])
    builder.link("people", ana, "reports", [InstaMLEntity(Company.dee)])
    builder.unlink("people", ana, "reports", [InstaMLEntity(Company.dee)])
    #expect(
      try lines(builder) == [
        #"["add-triple","\#(d)","attr:people.manager","\#(a)"]"#,
        #"["add-triple","\#(d)","attr:people.manager","\#(a)"]"#,
        #"["retract-triple","\#(d)","attr:people.manager","\#(a)"]"#,
      ])
  }

  @Test("a lookup can be used for an entity anywhere")
  func lookups() throws {
    var builder = TransactionBuilder()
    builder.link(
      "people", .lookup("email", "eve@x.io"), "manager", [.lookup("email", "ana@x.io")])
    #expect(
      try lines(builder) == [
        #"["add-triple",["attr:people.email","eve@x.io"],"attr:people.id","#
          + #"["attr:people.email","eve@x.io"]]"#,
        #"["add-triple",["attr:people.email","eve@x.io"],"attr:people.manager","#
          + #"["attr:people.email","ana@x.io"]]"#,
      ])
    var store = store
    builder.update("people", .lookup("email", "eve@x.io"), ["name": "Eve"])
    try store.transact(builder.transaction(in: store))
    let eve = try #require(
      store.rows(Company.attributeID("people.email"), .equal("eve@x.io")).handles.first)
    #expect(store.value(eve, Company.attributeID("people.manager")) == .text(Company.ana.text))
  }

  @Test("new names become attributes, each once")
  func newAttributes() throws {
    var builder = TransactionBuilder()
    builder.update("planets", new, ["name": "Mars", "moons": 2])
    builder.link("planets", new, "rings", [InstaMLEntity(Company.id(8))])
    builder.update("planets", .lookup("code", "m1"), ["name": "Moon"])
    builder.update("planets", .lookup("star.id", .text(Company.id(7).text)), ["name": "Sun"])
    #expect(
      try lines(builder).prefix(6) == [
        "planets.code new-1 blob one unique indexed unsynced",
        "planets.star new-3 ref one star.planets unique indexed unsynced",
        "planets.id new-6 blob one unique unsynced",
        "planets.name new-8 blob one unsynced",
        "planets.moons new-10 blob one unsynced",
        "planets.rings new-12 ref many rings.planets unsynced",
      ])
    var store = store
    try store.transact(builder.transaction(in: store))
    #expect(store.count(of: "planets") == 3)
    // The store confirms attributes.
    #expect(store.schema.attribute("planets", "name")?.isUnsynced == false)
    var again = TransactionBuilder()
    again.update("planets", new, ["name": "Red one"])
    #expect(try again.transaction(in: store).steps.count == 2)
  }

  @Test("an unconfirmed attribute is part of each transaction that uses it")
  func unsynced() throws {
    var ahead = store
    var builder = TransactionBuilder()
    builder.update("planets", new, ["name": "Mars"])
    try ahead.transact(builder.transaction(in: ahead), rules: .optimistic)
    let known = try #require(ahead.schema.attribute("planets", "name"))
    #expect(try builder.transaction(in: ahead).steps.contains(.addAttribute(known)))
  }

  /// The company's schema, extended by pets with a link to people.
  private static let declared = Schema(
    Company.schema + [
      Attribute(id: AttributeID("p1"), namespace: "pets", label: "id"),
      Attribute(id: AttributeID("p2"), namespace: "pets", label: "name", constraints: .indexed).with
      { $0.checkedType = .string },
      Attribute(
        id: AttributeID("p3"), namespace: "pets", label: "owner",
        reverse: .init(namespace: "people", label: "pets"), valueType: .ref, cardinality: .one
      ).with { $0.onDelete = .cascade },
    ])

  @Test("a declared schema defines new attributes, from either end of a link")
  func declaredAttributes() throws {
    var builder = TransactionBuilder()
    builder.create("pets", new, ["name": "Rex"])
    builder.link("people", ana, "pets", [new])
    let lines = try lines(builder, declared: Self.declared)
    #expect(
      lines.prefix(3) == [
        "pets.id new-1 blob one unique unsynced",
        "pets.name new-3 blob one indexed string unsynced",
        "pets.owner new-5 ref one people.pets cascade unsynced",
      ])
    #expect(lines.last == #"["add-triple","\#(Company.id(9))","new-5","\#(Company.ana)"]"#)
  }

  @Test(
    "violations of a declared schema are rejected with the reference's messages",
    arguments: [
      (
        #"["update","nope","ID",{"a":1}]"#,
        "Entity 'nope' does not exist in schema. "
          + "Available entities: people, desks, projects, tasks, pets"
      ),
      (
        #"["update","people","ana",{"age":1}]"#,
        "Invalid id for entity 'people'. Expected a UUID, but received: ana"
      ),
      (
        #"["update","people","ID",{"age":"5"}]"#,
        "Invalid value for attribute 'age' in entity 'people'. Expected number, but received: string"
      ),
      (
        #"["merge","people","ID",{"age":{"a":1}}]"#,
        "Invalid value for attribute 'age' in entity 'people'. Expected number, but received: object"
      ),
      (
        #"["create","people","ID",{"born":true}]"#,
        "Invalid value for attribute 'born' in entity 'people'. Expected date, but received: boolean"
      ),
      (
        #"["update","people","ID","x"]"#,
        "Arguments for data operation on entity 'people' must be an object, but received: string"
      ),
      (
        #"["link","people","ID",7]"#,
        "Arguments for link operation on entity 'people' must be an object, but received: number"
      ),
      (
        #"["link","desks","ID",{"chair":"ID"}]"#,
        "Link 'chair' does not exist on entity 'desks'. Available links: owner"
      ),
      (
        #"["unlink","people","ID",{"manager":"ana"}]"#,
        "Invalid UUID in link 'manager' for entity 'people'. Expected a UUID, but received: ana"
      ),
      (
        #"["link","people","ID",{"reports":["ID","ana"]}]"#,
        "Invalid entity ID in link 'reports' for entity 'people'. "
          + "Expected a UUID or a lookup, but received: ana"
      ),
      (
        #"["update","pets","ID",{"colour":"red"}]"#, "pets.colour does not exist in your schema"
      ),
      (#"["update","people",["age",7],{"nick":"x"}]"#, "age is not a unique attribute."),
      (
        #"["update","people",["manager.id","ID"],{"nick":"x"}]"#,
        "manager.id is not a unique attribute."
      ),
      (
        #"["update","people",["manager.name","x"],{"nick":"x"}]"#,
        "manager.name is not a valid lookup attribute."
      ),
      (
        #"["update","people",["age.id","x"],{"nick":"x"}]"#,
        "age.id does not reference a valid link attribute."
      ),
      (#"["update","people","ID",{"born":"soon"}]"#, "Unable to parse `soon` as a date."),
    ])
  func refusals(text: String, sentence: String) throws {
    let json = try JSONReader.value(
      of: text.split(separator: "ID").joined(separator: Company.ana.text))
    let error = #expect(throws: InstaMLError.self) {
      try TransactionBuilder(json: json).transaction(
        in: store, declared: Self.declared, readsDates: true)
    }
    #expect(error?.message == sentence)
  }
}
