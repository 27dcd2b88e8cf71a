import Testing
import Triples

@Suite("Changing a store")
struct TransactTests {
  private let store: TripleStore

  init() throws { store = try Company.store() }

  @Test("a value replaces the previous one and keeps the triple's creation time")
  func replace() throws {
    var store = store
    let ana = try #require(store.handle(of: Company.ana))
    let changes = try store.transact(
      Transaction([Company.set(Company.ana, "people.age", 31)]), at: 500)
    #expect(store.read(Company.ana, "people.age") == [31])
    #expect(store.createdAt(ana, Company.attributeID("people.age")) == 100)
    #expect(
      changes.changes == [
        .init(entity: ana, attribute: Company.attributeID("people.age"), old: 30, new: 31)
      ])
    #expect(!changes.schemaChanged)
  }

  @Test("a value that is changed and restored is not a change")
  func changedBack() throws {
    var store = store
    let changes = try store.transact(
      Transaction([
        Company.set(Company.ana, "people.age", 31), Company.set(Company.ana, "people.age", 30),
      ]))
    #expect(changes.isEmpty)
  }

  @Test("a value that is nested too deeply for messages is rejected")
  func depth() throws {
    var store = store
    var deep: Value = 1
    for level in 0..<125 { deep = level % 2 == 0 ? .array([deep]) : ["in": deep] }
    try store.transact(Transaction([Company.set(Company.ana, "people.nick", deep)]))
    let facts = store.facts
    for step in [
      Company.set(Company.ana, "people.nick", .array([1, deep])),
      .deepMergeTriple(.id(Company.ana), Company.attributeID("people.nick"), ["a": deep]),
    ] {
      let error = #expect(throws: TransactionError.self) {
        try store.transact(Transaction([step]))
      }
      #expect(
        error?.message
          == "The value of people.nick is nested too deeply. Lists and objects can be nested at "
          + "most 125 levels deep.")
    }
    #expect(store.facts == facts)
  }

  @Test("a transaction that fails at its end changes nothing")
  func allOrNothing() throws {
    var store = store
    let facts = store.facts
    #expect(throws: TransactionError.self) {
      try store.transact(
        Transaction([
          Company.set(Company.id(9), "people.id", Company.id(9)),
          Company.set(Company.id(9), "people.name", "New"),
          .deleteEntity(.id(Company.ana), namespace: "people"),
          Company.set(Company.dee, "people.age", "old"),
        ]))
    }
    #expect(store.facts == facts)
    #expect(store.transactionID == self.store.transactionID)
    #expect(store.checkInvariants() == [])
  }

  @Test("restored entities keep their creation times", arguments: [Company.ana, Company.apollo])
  func undoneAge(entity: EntityID) throws {
    var store = store
    try store.transact(
      Transaction([Company.set(Company.t1, "tasks.assignees", Company.dee)]), at: 300)
    let moments = store.moments
    let changes = try store.transact(
      Transaction([.deleteEntity(.id(entity), namespace: nil)]), at: 500)
    #expect(store.moments != moments)
    try store.transact(Transaction(undoing: changes, in: store), at: 900)
    #expect(store.moments == moments)
  }

  @Test("an indexed value that is removed in the same transaction leaves no null")
  func takenAwayAtOnce() throws {
    var store = store
    let new = Company.id(9)
    try store.transact(
      Transaction([
        Company.set(new, "people.id", new), Company.set(new, "people.name", "New"),
        .retractTriple(.id(new), Company.attributeID("people.age"), .null),
      ]))
    #expect(store.read(new, "people.age") == [])
    #expect(store.read(new, "people.email") == [.null])
  }

  private static let refusals: [(TransactionStep, String)] = [
    (
      Company.set(Company.ana, "people.age", "old"),
      "Invalid value type for people.age. Value must be a number "
        + "but the provided value type is string."
    ),
    (
      Company.set(Company.ana, "people.born", "soon"),
      "Invalid value for people.born. Unable to parse `soon` as a date."
    ),
    (
      Company.set(Company.ana, "people.born", "2025-02-30"),
      "Invalid value for people.born. Unable to parse `2025-02-30` as a date."
    ),
    (
      Company.set(Company.ana, "people.born", .integer(.max)),
      "Invalid value for people.born. 9223372036854775807 milliseconds since 1970 is outside "
        + "the range of dates."
    ),
    (
      Company.set(Company.bo, "people.email", "ana@x.io"),
      "`email` is a unique attribute on `people` and an entity already exists with "
        + "`people.email` = \"ana@x.io\""
    ),
    (
      Company.set(Company.bo, "people.email", .text(String(repeating: "x", count: 1_025))),
      "Value is too large for a unique attribute. people.email may have at most 1024 bytes; this "
        + "value has 1025."
    ),
    (
      Company.set(Company.id(9), "people.id", Company.id(9)),
      "Missing required attribute `people/name`: \(Company.id(9))"
    ),
    (
      Company.set(Company.ana, "people.name", .null),
      "Missing required attribute `people/name`: \(Company.ana)"
    ),
    (
      .retractTriple(.id(Company.ana), Company.attributeID("people.name"), "Ana"),
      "Missing required attribute `people/name`: \(Company.ana)"
    ),
    (
      Company.set(EntityID("ana"), "people.name", "Ana"),
      "Invalid entity ID 'ana'. Entity IDs must be UUIDs. "
        + "Use id() or lookup() to generate a valid UUID."
    ),
    (
      Company.set(Company.bo, "people.manager", "ana"),
      "Linked value must be a valid uuid. people.manager is a link, so its value must be an entity's id."
    ),
    (
      Company.set(Company.bo, "people.manager", 7),
      "Linked value must be a valid uuid. people.manager is a link, so its value must be an entity's id."
    ),
    (
      Company.set(Company.ana, "people.name", "A", .create),
      "Validation failed for tx-step: Creating entities that exist: \(Company.ana)"
    ),
    (
      Company.set(Company.id(9), "people.name", "A", .update),
      "Validation failed for tx-step: Updating entities that don't exist: \(Company.id(9))"
    ),
    (
      .deepMergeTriple(.id(Company.bo), Company.attributeID("people.manager"), [:]),
      "merge operation is not supported for links, and people.manager is a link."
    ),
    (
      .addTriple(
        .lookup(Company.attributeID("people.nick"), "x"), Company.attributeID("people.age"), 1),
      "people.nick is not a unique attribute, so no entity can be looked up by it."
    ),
    (
      .addTriple(
        .id(Company.bo), Company.attributeID("people.manager"), ["attr:people.email", "no@x.io"]),
      "No entity has `people.email` = \"no@x.io\", so nothing can be linked to it."
    ),
    (
      .addTriple(.id(Company.bo), AttributeID("nowhere"), 1),
      "There is no attribute with the id nowhere."
    ),
    (
      .addAttribute(Attribute(id: AttributeID("new"), namespace: "people", label: "age")),
      "`age` already exists on `people`"
    ),
    (
      .addAttribute(Attribute(id: AttributeID("new"), namespace: "people", label: "reports")),
      "`reports` already exists on `people`"
    ),
    (
      .updateAttribute(Company.attributeID("people.nick"), ["cardinality": "few"]),
      "The change of the attribute is invalid: attribute attr:people.nick: 'cardinality' cannot be few."
    ),
    (
      .updateAttribute(Company.attributeID("people.nick"), ["required?": true]),
      "Missing required attributes `people/nick`: "
        + "\(Company.ana), \(Company.bo), \(Company.cy), \(Company.dee)"
    ),
    (
      .updateAttribute(Company.attributeID("people.age"), ["checked-data-type": "string"]),
      "Invalid value type for people.age. Value must be a string "
        + "but the provided value type is number."
    ),
    (
      .restoreAttribute(Company.attributeID("people.nick")),
      "There is no deleted attribute with the id attr:people.nick."
    ),
  ]

  @Test("each entity without a required value is named once, and at most ten are")
  func missingRequired() {
    let new = (20..<32).map(Company.id)
    let steps =
      new.map { Company.set($0, "people.id", $0) }
      + new.map { Company.set($0, "people.name", .null) }
    var store = store
    let error = #expect(throws: TransactionError.self) {
      try store.transact(Transaction(steps))
    }
    guard case .missingRequired(_, let ids)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(ids.count == new.count && Set(ids) == Set(new))
    #expect(error?.message.hasPrefix("Missing required attributes `people/name`: ") == true)
    #expect(error?.message.hasSuffix(", \(ids[9].text) and 2 others") == true)
  }

  @Test("violations are rejected with a message", arguments: refusals)
  func refused(step: TransactionStep, sentence: String) {
    var store = store
    let facts = store.facts
    let error = #expect(throws: TransactionError.self) {
      try store.transact(Transaction([step]))
    }
    #expect(error?.message == sentence)
    #expect(store.facts == facts)
  }

  @Test("undoing restores a date that does not exist, which loaded data may contain")
  func undoneDate() throws {
    var store = store
    try store.transact(
      Transaction([Company.set(Company.ana, "people.born", "2025-02-30")]), rules: .optimistic)
    let changes = try store.transact(
      Transaction([Company.set(Company.ana, "people.born", "2025-03-01")]))
    var undo = Transaction(undoing: changes, in: store)
    undo.undoing = MutationID()
    try store.transact(undo)
    #expect(store.read(Company.ana, "people.born") == ["2025-02-30"])
  }

  @Test("an optimistic store skips what it cannot know", arguments: refusals)
  func leftOut(step: TransactionStep, sentence: String) throws {
    var store = store
    try store.transact(Transaction([step]), rules: .optimistic)
    #expect(store.checkInvariants() == [])
  }

  @Test("a new entity gets nulls under its indexed attributes")
  func indexedNulls() throws {
    var store = store
    let new = Company.id(9)
    try store.transact(
      Transaction([
        Company.set(new, "people.id", .text(new.text), .create),
        Company.set(new, "people.name", "New", .create),
      ]))
    #expect(store.read(new, "people.age") == [.null])
    #expect(store.read(new, "people.nick") == [])
    // Nulls do not conflict.
    #expect(store.read(new, "people.email") == [.null])
  }

  @Test("a lookup finds an entity, or creates one")
  func lookups() throws {
    var store = store
    try store.transact(
      Transaction([
        .addTriple(Company.lookup("ana@x.io"), Company.attributeID("people.email"), "new@x.io"),
        .addTriple(Company.lookup("ana@x.io"), Company.attributeID("people.nick"), "A"),
        .addTriple(Company.lookup("eve@x.io"), Company.attributeID("people.name"), "Eve"),
        .addTriple(
          .id(Company.dee), Company.attributeID("people.manager"),
          ["attr:people.email", "eve@x.io"]),
      ]))
    #expect(store.read(Company.ana, "people.nick") == ["A"])
    #expect(store.count(of: "people") == 5)
    let eve = try #require(store.read(Company.dee, "people.manager").first?.textValue)
    #expect(store.read(EntityID(eve), "people.name") == ["Eve"])
    #expect(EntityID(eve).isUUID)
  }

  @Test("a has-one link is not taken from another entity")
  func uniqueLink() throws {
    var store = store
    let desk = Company.id(31)
    try store.transact(Transaction([Company.set(Company.ana, "people.desk", desk)]))
    let error = #expect(throws: TransactionError.self) {
      try store.transact(Transaction([Company.set(Company.bo, "people.desk", desk)]))
    }
    #expect(error?.type == "record-not-unique")
  }

  @Test("deleting removes links, and cascades where the schema says so")
  func deleting() throws {
    var store = store
    try store.transact(Transaction([.deleteEntity(.id(Company.ana), namespace: "people")]))
    #expect(store.read(Company.bo, "people.manager") == [])
    #expect(store.read(Company.t1, "tasks.assignees") == [.text(Company.bo.text)])
    try store.transact(Transaction([.deleteEntity(.id(Company.apollo), namespace: "projects")]))
    #expect(store.count(of: "tasks") == 0)
    #expect(store.checkInvariants() == [])
  }

  @Test("cascades work in both directions and with cycles")
  func cascades() throws {
    var store = store
    try store.transact(Transaction([Company.set(Company.t2, "tasks.next", Company.t1)]))
    try store.transact(Transaction([.deleteEntity(.id(Company.t1), namespace: "tasks")]))
    #expect(store.count(of: "tasks") == 0)
    #expect(store.count(of: "projects") == 1)
  }

  @Test(
    "only links of the deleted namespace cascade",
    arguments: [TransactionRules.store, .optimistic])
  func cascadesOfOneNamespace(rules: TransactionRules) throws {
    var store = store
    // t1 is also in people; its task's target and apollo stay when it is removed from people.
    try store.transact(
      Transaction([
        Company.set(Company.t1, "people.id", Company.t1),
        Company.set(Company.t1, "people.name", "Ti"),
        Company.set(Company.t1, "tasks.next", Company.t2),
      ]))
    let count = store.count(of: "tasks")
    try store.transact(
      Transaction([.deleteEntity(.id(Company.t1), namespace: "people")]), rules: rules)
    #expect(store.count(of: "tasks") == count)
    try store.transact(
      Transaction([.deleteEntity(.id(Company.t1), namespace: nil)]), rules: rules)
    #expect(store.count(of: "tasks") == count - 1)
    #expect(store.checkInvariants() == [])
  }

  @Test("an id in two namespaces keeps the other one")
  func twoNamespaces() throws {
    var store = store
    try store.transact(
      Transaction([
        Company.set(Company.ana, "projects.id", Company.ana),
        Company.set(Company.ana, "projects.title", "Ana herself"),
      ]))
    try store.transact(Transaction([.deleteEntity(.id(Company.ana), namespace: "people")]))
    #expect(store.read(Company.ana, "people.name") == [])
    #expect(store.read(Company.ana, "projects.title") == ["Ana herself"])
  }

  @Test("merging is recursive for objects, removes by null and replaces the rest")
  func merging() throws {
    var store = store
    let nick = Company.attributeID("people.nick")
    func merge(_ patch: Value, rules: TransactionRules = .store) throws -> [Value] {
      try store.transact(
        Transaction([.deepMergeTriple(.id(Company.dee), nick, patch)]), rules: rules)
      return store.read(Company.dee, "people.nick")
    }
    #expect(try merge(["a": 1], rules: .optimistic) == [])
    #expect(try merge(["a": 1, "b": ["c": 2]]) == [["a": 1, "b": ["c": 2]]])
    #expect(
      try merge(["b": ["d": [1]], "a": nil, "e": ["f": nil]])
        == [["b": ["c": 2, "d": [1]], "e": ["f": nil]]])
    #expect(try merge("text") == ["text"])
    #expect(try merge(["a": 1]) == [["a": 1]])
  }

  @Test("a deleted attribute disappears and is restored with its values")
  func restoring() throws {
    var store = store
    let email = Company.attributeID("people.email")
    let changes = try store.transact(Transaction([.deleteAttribute(email)]))
    #expect(changes.schemaChanged)
    #expect(store.schema.attribute("people", "email") == nil)
    #expect(store.deletedAttributes.map(\.label) == ["attr:people.email_deleted$email"])
    #expect(store.checkInvariants() == [])
    try store.transact(Transaction([.restoreAttribute(email)]))
    #expect(store.schema.attribute("people", "email")?.isIndexed == false)
    #expect(store.read(Company.ana, "people.email") == ["ana@x.io"])
  }

  @Test("steps of one type run together, in order of first occurrence")
  func grouping() throws {
    var store = store
    let nick = Company.attributeID("people.nick")
    try store.transact(
      Transaction([
        .addTriple(.id(Company.ana), nick, "a"), .retractTriple(.id(Company.ana), nick, "a"),
        .addTriple(.id(Company.ana), nick, "a"),
      ]))
    #expect(store.read(Company.ana, "people.nick") == [])
    try store.transact(
      Transaction([
        .addTriple(.id(Company.ana), nick, "a"), .retractTriple(.id(Company.ana), nick, "a"),
        .addTriple(.id(Company.ana), nick, "a"),
      ]), rules: .optimistic)
    #expect(store.read(Company.ana, "people.nick") == ["a"])
  }

  @Test("steps round-trip as JSON")
  func wire() throws {
    let steps =
      Self.refusals.map(\.0) + [
        .deleteEntity(.id(Company.ana), namespace: nil), .deleteAttribute(AttributeID("a")),
        .ruleParameters(.id(Company.ana), namespace: "people", ["key": 1]),
      ]
    let text = JSONWriter.text(Transaction(steps).json)
    #expect(try Transaction(json: JSONReader.value(of: text)) == Transaction(steps))
  }

  @Test(
    "invalid steps are rejected with their number",
    arguments: [
      ("{}", "The transaction must be a list of steps, not object."),
      ("[[]]", "Step 1: a step must be a list that begins with the name of its type."),
      (
        #"[["add-attr",{"id":"x","forward-identity":["","a","b"]}],["jump"]]"#,
        "Step 2: unknown step 'jump'."
      ),
      (#"[["add-triple","e","a"]]"#, "Step 1: add-triple: element 4 of the step is missing."),
      (
        #"[["add-triple",7,"a",1]]"#,
        "Step 1: add-triple: the entity must be an id or a lookup, not number."
      ),
      (
        #"[["add-triple","e","a",1,{"mode":"x"}]]"#,
        "Step 1: add-triple: the mode must be create, update or upsert."
      ),
      (#"[["add-attr",{}]]"#, "Step 1: add-attr: an attribute has no 'id'."),
    ])
  func unsound(text: String, sentence: String) throws {
    let json = try JSONReader.value(of: text)
    let error = #expect(throws: TransactionError.self) { try Transaction(json: json) }
    #expect(error?.message == sentence)
  }
}
