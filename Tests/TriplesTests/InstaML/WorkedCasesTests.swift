import Testing
import Triples

/// Operations whose result differs between an optimistic client and a store, or would be wrong
/// with an outdated index.
@Suite("Worked transactions")
struct WorkedCasesTests {
  private static let ana = Company.id(1), bo = Company.id(2), cy = Company.id(3)
  private static let dee = Company.id(4), apollo = Company.id(11), t1 = Company.id(21)
  private static let t2 = Company.id(22), t3 = Company.id(23), new = Company.id(99)

  private static let names = [
    ana: "ana", bo: "bo", cy: "cy", dee: "dee", apollo: "apollo", t1: "t1", t2: "t2", t3: "t3",
    new: "new",
  ]

  private let store: TripleStore

  init() throws {
    var store = TripleStore()
    try store.transact(
      Transaction(
        Company.schema.map { attribute in
          var attribute = attribute
          attribute.isRequired = false
          attribute.isIndexed = false
          return .addAttribute(attribute)
        }), at: 1)
    var builder = TransactionBuilder()
    builder.create("people", InstaMLEntity(Self.ana), ["email": "ana@x.io", "nick": "a_1"])
    builder.create("people", InstaMLEntity(Self.bo), ["nick": nil])
    builder.create("people", InstaMLEntity(Self.cy), [:])
    builder.create("people", InstaMLEntity(Self.dee), [:])
    builder.create("projects", InstaMLEntity(Self.apollo), [:])
    for task in [Self.t1, Self.t2, Self.t3] { builder.create("tasks", InstaMLEntity(task), [:]) }
    for (person, manager) in [(Self.bo, Self.ana), (Self.cy, Self.ana), (Self.dee, Self.bo)] {
      builder.link("people", InstaMLEntity(person), "manager", [InstaMLEntity(manager)])
    }
    builder.link(
      "projects", InstaMLEntity(Self.apollo), "tasks",
      [InstaMLEntity(Self.t1), InstaMLEntity(Self.t2)])
    builder.link(
      "tasks", InstaMLEntity(Self.t1), "assignees",
      [InstaMLEntity(Self.ana), InstaMLEntity(Self.bo)])
    try store.transact(builder.transaction(in: store), at: 2)
    self.store = store
  }

  private func after(
    _ operations: [InstaMLOperation], rules: TransactionRules
  ) throws -> TripleStore {
    var store = store
    try store.transact(
      TransactionBuilder(operations).transaction(in: store), at: 3, rules: rules)
    #expect(store.checkInvariants() == [])
    return store
  }

  /// The targets of a link, by short names.
  private func targets(_ id: EntityID, _ namespace: String, _ label: String, in store: TripleStore)
    -> Set<String>
  {
    guard let entity = store.handle(of: id), let link = store.schema.link(namespace, label) else {
      return []
    }
    return Set(store.targets(entity, link).map { Self.names[store.id(of: $0)] ?? "?" })
  }

  private func withoutManager(_ store: TripleStore) -> Set<String> {
    let led = store.rows(Company.attributeID("people.manager"), .stored)
    let people = store.rows(of: "people").subtracting(led)
    return Set(people.handles.map { Self.names[store.id(of: $0)] ?? "?" })
  }

  private static let both: [TransactionRules] = [.store, .optimistic]

  @Test("an entity without its only link has none", arguments: both)
  func unlink(rules: TransactionRules) throws {
    let bo = InstaMLEntity(Self.bo)
    let store = try after(
      [.init(.unlink, "people", bo, ["manager": .text(Self.ana.text)])], rules: rules)
    #expect(withoutManager(store) == ["ana", "bo"])
  }

  @Test("a link that was set and removed leaves no trace")
  func linkUnlink() throws {
    let manager: Value = ["manager": .text(Self.dee.text)]
    let ana = InstaMLEntity(Self.ana)
    let store = try after(
      [.init(.link, "people", ana, manager), .init(.unlink, "people", ana, manager)],
      rules: .optimistic)
    #expect(withoutManager(store) == ["ana"])
    #expect(targets(Self.dee, "people", "reports", in: store) == [])
  }

  @Test("a moved link is correct from all ends", arguments: both)
  func relink(rules: TransactionRules) throws {
    let store = try after(
      [.init(.link, "people", InstaMLEntity(Self.bo), ["manager": .text(Self.dee.text)])],
      rules: rules)
    #expect(targets(Self.ana, "people", "reports", in: store) == ["cy"])
    #expect(targets(Self.dee, "people", "reports", in: store) == ["bo"])
    #expect(targets(Self.bo, "people", "reports", in: store) == ["dee"])
  }

  @Test(
    "merging into a text replaces it, and into a missing value works only in stores",
    arguments: [
      (ana, TransactionRules.optimistic, true), (ana, .store, true), (bo, .optimistic, true),
      (bo, .store, true), (dee, .optimistic, false), (dee, .store, true),
    ])
  func merge(id: EntityID, rules: TransactionRules, merges: Bool) throws {
    let store = try after(
      [.init(.merge, "people", InstaMLEntity(id), ["nick": ["a": 1]])], rules: rules)
    #expect(store.read(id, "people.nick") == (merges ? [["a": 1]] : []))
  }

  @Test("deleting a project deletes its tasks", arguments: both)
  func deleteProject(rules: TransactionRules) throws {
    let store = try after(
      [.init(.delete, "projects", InstaMLEntity(Self.apollo))], rules: rules)
    #expect(store.rows(of: "tasks").handles.map { store.id(of: $0) } == [Self.t3])
  }

  @Test("deleting a person deletes the links to it", arguments: both)
  func deletePerson(rules: TransactionRules) throws {
    let store = try after([.init(.delete, "people", InstaMLEntity(Self.ana))], rules: rules)
    #expect(withoutManager(store) == ["bo", "cy"])
    #expect(targets(Self.t1, "tasks", "assignees", in: store) == ["bo"])
  }

  @Test("a lookup without a match waits for the server, which creates the entity")
  func lookup() throws {
    let operations: [InstaMLOperation] = [
      .init(.update, "people", .lookup("email", "ana@x.io"), ["age": 99]),
      .init(.update, "people", .lookup("email", "none@x.io"), ["age": 98]),
    ]
    for (rules, people) in [(TransactionRules.optimistic, 4), (.store, 5)] {
      let store = try after(operations, rules: rules)
      #expect(store.read(Self.ana, "people.age") == [99])
      #expect(store.count(of: "people") == people)
    }
  }

  @Test(
    "violated create and update modes are errors in a store and ignored by a client")
  func modes() throws {
    let operations: [InstaMLOperation] = [
      .init(.create, "people", InstaMLEntity(Self.ana), ["nick": "x"]),
      .init(.update, "people", InstaMLEntity(Self.new), ["nick": "x"], upsert: false),
    ]
    for operation in operations {
      #expect(try after([operation], rules: .optimistic).facts == store.facts)
      #expect(throws: TransactionError.self) { try after([operation], rules: .store) }
    }
  }

  @Test("a new entity comes last", arguments: both)
  func create(rules: TransactionRules) throws {
    let store = try after(
      [.init(.create, "people", InstaMLEntity(Self.new), ["nick": "n"])], rules: rules)
    let order = store.sorted(
      store.rows(of: "people").handles, by: [RowOrder(.created(in: "people"))])
    #expect(order.map { Self.names[store.id(of: $0)] } == ["ana", "bo", "cy", "dee", "new"])
  }
}
