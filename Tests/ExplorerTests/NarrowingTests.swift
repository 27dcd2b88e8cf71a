import InstaQL
import TerminalUI
import Testing
import Triples
import Widgets

@testable import Explorer

@Suite("Filtering the namespaces by typing")
struct NarrowingTests {
  private func narrowed(to text: String, columns: Int = 100) throws -> Screen {
    var screen = try Screen(columns: columns, query: QueryPlan("plants"))
    screen.press("1 /")
    screen.type(text)
    return screen
  }

  @Test("only names with the typed letters in order match, the best match first")
  func matches() {
    let names = ["beds", "bad_beds", "plants", "tablespoons"]
    let found = NamespacesPane.matches(of: "bds", among: names)
    #expect(found.map(\.entry) == ["beds", "bad_beds"])
    #expect(found.first?.letters == [0, 2, 3])
    #expect(NamespacesPane.matches(of: "be", among: names).last?.entry == "tablespoons")
    #expect(NamespacesPane.matches(of: " ", among: names).map(\.entry) == names)
  }

  @Test("typing lists only the matches, with their letters marked")
  func list() throws {
    let screen = try narrowed(to: "bd")
    #expect(screen.workspace.namespaces.items.map(\.entry) == ["beds"])
    let frame = screen.workspace.view()
    let marked = (0..<frame.size.rows).flatMap { frame.runs(row: $0) }
      .filter { $0.paint.ink == .match }.map(\.text)
    #expect(marked == ["b", "d"])
    expectBlock(
      """
      ╭─ [1] Namespaces ────────╮╭─ Find ───────────────────────────────────
      │   beds                3 ││ bd
      │                         ││
      │                         │├─ [4] Results ────────────────────────────
      ├─ [2] beds ──────────────┤│ name          height  edible  sown
      │ id            unique id ││ Fig              250  true    2019-04-01
      │ key         unique text ││ Iris              80  false   2022-03-15
      │ name               text ││ Mint              40  true    2023-05-02
      │ area             number ││ 梅 Ume           310  true    ∅
      │ plants         ⇉ plants ││ Odd␛[31m␉one  12,345  false   ·
      """, in: screen.text)
  }

  @Test("the matches are visible next to the typed text", arguments: [40, 60, 69, 70, 80, 99, 120])
  func visible(columns: Int) throws {
    let screen = try narrowed(to: "bd", columns: columns)
    #expect(screen.text.contains("[1] Namespaces"), "\(screen.text)")
    #expect(screen.line(with: "beds  ") != nil, "\(screen.text)")
    #expect(screen.text.contains("─ Find ─"), "\(screen.text)")
  }

  @Test("the schema is visible while it is searched", arguments: [40, 60, 69, 70, 80, 99, 120])
  func schema(columns: Int) throws {
    var screen = try Screen(columns: columns, query: QueryPlan("plants"))
    screen.press("2 /")
    screen.type("hei")
    #expect(screen.text.contains("[2] plants ─"), "\(screen.text)")
    #expect(screen.text(on: [.selection]).contains("height"), "\(screen.text)")
    #expect(screen.text.contains("─ Find ─"))
  }

  @Test("enter opens the namespace at the cursor, and all are listed again")
  func open() throws {
    var screen = try narrowed(to: "bed")
    screen.press("enter")
    let catalog = try #require(screen.workspace.catalog)
    #expect(screen.watched.last?.document.text == "beds")
    #expect(screen.workspace.tab.focus == .results)
    #expect(screen.workspace.namespaces.items.map(\.entry) == catalog.schema.namespaces)
    #expect(screen.workspace.chosenNamespace == "beds")
  }

  @Test("letters that are commands elsewhere are typed")
  func letters() throws {
    var screen = try narrowed(to: "qUd")
    #expect(screen.workspace.prompt?.field.text == "qUd")
    #expect(screen.text.contains("No namespace matches “qUd”. To search rows"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.workspace.prompt != nil)
    #expect(screen.notice == .noNamespaceMatches("qUd"))
    screen.press("escape")
    #expect(screen.workspace.chosenNamespace == "plants")
  }

  @Test("arrows move in the matches, and escape returns to the first cursor position")
  func moves() throws {
    var screen = try narrowed(to: "s")
    let catalog = try #require(screen.workspace.catalog)
    let names = screen.workspace.namespaces.items.map(\.entry)
    try #require(names.count > 1)
    screen.press("down")
    #expect(screen.workspace.chosenNamespace == names[1])
    screen.press("up")
    #expect(screen.workspace.chosenNamespace == names[0])
    screen.press("escape")
    #expect(screen.workspace.prompt == nil)
    #expect(screen.workspace.chosenNamespace == "plants")
    #expect(screen.workspace.namespaces.items.map(\.entry) == catalog.schema.namespaces)
  }
}
