import Explorer
import InstaQL
import Testing
import Triples

@Suite("Differences")
struct AnswerDiffTests {
  private static func fits(_ screen: Screen, _ name: String) throws -> TransactionID {
    let store = screen.store
    let attribute = try #require(store.schema.attribute("plants", "name"))
    let entity = try #require(
      store.rows(of: "plants").handles.first { store.value($0, attribute.id) == .text(name) })
    return TransactionID(
      entity: store.id(of: entity),
      height: try #require(store.schema.attribute("plants", "height")?.id))
  }

  private struct TransactionID {
    let entity: EntityID
    let height: AttributeID

    func grow(to height: Int64) -> TransactionStep {
      .addTriple(.id(entity), self.height, .integer(height))
    }
  }

  private static func tall() -> QueryPlan {
    QueryPlan("plants").filter(.compare("height", .greater, 100)).order("height")
  }

  @Test("added, removed, changed and moved rows are listed with reasons")
  func thenAndNow() throws {
    var screen = try Screen(columns: 130, rows: 24, query: Self.tall())
    let (fig, ume, iris) = (
      try Self.fits(screen, "Fig"), try Self.fits(screen, "梅 Ume"), try Self.fits(screen, "Iris")
    )
    // Fig is seen at several heights, and counts once: from what it was to what it is.
    try screen.transact([fig.grow(to: 260)])
    try screen.transact([fig.grow(to: 400)])
    try screen.transact([ume.grow(to: 20)])
    try screen.transact([iris.grow(to: 101)])
    screen.press("C v v")
    #expect(screen.line(with: "+ plants")?.contains("Iris") == true)
    #expect(screen.line(with: "now matches, at row 1") != nil)
    #expect(screen.line(with: "- plants")?.contains("梅 Ume") == true)
    #expect(screen.line(with: "no longer matches") != nil)
    #expect(screen.line(with: "height  250 → 400")?.contains("Fig") == true)
    #expect(!screen.text.contains("260"))
    screen.press("down x")
    #expect(screen.text.contains("梅 Ume does not match: a condition is false"))
    screen.press("escape")
    // It follows later changes; a value with its old content is no longer listed.
    try screen.transact([fig.grow(to: 250)])
    #expect(!screen.text.contains("250 → "))
  }

  @Test("reloaded files are compared in all namespaces and links")
  func files() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("beds"))
    screen.press("C")
    let plants = Garden.plants
      .replacing(#""height": 250"#, with: #""height": 260"#)
      .replacing(#""edible": true, "sown": "2023-05-02", "bed": "pond""#, with: #""bed": "south""#)
      .replacing(
        #"{"key": "ume", "name": "梅 Ume", "height": 310"#,
        with: #"{"key": "elm", "name": "Elm", "height": 311"#)
    screen.reread(try Garden.store(plants: plants))
    #expect(screen.line(with: "height  250 → 260")?.contains("Fig") == true)
    #expect(screen.line(with: "edible  true → ")?.contains("Mint") == true)
    // The values of all changes begin in the same column.
    #expect(screen.line(with: "bed     By the pond → ")?.contains("× plants") == true)
    #expect(screen.line(with: "bed      → South wall")?.contains("→ plants") == true)
    #expect(screen.line(with: "+ plants")?.contains("Elm") == true)
    #expect(screen.line(with: "- plants")?.contains("梅 Ume") == true)
    #expect(!screen.text.contains("unknown"))
    // Reading the same data again changes nothing.
    let lines = screen.text.replacing("live  tx 1", with: "live  tx 2")
    screen.reread(try Garden.store(plants: plants))
    #expect(screen.text == lines)
  }

  @Test("a comparison in progress is shown")
  func underWay() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("beds"))
    screen.press("C")
    screen.isSlow = true
    let plants = Garden.plants.replacing(#""height": 250"#, with: #""height": 260"#)
    screen.reread(try Garden.store(plants: plants))
    #expect(screen.text.contains("comparing …"))
    #expect(screen.text.contains("The store was reloaded"))
    #expect(!screen.text.contains("No changes"))
    screen.respondAtLast()
    #expect(screen.line(with: "height  250 → 260")?.contains("Fig") == true)
    #expect(!screen.text.contains("comparing …"))
  }

  @Test("in a small space, values take precedence over names")
  func littleRoom() throws {
    func plants(_ height: Int) -> String {
      #"[{"key": "fig", "name": "The fig tree by the south wall", "height": \#(height)}]"#
    }
    var screen = try Screen(
      columns: 80, rows: 24, query: QueryPlan("plants"),
      store: try Garden.store(plants: plants(1_650_000)))
    screen.press("C")
    screen.reread(try Garden.store(plants: plants(1_650_123)))
    #expect(screen.text.contains("height  1,650,000 → 1,650,123"), "\(screen.text)")
    #expect(screen.text.contains("The fig"))
  }

  @Test("old and new long values are both visible")
  func longValues() throws {
    let long = "a sentence that is much longer than there is room for in a line"
    var screen = try Screen(columns: 80, rows: 24, query: QueryPlan("plants"))
    screen.press("C")
    for note in [long, long.uppercased()] {
      screen.reread(
        try Garden.store(
          plants: Garden.plants.replacing(#""note": "é""#, with: #""note": "\#(note)""#)))
    }
    let line = try #require(screen.line(with: "A SE"))
    #expect(line.contains("a se"))
    // Below the list, both values of the change at the cursor are shown in full.
    #expect(screen.text.contains("│ - \(long) "), "\(screen.text)")
    #expect(screen.text.contains("│ + \(long.uppercased()) "), "\(screen.text)")
  }

  @Test("deletions and creations are distinguished from changed matches")
  func lost() throws {
    var screen = try Screen(columns: 130, rows: 24, query: Self.tall())
    let ume = try Self.fits(screen, "梅 Ume")
    try screen.transact([.deleteEntity(.id(ume.entity), namespace: "plants")])
    screen.press("C v v")
    #expect(screen.line(with: "- plants")?.contains("梅 Ume  deleted") == true)
    screen.press("enter")
    #expect(screen.notice?.text.contains("no longer exists") == true)
  }

  @Test("space sets a new baseline: only later changes are listed")
  func fromNowOn() throws {
    var screen = try Screen(columns: 130, rows: 24, query: Self.tall())
    let fig = try Self.fits(screen, "Fig")
    try screen.transact([fig.grow(to: 260)])
    screen.press("C v v")
    #expect(screen.text.contains("height  250 → 260"))
    screen.press("space")
    #expect(!screen.text.contains("height  250"))
    #expect(screen.notice == .comparing)
    try screen.transact([fig.grow(to: 270)])
    #expect(screen.text.contains("height  260 → 270"))
  }

  @Test("another query has its own baseline")
  func anotherQuery() throws {
    var screen = try Screen(columns: 130, rows: 24, query: Self.tall())
    let fig = try Self.fits(screen, "Fig")
    try screen.transact([fig.grow(to: 260)])
    screen.press("4 l s C v v")
    #expect(screen.text.contains("No differences from the baseline yet"))
  }

  @Test("links outside of the query are compared, too")
  func links() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("beds"))
    let fig = try Self.fits(screen, "Fig")
    let store = screen.store
    let bed = try #require(store.schema.link("plants", "bed"))
    let beds = store.rows(of: "beds").handles.map { store.id(of: $0) }
    try screen.transact([.addTriple(.id(fig.entity), bed.attribute.id, .text(beds[1].text))])
    screen.press("C v v")
    #expect(screen.line(with: "× beds")?.contains("South wall") == true)
    #expect(screen.line(with: "→ beds")?.contains("By the pond") == true)
    #expect(screen.text.contains("plants   → Fig") && screen.text.contains("plants  Fig →"))
    try screen.transact([.addTriple(.id(fig.entity), bed.attribute.id, .text(beds[0].text))])
    #expect(screen.text.contains("No differences from the baseline yet"))
  }

  @Test("the log can be limited to the current namespace")
  func namespace() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants"))
    let fig = try Self.fits(screen, "Fig")
    let store = screen.store
    let bed = try #require(store.rows(of: "beds").handles.first)
    let area = try #require(store.schema.attribute("beds", "area"))
    try screen.transact([fig.grow(to: 260)])
    try screen.transact([.addTriple(.id(store.id(of: bed)), area.id, .double(99))])
    screen.press("C")
    #expect(screen.text.contains("12.5 → 99") && screen.text.contains("250 → 260"))
    screen.press("v")
    #expect(screen.text.contains("Changes in plants"))
    #expect(!screen.text.contains("12.5 → 99") && screen.text.contains("250 → 260"))
    screen.press("/")
    screen.type("fig")
    screen.press("enter g")
    #expect(screen.row(23).contains("v "))
  }

  @Test("counts and long answers are reported as not comparable")
  func notComparable() throws {
    var screen = try Screen(columns: 130, rows: 24, query: QueryPlan("plants").count())
    screen.press("C v v")
    #expect(screen.text.contains("This result cannot be compared"))
    screen.press("space")
    #expect(screen.notice == .cannotCompare)
  }
}
