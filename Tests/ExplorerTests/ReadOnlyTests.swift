import Explorer
import InstaQL
import Testing
import Triples

@Suite("Read-only store")
struct ReadOnlyTests {
  private static let reason = "Read-only. Restart with --write to edit."

  @Test(
    "the header shows it, and every editing key gives advice",
    arguments: ["4 e", "4 a", "4 d", "4 U", "4 $ e", "4 space M d", "4 o v", "4 enter down e"])
  func refused(keys: String) throws {
    var screen = try Screen(
      columns: 110, rows: 20, query: QueryPlan("plants"), readOnlyReason: Self.reason)
    #expect(screen.row(0).contains("read-only"))
    screen.press(keys)
    #expect(screen.row(19).contains("Restart with --write"))
    #expect(screen.transactions.isEmpty)
    #expect(!screen.text.contains("Edit name"))
  }

  @Test(
    "every editing key says why the rows of a view cannot be changed",
    arguments: ["4 e", "4 a", "4 d", "4 $ e", "4 space M d", "4 enter down e"])
  func view(keys: String) throws {
    let store = try Self.storeWithView()
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"), store: store)
    screen.press(keys)
    #expect(screen.row(19).contains("plants is a view, so Sonde cannot change its rows."))
    #expect(screen.transactions.isEmpty)
    #expect(!screen.text.contains("Edit name") && !screen.text.contains("Delete"))
    // Rows of tables can still be changed.
    screen = try Screen(columns: 110, rows: 20, query: QueryPlan("beds"), store: store)
    screen.press("4 d")
    #expect(screen.text.contains("Delete South wall"), "\(screen.text)")
  }

  /// Returns a store in which the plants are a view.
  private static func storeWithView() throws -> TripleStore {
    var store = try Garden.store()
    var identity = try #require(store.schema.identity(of: "plants"))
    identity.readOnlyReason = "is a view"
    store.addAttribute(identity)
    return store
  }

  @Test("the footer offers no editing keys for the rows of a view", arguments: ["4", "4 enter"])
  func viewFooter(keys: String) throws {
    for namespace in ["plants", "beds"] {
      var screen = try Screen(
        columns: 170, rows: 20, query: QueryPlan(namespace), store: Self.storeWithView())
      screen.press(keys)
      let footer = screen.row(19)
      #expect(footer.contains("f filter") && footer.contains("y copy"), "\(footer)")
      #expect(footer.contains("e edit") == (namespace == "beds"), "\(footer)")
      #expect(footer.contains("d delete") == (namespace == "beds"), "\(footer)")
    }
  }

  @Test("a generated column is not offered for editing", arguments: ["4 e", "4 enter e"])
  func generated(keys: String) throws {
    var store = try Garden.store()
    var attribute = try #require(store.schema.attribute("plants", "name"))
    attribute.isGenerated = true
    store.addAttribute(attribute)
    var screen = try Screen(columns: 110, rows: 20, query: QueryPlan("plants"), store: store)
    screen.press(keys)
    #expect(screen.row(19).contains("plants.name is a generated column and cannot be edited."))
    #expect(!screen.text.contains("Edit name"), "\(screen.text)")
    screen.press("escape escape 4 space M")
    #expect(!screen.text.contains("set name"), "\(screen.text)")
  }

  @Test("the footer offers no editing keys", arguments: ["", "enter", "enter G"])
  func footer(keys: String) throws {
    for isReadOnly in [true, false] {
      var screen = try Screen(
        columns: 160, rows: 20, query: QueryPlan("plants"),
        readOnlyReason: isReadOnly ? Self.reason : nil)
      screen.press(keys)
      let offered = screen.row(19).contains("e edit") || screen.row(19).contains("d delete")
      #expect(offered != isReadOnly, "\(screen.row(19))")
    }
  }
}
