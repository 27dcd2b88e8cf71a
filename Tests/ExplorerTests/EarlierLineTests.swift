@testable import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

@Suite("Earlier lines of prompts")
struct EarlierLineTests {
  @Test("up recalls submitted lines and those of earlier queries, down leads back")
  func recalling() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    for text in ["height > 1", "height > 2"] {
      screen.press("F ctrl-u")
      screen.type(text)
      screen.press("escape F ctrl-u")
      screen.type(text)
      screen.press("enter")
    }
    screen.press("F ctrl-u up")
    #expect(screen.text.contains("height > 2"))
    screen.press("up")
    #expect(screen.text.contains("height > 1"))
    screen.press("up")
    #expect(screen.text.contains("There is no other input to recall."))
    screen.press("down down enter")
    #expect(screen.watched.last?.document.text == "plants")
  }

  private static let query = QueryPlan("plants").filter(.compare("height", .greater, 1))
    .order("name")

  @Test(
    "a query and its clauses are continued after a space",
    arguments: [
      ("Q", "limit 2", "plants filter height > 1 order name limit 2"),
      ("F", "and edible = true", "plants filter height > 1 and edible = true order name"),
      ("O", "desc", "plants filter height > 1 order name desc"),
    ])
  func continued(key: String, text: String, query: String) throws {
    var screen = try Screen(query: Self.query)
    screen.press(key)
    screen.type(text)
    screen.press("enter")
    #expect(screen.watched.last?.document.text == query, "\(screen.text)")
  }

  @Test("the sort of groups is continued with a column, and an empty one has an example")
  func orderOfGroups() throws {
    let plan = try QueryDocument(
      text: "plants filter height > 1 group edible aggregate sum(height)"
        + " having sum(height) > 1 order sum_height desc"
    ).plans[0]
    var screen = try Screen(columns: 120, query: plan)
    screen.press("O")
    screen.type(", edible")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == plan.text + ", edible", "\(screen.text)")
    screen.press("O ctrl-u")
    #expect(screen.text.contains("count() desc"), "\(screen.text)")
  }

  @Test("an unchanged line changes nothing and is not recalled", arguments: ["Q", "F", "O"])
  func unchanged(key: String) throws {
    var screen = try Screen(query: Self.query)
    let watched = screen.workspace.tab.watch
    screen.press("\(key) enter")
    #expect(screen.workspace.tab.watch == watched)
    screen.press("\(key) up")
    #expect(screen.notice == .noEarlierLine)
  }

  @Test("each line is recalled once, the typed one last")
  func lines() {
    var lines = EarlierLines(["b", "a", "b", "", "typed"], typed: "typed")
    #expect(lines.later() == nil)
    #expect(lines.earlier() == "b")
    #expect(lines.earlier() == "a")
    #expect(lines.earlier() == nil)
    #expect(lines.later() == "b")
    #expect(lines.later() == "typed")
    #expect(lines.later() == nil)
  }

  @Test("a value has no earlier lines")
  func values() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("e up")
    #expect(screen.text.contains("does nothing"))
  }
}

@Suite("Groups and aggregates by key")
struct GroupKeyTests {
  @Test("a column is grouped and counted, and undo leads back")
  func group() throws {
    var screen = try Screen(query: QueryPlan("plants").filter(.compare("height", .greater, 0)))
    screen.press("l #")
    #expect(
      screen.watched.last?.document.text
        == "plants filter height > 0 group height order count desc")
    screen.press("#")
    #expect(screen.text.contains("this row is a group"))
    screen.press("u")
    #expect(screen.watched.last?.document.text == "plants filter height > 0")
  }

  @Test("a function is chosen from a menu, and for groups from a list")
  func aggregate() throws {
    var screen = try Screen(query: QueryPlan("plants"))
    screen.press("l +")
    #expect(screen.text.contains("median(height)"))
    screen.press("s")
    #expect(screen.watched.last?.document.text == "plants aggregate sum(height)")
    screen.press("u # +")
    screen.type("sum height")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "plants group name aggregate count(), sum(height) order count desc")
    screen.press("+")
    screen.type("max height")
    screen.press("enter")
    #expect(
      screen.watched.last?.document.text
        == "plants group name aggregate count(), sum(height), max(height) order count desc")
  }
}

@Suite("What the palette finds")
struct PaletteMatchTests {
  @Test(
    "words of other programs lead to commands",
    arguments: [
      ("sort", Command.order), ("insert", .add), ("group", .group), ("exit", .quit),
      ("refresh", .redraw), ("where", .filterByCell), ("join", .relations), ("remove", .delete),
      ("remove filters", .clearFilters), ("reset", .clearFilters), ("edit query", .queryText),
      ("details", .paneEntity), ("jump", .first), ("jump", .last), ("bottom", .last),
      ("top", .first), ("reverse", .order), ("distinct", .facets), ("unique", .facets),
      ("rename", .edit), ("open file", .stores),
    ])
  func synonyms(_ word: String, _ command: Command) {
    let found = PaletteMatch.all(for: word, among: []).prefix(3).map(\.entry)
    #expect(found.contains(.command(command)), "\(word): \(found)")
  }

  @Test("refresh pauses nothing, and a custom command precedes synonyms")
  func precedence() {
    let refresh = PaletteMatch.all(for: "refresh", among: []).map(\.entry)
    #expect(!refresh.contains(.command(.pause)), "\(refresh)")
    let offer = CommandOffer(
      command: CustomCommand(name: "CSV to the printer", line: "lp"), reason: nil)
    let found = PaletteMatch.all(for: "csv", offering: [offer], among: []).map(\.entry)
    #expect(Array(found.prefix(2)) == [.custom(offer), .command(.export)])
  }

  @Test(
    "settings are found by several words",
    arguments: [
      ("settings", ScreenSetting.file), ("config", .file), ("preferences", .file), ("vi", .viKeys),
      ("reduced motion", .reducedMotion), ("animation", .reducedMotion),
      ("screen reader", .screenReader), ("accessibility", .screenReader), ("ascii", .ascii),
      ("write", .write), ("read-only", .write),
    ])
  func settings(_ word: String, _ setting: ScreenSetting) {
    let found = PaletteMatch.all(
      for: word, among: ScreenSetting.allCases.map(PaletteEntry.setting))
    #expect(found.prefix(3).map(\.entry).contains(.setting(setting)), "\(found)")
  }

  @Test(
    "the whole name comes first, then beginnings of words, then scattered letters",
    arguments: [
      ("hide", [PaletteEntry.command(.hideColumn), .command(.columns)]),
      ("continent", [.column("continent"), .namespace("continents")]),
      ("quit", [.command(.quit)]), ("q", [.command(.quit)]), ("wq", [.command(.quit)]),
    ])
  func order(_ typed: String, _ first: [PaletteEntry]) {
    let found = PaletteMatch.all(
      for: typed, among: [.namespace("continents"), .column("continent")])
    #expect(found.map(\.entry).starts(with: first), "\(found.map(\.entry.text))")
  }

  @Test(
    "scattered letters match only if no entry contains the typed words",
    arguments: [
      ("sort", [Command.order, .orderText, .orderFurther]),
      ("new tab", [.newTab]), ("clear all", [.clearFilters]),
    ])
  func words(_ typed: String, _ commands: [Command]) {
    let found = PaletteMatch.all(for: typed, among: [.column("sown_or_treated")])
    #expect(found.map(\.entry) == commands.map(PaletteEntry.command))
  }

  @Test("enter runs a command only if a word of it begins with the typed letters")
  func farMatch() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type("xpor")
    screen.press("enter")
    #expect(screen.notice == .farMatch("xpor"))
    #expect(!screen.text.contains("─ Export"), "\(screen.text)")
    screen.press("enter")
    #expect(screen.text.contains("─ Export"), "\(screen.text)")
    screen.press("escape :")
    screen.type("xpor")
    screen.press("backspace backspace backspace backspace")
    screen.type("expor")
    screen.press("enter")
    #expect(screen.text.contains("─ Export"), "\(screen.text)")
  }

  @Test(
    "the hint for enter follows the first match",
    arguments: [
      ("", "enter run"), ("h", "enter go to column"), ("bed", "enter go to column"),
      ("beds", "enter open"), ("read-only", "enter set"), ("export", "enter run"),
    ])
  func hint(_ typed: String, _ hint: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type(typed)
    #expect(screen.row(23).contains(hint + "  "), "\(screen.text)")
  }

  @Test("write mode in the palette says how to get it")
  func writeMode() throws {
    let reason = "Read-only. Restart with --write to edit."
    var screen = try Screen(
      columns: 110, rows: 24, query: QueryPlan("plants"), readOnlyReason: reason)
    screen.press(":")
    screen.type("read-only")
    #expect(screen.line(with: "write mode (--write)") != nil, "\(screen.text)")
    screen.press("enter")
    #expect(screen.notice == .error(reason))
    screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type("read-only")
    screen.press("enter")
    #expect(screen.notice == .alreadyWritable)
  }

  @Test("columns come before namespaces if the results have the focus", arguments: ["4", "1"])
  func columns(focus: String) throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(focus + " :")
    screen.type("be")
    screen.press("enter")
    let isOfBeds = screen.watched.last?.document.text.hasPrefix("beds") == true
    #expect(isOfBeds == (focus == "1"), "\(screen.text)")
  }

  @Test("columns and namespaces come before commands that match as well")
  func ownNames() {
    let found = PaletteMatch.all(for: "p", among: [.column("price"), .namespace("plants")])
    #expect(found.prefix(2).map(\.entry) == [.column("price"), .namespace("plants")])
  }

  @Test("from the namespaces, a column of the selected namespace is found")
  func selectedNamespace() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("beds"))
    screen.press("1 down :")
    screen.type("edible")
    screen.press("enter s")
    #expect(screen.watched.last?.document.text == "plants order edible")
  }

  @Test("letters are found in order and their places are known")
  func letters() {
    let found = PaletteMatch.all(for: "plt", among: [.namespace("plants"), .namespace("beds")])
    let match = found.first { $0.entry == .namespace("plants") }
    #expect(match?.letters == [0, 1, 4])
    #expect(!found.contains { $0.entry == .namespace("beds") })
    #expect(
      PaletteMatch.all(for: "", among: [.namespace("plants")]).allSatisfy {
        if case .command = $0.entry { true } else { false }
      })
  }

  @Test("a namespace opens and a column gets the cursor")
  func places() throws {
    var screen = try Screen(columns: 110, rows: 24, query: QueryPlan("plants"))
    screen.press(":")
    screen.type("beds")
    screen.press("enter")
    #expect(screen.watched.last?.document.text == "beds")
    screen.press("backspace 1 :")
    screen.type("edible")
    screen.press("enter s")
    #expect(screen.watched.last?.document.text == "plants order edible")
  }
}
