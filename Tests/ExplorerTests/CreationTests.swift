import Explorer
import InstaQL
import LiveQueries
import TerminalUI
import Testing
import Triples

@Suite("Creating an entity")
struct CreationTests {
  /// Goals require a status, a date and an owner; people are identified by email; counts have no
  /// text and no rows.
  private static let schema = #"""
    {"entities": {
      "goals": {"key": "key", "label": "title", "attrs": {
        "key": {"valueType": "string", "required": true, "config": {"unique": true, "indexed": true}},
        "title": {"valueType": "string", "required": true, "config": {"unique": false, "indexed": true}},
        "why": {"valueType": "string", "config": {"unique": false, "indexed": false}},
        "status": {"valueType": "string", "required": true, "config": {"unique": false, "indexed": true}},
        "target": {"valueType": "date", "required": true, "config": {"unique": false, "indexed": true}}}},
      "people": {"key": "mail", "label": "name", "attrs": {
        "mail": {"valueType": "string", "required": true, "config": {"unique": true, "indexed": true}},
        "name": {"valueType": "string", "config": {"unique": false, "indexed": true}}}},
      "counts": {"attrs": {
        "number": {"valueType": "number", "required": true, "config": {"unique": true, "indexed": true}},
        "isOdd": {"valueType": "boolean", "config": {"unique": false, "indexed": false}}}}},
     "links": {
      "owner": {"forward": {"on": "goals", "label": "owner", "has": "one", "required": true},
                "reverse": {"on": "people", "label": "goals", "has": "many"}},
      "helpers": {"forward": {"on": "goals", "label": "helpers", "has": "many"},
                  "reverse": {"on": "people", "label": "helps", "has": "many"}}}}
    """#

  private static let people = #"""
    [{"mail": "ann@a.org", "name": "Ann"}, {"mail": "bob@b.org", "name": "Bob"}]
    """#

  private static func store() throws -> TripleStore {
    try Dataset.load([
      (name: "schema.json", bytes: Array(schema.utf8)),
      (name: "people.json", bytes: Array(people.utf8)),
    ])
  }

  private func screen(
    _ namespace: String, columns: Int = 110, elsewhere: Bool = false
  ) throws -> Screen {
    try Screen(
      columns: columns, rows: 24, query: QueryPlan(namespace), store: try Self.store(),
      isPartial: elsewhere)
  }

  @Test("enter moves through the required fields and then creates the entity")
  func required() throws {
    var screen = try screen("goals")
    screen.press("4 a")
    screen.type("Plant a hedge")
    try expectScreen(screen.text, named: "new-entity")
    screen.press("enter")
    screen.type("open")
    screen.press("enter")
    screen.type("2027-03-01")
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    screen.type("bo")
    screen.press("enter")
    #expect(screen.text.contains("Bob"))
    screen.press("enter")
    #expect(screen.notice?.text == "Created Plant a hedge.")
    let made = try #require(screen.store.rows(of: "goals").handles.first)
    let key = try #require(screen.store.schema.attribute("goals", "key"))
    #expect(screen.store.value(made, key.id) == .text("plant-a-hedge"))
    let owner = try #require(screen.store.schema.link("goals", "owner"))
    #expect(screen.store.targets(made, owner).count == 1)
    screen.press("U")
    #expect(screen.store.count(of: "goals") == 0)
  }

  @Test("an invalid value is reported while typing, and nothing is sent")
  func typed() throws {
    var screen = try screen("goals")
    screen.press("4 a")
    screen.type("Swim")
    screen.press("enter")
    screen.type("open")
    screen.press("enter")
    screen.type("soon")
    #expect(screen.text.contains("target must be a date"))
    screen.press("enter enter")
    #expect(screen.transactions.isEmpty)
    #expect(screen.text.contains("target must be a date"))
    screen.press("ctrl-u")
    screen.type("null")
    #expect(screen.text.contains("target is required and cannot be null"))
  }

  @Test("an empty text is typed in quotes")
  func emptyText() throws {
    var screen = try screen("goals")
    screen.press("4 a")
    screen.type("Swim")
    screen.press("enter")
    #expect(screen.text.contains(#"status is required ("" for an empty text)"#), "\(screen.text)")
    screen = try self.screen("people")
    screen.press("4 0 a")
    screen.type("\"\"")
    screen.press("down")
    screen.type("c@c.org")
    screen.press("enter")
    let name = try #require(screen.store.schema.attribute("people", "name"))
    let names = screen.store.rows(of: "people").handles.map { screen.store.value($0, name.id) }
    #expect(names.count == 3 && names.contains(.text("")), "\(screen.text)")
  }

  @Test(
    "only a slug is derived from a name",
    arguments: [("mail", "@"), ("login", "@"), ("slug", "@"), ("code", "-")])
  func codes(label: String, separator: String) throws {
    let people = Self.people.replacing("mail", with: label).replacing("@", with: separator)
      .replacing(".org", with: "")
    let store = try Dataset.load([
      (name: "schema.json", bytes: Array(Self.schema.replacing("mail", with: label).utf8)),
      (name: "people.json", bytes: Array(people.utf8)),
    ])
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("people"), store: store)
    screen.press("4 a")
    screen.type("Cy Young")
    #expect(!screen.text.contains("cy-young"), "\(screen.text)")
    screen.press("enter")
    // The form asks for it instead.
    #expect(screen.transactions.isEmpty)
  }

  @Test(
    "a duplicate of a unique value is reported while it is typed or derived")
  func unique() throws {
    var screen = try screen("people")
    screen.press("4 0 a")
    screen.type("Ann Two")
    screen.press("down")
    screen.type("ann@a.org")
    #expect(screen.text.contains("Another row of people has this mail"))
    screen.press("enter")
    #expect(screen.transactions.isEmpty)
    screen.press("backspace")
    screen.type("z")
    screen.press("enter")
    #expect(screen.text.contains("Created Ann Two"))
  }

  @Test("the cursor goes to a new row, also if the store gives it another id")
  func otherID() throws {
    var screen = try screen("people")
    screen.press("4 0 a")
    screen.type("Cleo")
    screen.press("down")
    screen.type("c@c.org")
    screen.isSlowToWrite = true
    screen.press("enter")
    let identity = try #require(screen.store.schema.attribute("people", "id"))
    let name = try #require(screen.store.schema.attribute("people", "name"))
    let mail = try #require(screen.store.schema.attribute("people", "mail"))
    let row = EntityID.random()
    try screen.transact([
      .addTriple(.id(row), identity.id, .text(row.text)), .addTriple(.id(row), name.id, "Cleo"),
      .addTriple(.id(row), mail.id, "c@c.org"),
    ])
    var staged = StagedChanges()
    _ = staged.perform(.make(Transaction(), Submission(summary: "Created Cleo")))
    let ended = staged.end(1, .made(undo: nil, at: 2, created: [CreatedEntity(row, in: "people")]))
    guard case .report(let report)? = ended.first else {
      Issue.record("no report")
      return
    }
    screen.handle(.changes(report, ChangesState(staged, version: 99, isStored: false)))
    screen.press("y y")
    #expect(screen.effects.last == .copy("Cleo"), "\(screen.text)")
  }

  @Test("a namespace without texts and entities can be filled in")
  func numbers() throws {
    var screen = try screen("counts")
    screen.press("4 a")
    screen.type("x")
    #expect(screen.text.contains("number must be a number"))
    screen.press("backspace")
    screen.type("7")
    screen.press("down")
    screen.type("yes")
    screen.press("enter")
    #expect(screen.notice?.text == "Created a row of counts.")
    #expect(screen.store.count(of: "counts") == 1)
    screen.press("a")
    screen.type("7")
    #expect(screen.text.contains("Another row of counts has this number"))
  }

  @Test("a to-many link accepts several targets and removes the last")
  func many() throws {
    var screen = try screen("goals")
    screen.press("4 a")
    screen.type("Row")
    screen.press("up up up")
    while screen.line(with: "⇉ helpers")?.contains("type to choose") == false { screen.press("up") }
    screen.type("a")
    screen.press("enter")
    screen.type("b")
    screen.press("enter")
    #expect(try #require(screen.line(with: "⇉ helpers")).contains("Ann, Bob"))
    screen.press("backspace")
    #expect(try #require(screen.line(with: "⇉ helpers")).contains("Ann  "))
  }

  @Test("one escape, click or other key does not discard a form")
  func leaving() throws {
    var screen = try screen("goals")
    screen.press("4 a escape")
    #expect(!screen.text.contains("New row in goals"))
    screen.press("a")
    screen.type("Plant")
    screen.press("escape")
    #expect(screen.text.contains("escape discard the input"))
    screen.handle(.terminal(.mouse(Mouse(.press(.left, clicks: 1), row: 10, column: 2))))
    #expect(screen.notice == .unsavedInput)
    screen.press("ctrl-p")
    #expect(screen.text.contains("Plant"))
    screen.type("s")
    screen.press("escape")
    #expect(screen.text.contains("Plants"))
    screen.press("escape")
    #expect(!screen.text.contains("New row in goals"))
    #expect(screen.transactions.isEmpty)
  }

  @Test("after a rejection, a reopens the form with the reason")
  func refusedElsewhere() throws {
    var screen = try screen("people")
    screen.press("4 0 a")
    screen.type("Cleo")
    screen.press("down")
    screen.type("c@c.org")
    screen.refusal = "people may not be made by guests"
    screen.press("enter")
    let reason = "people may not be made by guests  a edit again"
    #expect(screen.row(23).contains(reason), "\(screen.text)")
    #expect(!screen.text.contains("c@c.org"))
    screen.press("down")
    #expect(screen.row(23).contains(reason))
    screen.press("a")
    #expect(screen.text.contains("people may not be made by guests"))
    #expect(screen.text.contains("c@c.org"))
    screen.refusal = nil
    screen.press("enter")
    #expect(screen.text.contains("Created Cleo"))
  }
}
