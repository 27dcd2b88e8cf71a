import Explorer
import InstaQL
import LiveQueries
import Testing
import Triples

@Suite("Staged changes of values that another program changed")
struct StagedConflictTests {
  @Test("they are sent over the newer value after the user has seen it")
  func sendOver() throws {
    var screen = try Screen(
      columns: 119, rows: 22, query: QueryPlan("plants").order("name"), changeDetection: "watched")
    screen.press("P l e ctrl-u")
    screen.type("251")
    screen.press("enter P")
    #expect(!screen.text.contains("send over newer values"))
    screen.press("k")
    let height = try #require(screen.store.schema.attribute("plants", "height"))
    let fig = try #require(
      screen.store.rows(of: "plants").handles.first {
        screen.store.value($0, height.id) == .integer(250)
      })
    try screen.transact([.addTriple(.id(screen.store.id(of: fig)), height.id, .integer(300))])
    screen.press("P")
    #expect(screen.text.contains("height is now 300"), "\(screen.text)")
    screen.press("o")
    let sent = try #require(screen.transactions.last)
    #expect(sent.seen[0] == .integer(300))
    #expect(screen.line(with: "Fig ")?.contains("251") == true, "\(screen.text)")
  }

  @Test("a change keeps the values of rows that are not shown")
  func unknownRows() {
    let (entity, attribute) = (EntityID.random(), AttributeID("a"))
    var transaction = Transaction([.addTriple(.id(entity), attribute, 2)])
    transaction.seen[0] = 1
    #expect(transaction.seen(in: [TripleStore()]).seen == [0: 1])
  }

  @Test("the form for a new row has no generated columns")
  func generated() throws {
    var store = try Garden.store()
    var attribute = try #require(store.schema.attribute("plants", "sown"))
    attribute.isGenerated = true
    store.addAttribute(attribute)
    var screen = try Screen(
      columns: 100, rows: 24, query: QueryPlan("plants").fields(["name"]), store: store)
    screen.press("a")
    #expect(screen.text.contains("│  height"), "\(screen.text)")
    #expect(!screen.text.contains("│  sown"), "\(screen.text)")
  }
}
