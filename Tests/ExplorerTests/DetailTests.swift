import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("The record that follows the cursor")
struct DetailTests {
  private static func screen(columns: Int, rows: Int = 30) throws -> Screen {
    try Screen(columns: columns, rows: rows, query: QueryPlan("plants").order("name"))
  }

  @Test("on wide screens it is next to the rows, without a key")
  func wide() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g")
    #expect(screen.line(with: "─ [5] Fig ─") != nil, "\(screen.text)")
    screen.press("down")
    #expect(screen.line(with: "─ [5] Fig ─") == nil, "\(screen.text)")
    #expect(screen.hears("Results"))
    screen.press("v")
    #expect(screen.line(with: " [5] ") == nil, "\(screen.text)")
    screen = try Self.screen(columns: 119)
    screen.press("4 g")
    #expect(screen.line(with: " [5] ") == nil, "\(screen.text)")
  }

  /// Whether the screen shows the namespaces, and whether it shows the record.
  private static func shows(_ screen: Screen) -> [Bool] {
    [screen.line(with: "[1] Namespaces") != nil, screen.line(with: " [5] ") != nil]
  }

  @Test("the rows have as many columns as on a screen of 80 columns, if need be of the left side")
  func room() throws {
    let wide = (0..<9).map { #""field\#($0)": "\#(String(repeating: "x", count: 8))""# }
    let store = try Dataset.load([
      (name: "things.json", bytes: Array("[{\(wide.joined(separator: ", "))}]".utf8))
    ])
    // The rows need 72 columns, the left side 27 and the record 36.
    for (columns, shown) in [
      (119, [true, false]), (120, [false, true]), (134, [false, true]), (135, [true, true]),
      (200, [true, true]),
    ] {
      let screen = try Screen(
        columns: columns, rows: 30, query: QueryPlan("things"), store: store)
      #expect(Self.shows(screen) == shown, "\(columns) \(screen.text)")
      let titles = try #require(screen.line(with: "field0"))
      #expect(titles.contains("field6"), "\(columns) \(screen.text)")
    }
  }

  @Test("on 120 columns the rows have 84 of them, until the left side has the focus")
  func focus() throws {
    var screen = try Self.screen(columns: 120)
    let line = try #require(screen.line(with: " [5] Fig ─"), "\(screen.text)")
    let start = try #require(line.firstRange(of: "╭─ [5]")).lowerBound
    #expect(line.distance(from: line.startIndex, to: start) == 84, "\(screen.text)")
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
    for (keys, shown) in [
      ("1", [true, false]), ("2", [true, false]), ("3", [false, true]), ("4", [false, true]),
      ("down down", [false, true]), ("Z", [false, false]), ("Z", [false, true]),
      ("v", [false, false]), ("v v", [false, true]), ("1", [true, false]),
    ] {
      screen.press(keys)
      #expect(Self.shows(screen) == shown, "\(keys)\n\(screen.text)")
    }
    // The click is on a row, although the record will be there.
    screen.mouse(.press(.left, clicks: 1), 8, 100)
    #expect(screen.hears("Results"), "\(screen.text)")
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
  }

  @Test("the left side stays hidden while the query of a namespace changes")
  func queries() throws {
    var screen = try Self.screen(columns: 120)
    for (keys, shown) in [
      ("4 #", [false, false]), ("v", [false, false]), ("v v", [false, false]),
      ("enter", [false, true]), ("[", [false, false]), ("u", [false, true]),
      ("F 'height < 0' enter", [false, false]), ("u", [false, true]),
      ("1 up enter", [true, true]),
    ] {
      try screen.play(keys)
      #expect(Self.shows(screen) == shown, "\(keys)\n\(screen.text)")
    }
  }

  @Test("the left side keeps a width that the user set")
  func width() throws {
    var screen = try Self.screen(columns: 120)
    screen.press("1 ) 4")
    #expect(screen.splits == ["left": 29])
    #expect(Self.shows(screen) == [true, false], "\(screen.text)")
    screen.press("=")
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
  }

  @Test(
    "without a record the left side is shown",
    arguments: ["plants filter height > 999999", "plants group bed", "plants count"])
  func noRecord(query: String) throws {
    let plan = try QueryDocument(text: query).plans[0]
    let screen = try Screen(columns: 120, rows: 30, query: plan)
    #expect(Self.shows(screen) == [true, false], "\(screen.text)")
  }

  @Test("the layout does not change while other rows load")
  func loading() throws {
    var screen = try Self.screen(columns: 120)
    screen.isSlow = true
    screen.press("4 $ enter")
    #expect(screen.watched.last?.document.plans.first?.namespace == "beds")
    #expect(Self.shows(screen) == [false, false], "\(screen.text)")
    screen.answerAtLast()
    // Beds need less space.
    #expect(Self.shows(screen) == [true, true], "\(screen.text)")
    screen.isSlow = false
    screen.press("[")
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
    screen.isSlow = true
    screen.press("t")
    #expect(Self.shows(screen) == [false, false], "\(screen.text)")
  }

  @Test("wider columns leave the layout as it is")
  func widerColumns() throws {
    var screen = try Self.screen(columns: 120)
    screen.press("4")
    for _ in 0..<40 { screen.press("}") }
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
  }

  @Test("its border can be moved by a key and by the mouse")
  func divider() throws {
    var screen = try Self.screen(columns: 120)
    screen.press("4 (")
    #expect(screen.splits == ["beside": 38])
    screen = try Self.screen(columns: 120)
    screen.mouse(.press(.left, clicks: 1), 8, 84)
    screen.mouse(.drag(.left), 8, 70)
    screen.mouse(.release(.left), 8, 70)
    #expect(screen.splits == ["beside": 50])
    #expect(Self.shows(screen) == [false, true], "\(screen.text)")
  }

  @Test("the id follows the values if there is a label")
  func id() throws {
    var screen = try Self.screen(columns: 80)
    screen.press("4 g enter")
    let lines = screen.text.split(separator: "\n").map(String.init)
    let id = try #require(lines.firstIndex { $0.contains("│ id ") })
    let name = try #require(lines.firstIndex { $0.contains("│ name ") })
    #expect(name < id, "\(screen.text)")
  }

  @Test("an id stays on one line, shortened in the middle")
  func shortID() throws {
    let screen = try Screen(columns: 120, rows: 36, query: QueryPlan("beds"))
    #expect(screen.line(with: "02935472-b…dee8159ed3 ") != nil, "\(screen.text)")
    let lines = screen.text.split(separator: "\n")
    #expect(lines.count { $0.contains("dee8159ed3") } == 1, "\(screen.text)")
  }

  @Test(
    "narrow rows leave space for it from 120 columns on", arguments: [(119, false), (120, true)])
  func narrowRows(columns: Int, isShown: Bool) throws {
    let screen = try Screen(columns: columns, rows: 30, query: QueryPlan("beds"))
    #expect((screen.line(with: " [5] ") != nil) == isShown, "\(screen.text)")
  }

  @Test("on narrower screens a key shows it and hides it again", arguments: [80, 119])
  func onDemand(columns: Int) throws {
    var screen = try Self.screen(columns: columns)
    screen.press("4 g K")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("down")
    #expect(!screen.text.contains(" [5] Fig ─") && screen.text.contains(" [5] "))
    screen.press("K")
    #expect(!screen.text.contains(" [5] "), "\(screen.text)")
    screen.press("K escape")
    #expect(!screen.text.contains(" [5] "), "\(screen.text)")
  }

  @Test("on wide screens a key hides it, also in the next session, and shows it again")
  func hiding() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g 0")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("K")
    #expect(!screen.text.contains(" [5] ") && screen.text.contains(" [1] "), "\(screen.text)")
    screen.press("q")
    let view = try #require(screen.lastView)
    var again = try Screen(columns: 130, rows: 30, recalled: RestoredSession(view: view))
    again.press("4 g 0")
    #expect(!again.text.contains(" [5] "), "\(again.text)")
    again.press("K")
    #expect(again.text.contains(" [5] Fig ─"), "\(again.text)")
  }

  @Test("once opened it is also shown in a new tab and in the next session")
  func kept() throws {
    var screen = try Self.screen(columns: 100)
    screen.press("4 g K t")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("q")
    let view = try #require(screen.lastView)
    let again = try Screen(columns: 100, rows: 30, recalled: RestoredSession(view: view))
    #expect(again.text.contains(" [5] Fig ─"), "\(again.text)")
  }

  @Test("while another view hides it, escape does not close it")
  func hidden() throws {
    var screen = try Self.screen(columns: 100)
    screen.press("4 g K v escape")
    #expect(!screen.text.contains(" [5] "), "\(screen.text)")
    screen.press("v v")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
  }

  @Test("without space for both it opens above the rows")
  func small() throws {
    var screen = try Self.screen(columns: 40, rows: 10)
    screen.press("4 g 0 K")
    #expect(screen.hears("Record"), "\(screen.text)")
  }

  @Test("on demand it shows the target of the link under the cursor")
  func links() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g $")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
    screen.press("K")
    #expect(screen.text.contains(" [5] South wall ─"), "\(screen.text)")
    screen.press("0")
    #expect(screen.text.contains(" [5] Fig ─"), "\(screen.text)")
  }

  @Test(
    "the number of linked rows is unknown if the query read only some of them",
    arguments: [
      ("fields name", "…"), ("fields name with plants { fields name }", "2"),
    ])
  func unreadLinks(ofBed nested: String, count: String) throws {
    let query = try QueryDocument(
      text: "plants filter name = \"Fig\" fields name with bed { \(nested) }")
    var screen = try Screen(columns: 160, rows: 30, query: query.plans[0], isPartial: true)
    screen.press("4 g down down")
    #expect(screen.text.contains(" [5] South wall ─"), "\(screen.text)")
    let pattern = try Regex("⇉ plants +\(count) ")
    #expect(screen.text.contains(pattern), "\(screen.text)")
  }

  @Test("a link of a partly loaded row without linked rows is empty, not unknown")
  func noLinkedRows() throws {
    var screen = try Screen(columns: 160, rows: 30, query: QueryPlan("beds"), isPartial: true)
    screen.press("4 g down down")
    #expect(screen.text.contains(" [5] Fallow ─"), "\(screen.text)")
    #expect(screen.text.contains(try Regex("⇉ plants +· ")), "\(screen.text)")
  }

  @Test("long texts are wrapped, nested values folded at their first level")
  func values() throws {
    let text =
      #"[{"key": "a", "text": "\#(String(repeating: "word ", count: 40))end", "#
      + #""tree": {"leaf": 1, "branch": {"twig": 2}}}]"#
    var screen = try Screen(
      columns: 140, rows: 30, query: QueryPlan("things"),
      store: try Dataset.load([(name: "things.json", bytes: Array(text.utf8))]))
    screen.press("4")
    #expect(screen.text.contains(" end "), "\(screen.text)")
    #expect(screen.text.contains("leaf") && screen.text.contains("branch"), "\(screen.text)")
    #expect(!screen.text.contains("twig "), "\(screen.text)")
  }

  @Test("it lists as many linked rows as fit", arguments: [24, 60, 80])
  func linkedRows(rows: Int) throws {
    let plants = (1...58).map { #"{"key": "p\#($0)", "name": "Plant \#($0)", "bed": "south"}"# }
    let store = try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
    let screen = try Screen(columns: 200, rows: rows, query: QueryPlan("beds"), store: store)
    let listed = screen.text.split(separator: "\n").count { $0.contains(#/Plant \d+ +│$/#) }
    if rows == 80 {
      #expect(listed == 58, "\(screen.text)")
    } else {
      // The last line above the border and the footer counts the others.
      #expect(listed > 5)
      #expect(screen.row(rows - 3).contains("… \(58 - listed) more"), "\(screen.text)")
    }
  }

  @Test("a click on it opens the record")
  func click() throws {
    var screen = try Self.screen(columns: 130)
    screen.press("4 g")
    screen.mouse(.press(.left, clicks: 1), 8, 120)
    #expect(screen.hears("Record"), "\(screen.text)")
  }
}
