import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Attributes of the schema as columns")
struct SchemaColumnTests {
  @Test("the schema of a namespace that no longer exists is not that of another one")
  func removedNamespace() throws {
    var screen = try Screen(columns: 110, query: QueryPlan("plants"))
    screen.press("4")
    #expect(screen.text.contains("[2] plants ─"), "\(screen.text)")
    var store = try Garden.store()
    for attribute in store.schema.attributes where attribute.namespace == "plants" {
      _ = store.removeAttribute(attribute.id)
    }
    screen.reread(store)
    #expect(screen.text.contains("[2] plants ─"), "\(screen.text)")
    screen.reread(try Garden.store())
    #expect(screen.text.contains(#/height +number /#), "\(screen.text)")
  }

  @Test("enter goes to the column, s sorts by it, z counts its values")
  func column() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("2 / h e i g enter s")
    #expect(screen.watched.last?.document.text == "plants order height", "\(screen.text)")
    screen.press("enter")
    #expect(screen.hears("Results"))
    screen.press("2 z")
    #expect(screen.text.contains("Values of height"), "\(screen.text)")
  }

  @Test("f begins a filter by the field, after the filter of the query")
  func filter() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("2 / h e i g enter f")
    screen.type("> 100")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "plants filter height > 100", "\(screen.text)")
    screen.press("2 / b e d enter f")
    screen.type("area > 9")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text == "plants filter height > 100 and bed.area > 9",
      "\(screen.text)")
  }

  @Test("one key in the namespaces lists the columns and types of all of them")
  func all() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press("1 c")
    for part in [
      "key (unique text), name (text)", "area (number)", "plants ⇉ plants", "sown (date)",
    ] {
      #expect(screen.text.contains(part), "\(part)\n\(screen.text)")
    }
    screen.press("escape")
    #expect(screen.hears("Namespaces"))
  }

  @Test("the cursor goes to a row that was added")
  func added() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants").order("name"))
    screen.press("4 a")
    screen.type("Zinnia")
    screen.press("ctrl-s")
    if screen.text.contains("New row in plants") { screen.press("enter") }
    #expect(screen.text.contains("Zinnia"), "\(screen.text)")
  }
}
