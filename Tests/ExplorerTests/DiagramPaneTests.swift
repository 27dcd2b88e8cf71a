import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The diagram")
struct DiagramPaneTests {
  /// Returns a store of namespaces without rows, with links between namespaces of these numbers.
  private static func store(_ count: Int, _ links: [(from: Int, to: Int)]) throws -> TripleStore {
    let entities = (0..<count).map { "\"n\($0)\": {\"attrs\": {}}" }
    let all = links.enumerated().map { index, link in
      """
      "l\(index)": {"forward": {"on": "n\(link.from)", "label": "to\(index)", "has": "one"},
        "reverse": {"on": "n\(link.to)", "label": "of\(index)", "has": "many"}}
      """
    }
    let schema =
      "{\"entities\": {\(entities.joined(separator: ","))}, \"links\": {\(all.joined(separator: ","))}}"
    return try Dataset.load([(name: "schema.json", bytes: Array(schema.utf8))])
  }

  @Test("namespaces are boxes, links are lines, and the selected one is described")
  func garden() throws {
    var screen = try Screen(columns: 80, rows: 20)
    screen.press("D")
    expectBlock(
      """
      ╭─ [9] Diagram ──────────────────────────────────────── 2 namespaces · 1 link ─╮
      """, in: screen.text)
    expectBlock(
      """
      ╔═ ▸ beds ═══ 3 ═╗    ╭─ plants ───── 5 ─╮
      ║       plants ⇉ ╠────┤ ← bed            │
      ╚════════════════╝    ╰──────────────────╯
      """, in: screen.text)
    expectBlock(
      """
      │──────────────────────────────────────────────────────────────────────────────│
      │ beds  3 rows · 4 attributes · ⇉ plants                                       │
      │                                                                              │
      ╰──────────────────────────────────────────────────────────────────────────────╯
      """, in: screen.text)
  }

  private static func world(columns: Int, rows: Int) throws -> Screen {
    var screen = try Screen(
      columns: columns, rows: rows, store: try DemoData.store(), name: "world")
    screen.press("D")
    return screen
  }

  @Test("the world demo fits a usual screen")
  func world() throws {
    try expectScreen(try Self.world(columns: 120, rows: 40).text, named: "diagram-world-120x40")
    let large = try Self.world(columns: 200, rows: 60)
    for namespace in large.store.schema.namespaces {
      #expect(large.text.contains(" \(namespace) ═") || large.text.contains("╭─ \(namespace) ─"))
    }
  }

  @Test("a small screen shows the selected namespace of the world demo, and that there is more")
  func smallWorld() throws {
    let screen = try Self.world(columns: 80, rows: 24)
    expectBlock(
      """
      │                                                                              │
      │─── 26,184 ─╮                                                                 │
      │capitalOf → ├───╮  ╭─ countries ────────── 250 ─╮     ╔═ ▸ continents ═══ 7 ═╗│
      │  country → ├──╮╰──┤ ← capital      continent → ├─────╣ ⇇ countries          ║│
      │ / nearbyOf │  ╰───┤ ⇇ cities        currency → ├──╮  ╚══════════════════════╝│
      │────────────╯  ╭───┤ ⇇ languages                │  │                          │
      ◂               │   │ ↻ neighbours / neighbourOf │  │  ╭─ currencies ─── 153 ─╮│
      │es ─── 209 ─╮  │   ╰────────────────────────────╯  ╰──┤ ⇇ countries          ││
      """, in: screen.text)
    #expect(screen.text.contains("│ continents  7 rows · 7 attributes · ⇉ countries "))
  }

  @Test("arrow keys follow links, enter opens the namespace, back returns")
  func arrows() throws {
    var screen = try Screen(columns: 100, rows: 24, store: try DemoData.store(), name: "world")
    screen.press("D G g")
    let first = screen.row(20)
    #expect(first.contains("continents"))
    screen.press("left")
    #expect(screen.row(20).contains("countries  250"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "countries")
    screen.press("[")
    #expect(screen.watched.last?.document.text == "continents")
  }

  @Test("a namespace can be searched by name")
  func finding() throws {
    var screen = try Screen(columns: 100, rows: 24, store: try DemoData.store(), name: "world")
    screen.press("D /")
    screen.type("c")
    screen.press("enter n n")
    #expect(screen.row(20).contains("cities  26,184"))
    screen.press("n")
    #expect(screen.row(20).contains("currencies  "))
    screen.press("N enter")
    #expect(screen.watched.last?.document.text == "cities")
  }

  @Test("the mark for more above never covers the title")
  func narrowMarks() throws {
    let store = try Self.store(20, (0..<20).map { ($0, ($0 * 7 + 3) % 20) })
    var screen = try Screen(columns: 40, rows: 10, store: store, name: "many")
    screen.press("D")
    for _ in 0..<10 { screen.press("pagedown") }
    #expect(screen.row(1).contains(" 20 namespaces "), "\(screen.text)")
    #expect(screen.text.contains("above"), "\(screen.text)")
  }

  @Test("boxes beyond the screen are marked at the edge")
  func marks() throws {
    let store = try Self.store(100, (0..<100).map { ($0, ($0 * 7 + 3) % 100) })
    var screen = try Screen(columns: 80, rows: 24, store: store, name: "many")
    screen.press("D")
    for _ in 0..<100 { screen.press("g pageup 0") }
    #expect(screen.text.contains("100 namespaces"))
    #expect(screen.text.contains("below"))
    for _ in 0..<60 { screen.press("pagedown") }
    #expect(screen.text.contains("above"))
    #expect(!screen.text.contains("below"))
    screen.press("/")
    screen.type("n77")
    screen.press("enter")
    #expect(screen.text.contains("▸ n77"))
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "n77")
  }

  @Test("the mouse drags the diagram, and data changes do not move it")
  func dragging() throws {
    let store = try Self.store(100, (0..<100).map { ($0, ($0 * 7 + 3) % 100) })
    var screen = try Screen(columns: 80, rows: 24, store: store, name: "many")
    screen.press("D")
    for _ in 0..<100 { screen.press("g pageup 0") }
    screen.mouse(.press(.left, clicks: 1), 12, 40)
    let before = screen.text
    screen.mouse(.drag(.left), 9, 38)
    screen.mouse(.drag(.left), 7, 35)
    let moved = screen.text
    #expect(moved.contains("above"))
    let grown = try Self.store(100, (0..<100).map { ($0, ($0 * 7 + 3) % 100) })
    screen.change(to: grown)
    #expect(screen.text == moved)
    screen.mouse(.drag(.left), 12, 40)
    screen.mouse(.release(.left), 12, 40)
    #expect(screen.text == before)
    screen.mouse(.drag(.left), 2, 2)
    #expect(screen.text == before)
  }

  @Test("a direction without boxes has no effect")
  func edge() throws {
    var screen = try Screen(columns: 80, rows: 20)
    screen.press("D left left left")
    let before = screen.text
    screen.press("left")
    #expect(screen.text == before && screen.notice == nil)
  }

  @Test("y copies the diagram, and schema changes appear")
  func copying() throws {
    var screen = try Screen(columns: 80, rows: 20)
    screen.press("D y")
    guard case .copy(let text)? = screen.effects.last else {
      Issue.record("Nothing was copied")
      return
    }
    #expect(text.contains("─ beds ─"))
    #expect(text.contains("├"))
    screen.change(to: try Self.store(3, [(0, 1)]))
    #expect(screen.text.contains("3 namespaces · 1 link"))
  }

  @Test("a notice states that the store has no namespaces")
  func empty() throws {
    var screen = try Screen(columns: 80, rows: 20, store: try Self.store(0, []))
    screen.press("D down enter y")
    #expect(screen.text.contains("Diagram"))
  }

  @Test(
    "any schema can be drawn and scrolled, and every namespace can be reached",
    arguments: [0, 1, 2, 3, 4, 5, 6, 7])
  func many(seed: Int) throws {
    var random = Numbers(state: UInt64(seed) &* 7_919 &+ 17)
    let count = [1, 2, 12, 40, 100, 100, 100, 250][seed]
    var links: [(from: Int, to: Int)] = []
    switch seed {
    case 4: links = (1..<count).map { ($0, 0) }
    case 5: links = (1..<count).map { ($0, $0 - 1) }
    case 6: links = []
    default:
      for _ in 0..<count * 3 / 2 { links.append((random.below(count), random.below(count))) }
    }
    let store = try Self.store(count, links)
    let faults = DiagramFaults(drawing: store.schema)
    #expect(faults.overlappingBoxes == 0)
    #expect(faults.linesThroughBoxes == 0)
    #expect(faults.looseEnds == 0)
    // Only the labels below distinguish two overlapping lines; there may be few.
    #expect(faults.linesUponEachOther * 20 <= links.count)
    var screen = try Screen(columns: 90, rows: 24, store: store)
    screen.press("D G pagedown $ pageup 0 ctrl-d ctrl-u up left down right")
    #expect(screen.text.contains(count == 1 ? "1 namespace " : "\(count) namespaces"))
  }
}

/// A generator of the same numbers in every run.
private struct Numbers {
  var state: UInt64

  mutating func below(_ limit: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(limit))
  }
}
