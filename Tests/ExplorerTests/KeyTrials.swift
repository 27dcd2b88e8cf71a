import Explorer
import InstaQL
import TerminalUI
import Testing
import Triples

/// The required effect of a key, on the screen or as an effect of the workspace.
struct KeyTrial {
  /// Keys that open the state in which the key is pressed.
  let way: String
  let holds: (_ before: Screen, _ after: Screen) -> Bool

  init(_ way: String, _ holds: @escaping (_ before: Screen, _ after: Screen) -> Bool) {
    self.way = way
    self.holds = holds
  }

  /// Tried in the results of sixty plants, P00 to P59, ordered by name.
  ///
  /// A key whose command does not say here what it does fails.
  static func of(_ command: Command, in focus: PaneTraits?) -> KeyTrial {
    switch focus {
    case .menu?: KeyTrial("y") { $1.effects.last == .copy("P00") }
    case .relations?: inRelations(command)
    case .columns?: inColumns(command)
    case .schema?: inSchema(command)
    case .namespaces?: KeyTrial("1") { $1.hears("All columns") }
    case .facets?: KeyTrial("z") { $1.text.contains("1 selected") }
    case .export?: KeyTrial("E") { $0.text.contains("‹ csv ›") && $1.text.contains("‹ json ›") }
    case .changes?:
      KeyTrial("C") { !$0.text.contains("differences") && $1.text.contains("differences") }
    // The pond has more plants than its record lists at first.
    case .entity? where command == .filterByCell:
      KeyTrial("enter") { $1.text.contains("Filter by name") }
    case .entity?: KeyTrial("$ enter enter") { $0.count(of: "more") > $1.count(of: "more") }
    case nil, .results?: inResults(command)
    default:
      KeyTrial("") { _, _ in false }
    }
  }

  private static func inResults(_ command: Command) -> KeyTrial {
    moving(command) ?? panes(command) ?? querying(command) ?? data(command)
      ?? KeyTrial("") { _, _ in false }
  }

  private static func moving(_ command: Command) -> KeyTrial? {
    switch command {
    case .up: KeyTrial("j j") { $1.chosenRow.contains("P01") }
    case .down: KeyTrial("") { $1.chosenRow.contains("P01") }
    case .left: KeyTrial("l") { $0.chosenCell == "100" && $1.chosenCell == "P00" }
    case .right: KeyTrial("") { $1.chosenCell == "100" }
    case .pageUp, .halfPageUp:
      KeyTrial("G") { !$1.chosenRow.contains("P59") && $1.chosenRow.contains("P") }
    case .pageDown, .halfPageDown:
      KeyTrial("") { !$1.chosenRow.contains("P00") && !$1.chosenRow.contains("P01") }
    case .first: KeyTrial("G") { $1.chosenRow.contains("P00") }
    case .last: KeyTrial("") { $1.chosenRow.contains("P59") }
    case .firstColumn: KeyTrial("l l") { $1.chosenCell == "P00" }
    case .lastColumn: KeyTrial("") { $1.chosenCell.contains("By the pond") }
    default: nil
    }
  }

  private static func panes(_ command: Command) -> KeyTrial? {
    switch command {
    case .nextPane: KeyTrial("") { $1.hears("Namespaces") }
    case .previousPane: KeyTrial("") { $1.hears("Query") }
    case .paneNamespaces: KeyTrial("") { $1.hears("Namespaces") }
    case .paneSchema: KeyTrial("") { $1.hears("Schema") }
    case .paneQuery: KeyTrial("") { $1.hears("Query") }
    case .paneResults: KeyTrial("1") { $0.hears("Namespaces") && $1.hears("Results") }
    case .paneEntity: KeyTrial("$") { $1.hears("Record") && $1.text.contains("P00 ─") }
    case .peek: KeyTrial("$") { $1.text.contains("By the pond ─") }
    case .open: KeyTrial("") { $1.hears("Record") }
    case .back: KeyTrial("$ enter") { $0.asked?.contains("beds") == true && $1.isOfPlants }
    case .forward: KeyTrial("$ enter [") { $0.isOfPlants && $1.asked?.contains("beds") == true }
    case .expand: KeyTrial("") { $1.text.contains("╰ bed 1") }
    case .expandAll:
      KeyTrial("") { $1.text.split(separator: "\n").count { $0.contains("╰ bed 1") } > 1 }
    case .fold: KeyTrial(">") { $0.text.contains("╰ bed 1") && !$1.text.contains("╰ bed 1") }
    case .palette: KeyTrial("") { $1.text.contains("Command") }
    case .stores: KeyTrial("") { $1.text.contains("─ Stores ─") }
    case .help: KeyTrial("") { $1.text.contains("Keys in Results") }
    case .cancel: KeyTrial("C") { $0.hears("Changes") && $1.hears("Results") }
    case .columns: KeyTrial("") { $1.hears("Columns") }
    case .relations: KeyTrial("") { $1.hears("Relations") }
    case .changes: KeyTrial("") { $1.hears("Changes") }
    case .subscriptions: KeyTrial("") { $1.hears("Live queries") }
    case .diagram: KeyTrial("") { $1.hears("Diagram") }
    case .facets: KeyTrial("") { $1.text.contains("Values of name") }
    case .explain: KeyTrial("") { $1.text.contains("P00 matches") }
    case .splitLeft, .splitRight, .splitUp, .splitDown: KeyTrial("") { $0.text != $1.text }
    case .evenSplits: KeyTrial(")") { $0.text != $1.text }
    case .zoom:
      KeyTrial("") { $0.text.contains("Namespaces") && !$1.text.contains("Namespaces") }
    case .newTab: KeyTrial("") { $1.text.contains("Opened tab 2") }
    case .closeTab: KeyTrial("t") { $0.hasTabs && !$1.hasTabs }
    case .nextTab, .previousTab: KeyTrial("t G") { $1.chosenRow.contains("P00") }
    default: nil
    }
  }

  private static func querying(_ command: Command) -> KeyTrial? {
    switch command {
    case .filterByCell: KeyTrial("") { $1.text.contains("Filter by name") }
    case .excludeCell: KeyTrial("") { $1.asked?.contains("name != \"P00\"") == true }
    case .filterText: KeyTrial("") { $1.text.contains("─ Filter ─") }
    case .clearFilters:
      KeyTrial("X") { $0.asked?.contains("filter") == true && $1.isOfPlants }
    case .queryText: KeyTrial("") { $1.text.contains("plants order name▏") || $1.isTyping }
    case .order: KeyTrial("l") { $1.asked == "plants order height" }
    case .orderFurther: KeyTrial("l") { $1.asked == "plants order name, height desc" }
    case .group:
      KeyTrial("l") { $1.asked == "plants group height order count desc" }
    case .aggregate: KeyTrial("l") { $1.text.contains("sum(height)") }
    case .orderText: KeyTrial("") { $1.text.contains("─ Sort ─") }
    case .limit: KeyTrial("") { $1.text.contains("─ Limit ─") }
    case .undo: KeyTrial("l s") { $0.asked == "plants order height" && $1.isOfPlants }
    case .redo: KeyTrial("l s u") { $0.isOfPlants && $1.asked == "plants order height" }
    case .find: KeyTrial("") { $1.text.contains("─ Find ─") }
    case .findNext:
      KeyTrial("/ P 1 enter") { $0.chosenRow.contains("P10") && $1.chosenRow.contains("P11") }
    case .findPrevious:
      KeyTrial("/ P 1 enter n") { $0.chosenRow.contains("P11") && $1.chosenRow.contains("P10") }
    case .spelling: KeyTrial("") { $1.text.contains("InstaQL ─╮") }
    case .form: KeyTrial("") { $1.text.contains("tree ·") }
    case .saveQuery: KeyTrial("") { $1.text.contains("Save the query as") }
    case .savedQueries: KeyTrial("") { $1.requests.last?.request == .savedQueries }
    case .hideColumn: KeyTrial("l") { $1.text.contains("Hid column “height”") }
    case .moveColumnLeft, .moveColumnRight:
      KeyTrial("l") { $1.notice == .movedColumn("height") }
    case .fitColumn: KeyTrial("") { $1.text != $0.text || $1.effects.count > $0.effects.count }
    case .freezeColumn: KeyTrial("l") { $1.effects.count > $0.effects.count }
    case .wider, .narrower: KeyTrial("l") { $1.effects.count > $0.effects.count }
    default: nil
    }
  }

  private static func data(_ command: Command) -> KeyTrial? {
    switch command {
    case .mark: KeyTrial("") { $1.text.contains("●P00") }
    case .marks: KeyTrial("") { $1.text.contains("No rows selected") }
    case .deleteMarked: nil
    case .copy: KeyTrial("") { $1.text.contains("row as JSON") }
    case .export: KeyTrial("") { $1.text.contains("plants.csv") }
    case .pipe: KeyTrial("") { $1.text.contains("─ Pipe ─") && $1.text.contains("‹ ndjson ›") }
    case .outside: KeyTrial("") { $1.text.contains("Open in the pager") }
    case .edit: KeyTrial("") { $1.text.contains("Edit name") }
    case .add: KeyTrial("") { $1.text.contains("New row in plants") }
    case .delete: KeyTrial("") { $1.text.contains("Delete P00?") }
    case .redoTransaction:
      KeyTrial("") { $1.notice == .nothingToRedoInData }
    case .undoTransaction:
      KeyTrial("e end X enter") { $0.text.contains("P00X") && !$1.text.contains("P00X") }
    case .hold: KeyTrial("") { $1.row(0).contains("±0 staged") }
    case .pause: KeyTrial("") { $1.row(0).contains("paused") }
    case .mouse: KeyTrial("") { $1.effects.last == .mouse(isOn: nil) }
    case .callServer: KeyTrial("") { $1.notice == .alreadyConnected }
    case .nextTheme: KeyTrial("") { $1.effects.last == .theme(.next) }
    case .themes: KeyTrial("") { $1.hears("Themes") }
    case .suspend: KeyTrial("") { $1.effects.last == .suspend }
    case .redraw: KeyTrial("") { $1.effects.last == .redraw }
    case .quit: KeyTrial("") { $1.effects.last == .quit(status: 0) }
    case .interrupt: KeyTrial("") { $1.effects.last == .quit(status: 130) }
    default: nil
    }
  }

  /// The cursor is at the height of plants.
  private static func inSchema(_ command: Command) -> KeyTrial {
    let way = "2 / h e i g enter"
    return switch command {
    case .filterByCell: KeyTrial(way) { $1.text.contains("─ Filter ─") }
    case .order: KeyTrial(way) { $1.asked == "plants order height" }
    case .orderFurther: KeyTrial(way) { $1.asked == "plants order name, height desc" }
    case .group: KeyTrial(way) { $1.asked == "plants group height order count desc" }
    case .aggregate: KeyTrial(way) { $1.text.contains("sum(height)") }
    case .columns: KeyTrial(way) { $1.hears("Columns") }
    case .hideColumn: KeyTrial(way) { $1.text.contains("Hid column “height”") }
    case .fitColumn, .freezeColumn: KeyTrial(way) { $1.effects.count > $0.effects.count }
    default: KeyTrial("") { _, _ in false }
    }
  }

  private static func inRelations(_ command: Command) -> KeyTrial {
    switch command {
    case .mark: KeyTrial("w") { $1.asked?.contains("with bed") == true }
    case .orderText: KeyTrial("w space") { $1.text.contains("Sort of bed") }
    default: KeyTrial("") { _, _ in false }
    }
  }

  private static func inColumns(_ command: Command) -> KeyTrial {
    switch command {
    case .mark: KeyTrial("c j") { $1.text.contains("[ ] height") }
    case .moveColumnLeft: KeyTrial("c j") { $1.text.firstIs("height", before: "name") }
    case .moveColumnRight: KeyTrial("c") { $1.text.firstIs("height", before: "name") }
    case .wider, .narrower, .fitColumn: KeyTrial("c") { $1.text.contains(" wide (custom)") }
    case .freezeColumn: KeyTrial("c j") { $1.text.contains("frozen") }
    case .reset:
      KeyTrial("c j space") { $0.text.contains("[ ] height") && !$1.text.contains("[ ]") }
    default: KeyTrial("") { _, _ in false }
    }
  }
}

extension String {
  /// Whether the box of one column stands above that of another.
  fileprivate func firstIs(_ first: String, before second: String) -> Bool {
    guard let one = firstRange(of: "] " + first), let other = firstRange(of: "] " + second) else {
      return false
    }
    return one.lowerBound < other.lowerBound
  }
}

extension Screen {
  fileprivate var asked: String? { watched.last?.document.text }
  fileprivate var isOfPlants: Bool { asked == "plants order name" }
  fileprivate var isTyping: Bool { workspace.view().cursor != nil }
  fileprivate var hasTabs: Bool { row(0).contains("plants]") }
  fileprivate var chosenRow: String { text(on: [.selection, .cursorCell, .matchCurrent]) }
  fileprivate var chosenCell: String { text(on: [.cursorCell]) }

  func text(on grounds: Set<Role>) -> String {
    let frame = workspace.view()
    for row in 0..<frame.size.rows {
      let text = (0..<frame.size.columns).map { frame.cell(row: row, column: $0) }
        .filter { grounds.contains($0.paint.ground) && !$0.isSecondHalf }
        .map { String($0.scalar) }.joined()
      if !text.isEmpty { return text.trimmed }
    }
    return ""
  }

  /// The number of times that a text is on the screen.
  func count(of part: String) -> Int { text.ranges(of: part).count }

  /// Whether the keys are heard by a pane of this name.
  func hears(_ name: String) -> Bool {
    var screen = self
    screen.press("f1")
    return screen.text.contains("Keys in \(name)")
  }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}

@Suite("Every key of the keymap")
struct KeyTrialTests {
  private static let store: TripleStore? = try? Garden.store(
    plants: "["
      + (0..<60).map { number in
        let name = "P" + (number < 10 ? "0" : "") + "\(number)"
        return #"{"key": "k\#(number)", "name": "\#(name)", "height": \#(100 + number), "#
          + #""bed": "pond"}"#
      }.joined(separator: ",") + "]")

  private static func screen(rows: Int = 24, _ keymap: Keymap = .standard) throws -> Screen {
    try Screen(
      columns: 130, rows: rows, query: QueryPlan("plants").order("name"), store: store,
      keymap: keymap)
  }

  @Test("works the same when rebound, with help and footer", arguments: Command.allCases)
  func renamed(_ command: Command) throws {
    let other = Key.function(12)
    let keymap = Keymap.standard.changed([command: [other]])
    let rows = Keymap.standard.rows.filter { $0.command == command }
    for row in rows {
      var screen = try Self.screen(keymap)
      let trial = KeyTrial.of(command, in: row.focus)
      screen.press(trial.way)
      let before = screen
      screen.handle(.terminal(.key(other)))
      let holds = trial.holds(before, screen)
      #expect(holds, "in \(row.focus?.title ?? "Results"):\n\(screen.text)")
      for key in row.keys {
        #expect(keymap.command(for: key, in: row.focus ?? .results) != command)
      }
    }
    #expect(keymap.keys(for: command, in: rows.first?.focus ?? .results) == [other])
    var help = try Self.screen(rows: 150, keymap)
    help.press(rows.first?.focus?.way ?? "")
    let (footer, former) = (help.row(149), try Self.screen(rows: 150).row(149))
    if let key = rows.first?.keys.first, rows[0].focus == nil,
      former.contains(" \(key.name) \(command.label) ")
    {
      #expect(footer.contains(" \(other.name) \(command.label) "))
    }
    help.press(command == .help ? other.name : "f1")
    let told = help.text.split(separator: "\n").contains {
      $0.contains(other.name) && $0.contains(command.help.prefix(30))
    }
    #expect(told, "\(help.text)")
  }

  @Test("does what the keymap says in its panes", arguments: Array(Keymap.standard.rows.indices))
  func row(_ index: Int) throws {
    let row = Keymap.standard.rows[index]
    let trial = KeyTrial.of(row.command, in: row.focus)
    for key in row.keys {
      var screen = try Self.screen()
      screen.press(trial.way)
      let before = screen
      screen.handle(.terminal(.key(key)))
      let holds = trial.holds(before, screen)
      #expect(
        holds,
        "\(key.name) (\(row.command.name)) in \(row.focus?.title ?? "Results"):\n\(screen.text)")
    }
  }
}
