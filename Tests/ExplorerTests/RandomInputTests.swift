import DataSourcesTesting
import Explorer
import InstaQL
import Notebooks
import TerminalUI
import Testing
import Triples
import TestSupport

/// Random keys, sizes and data, one after the other, on every pane: each seed is a run that can be
/// repeated.
@Suite("Random keys, sizes and changes")
struct RandomInputTests {
  private static let keys: [Key] = {
    let all = Keymap.standard.rows.flatMap(\.keys)
    // What leaves or stops the program ends the storm too soon.
    return all.filter { Keymap.standard.command(for: $0, in: .results) != .quit }
  }()
  private static let words = [
    "plants filter height > ", "name", "é", "漢字", "\"", "(", "null", "1_000", "👍🏽", "bed.name = ",
  ]
  private static let sizes = [
    Size(columns: 1, rows: 1), Size(columns: 40, rows: 10), Size(columns: 41, rows: 11),
    Size(columns: 80, rows: 24), Size(columns: 120, rows: 40), Size(columns: 200, rows: 5),
    Size(columns: 39, rows: 60), Size(columns: 71, rows: 10), Size(columns: 300, rows: 12),
  ]

  @Test(
    "random keys, mouse events and sizes in any pane give a complete frame",
    arguments: [UInt64](1...38))
  func storm(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let isWide = seed.isMultiple(of: 3)
    var screen = try Screen(
      columns: 90, rows: 24, query: QueryPlan("plants"),
      store: isWide ? Self.wideStore() : Garden.store(),
      readOnlyReason: seed.isMultiple(of: 7) ? "It is open read-only" : nil,
      isScreenReader: seed.isMultiple(of: 8), isPartial: seed.isMultiple(of: 5),
      usesVi: seed.isMultiple(of: 4))
    screen.saved = [SavedQuery(name: "Tall", store: "garden", text: "plants filter height > 100")]
    // Each pane is where two of the storms begin.
    screen.press(PaneTraits.allCases[Int(seed) % PaneTraits.allCases.count].way)
    var size = Size(columns: 90, rows: 24)
    var script: [String] = []
    for _ in 0..<120 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0..<6:
        size =
          Bool.random(using: &random)
          ? Self.sizes[Int.random(in: 0..<Self.sizes.count, using: &random)]
          : Size(
            columns: Int.random(in: 1...160, using: &random),
            rows: Int.random(in: 1...50, using: &random))
        script.append("\(size.columns)×\(size.rows)")
        screen.handle(.terminal(.resize(size)))
      case 6:
        let word = Self.words[Int.random(in: 0..<Self.words.count, using: &random)]
        script.append("'\(word)'")
        screen.handle(.terminal(.paste(word)))
      case 7:
        let row = Int.random(in: 0..<max(1, size.rows), using: &random)
        let column = Int.random(in: 0..<max(1, size.columns), using: &random)
        script.append("click \(row) \(column)")
        screen.handle(
          .terminal(.mouse(Mouse(.press(.left, clicks: 1), row: row, column: column))))
      case 8:
        script.append("other data")
        screen.change(to: Bool.random(using: &random) ? try Garden.store() : try Self.wideStore())
      default:
        let key = Self.keys[Int.random(in: 0..<Self.keys.count, using: &random)]
        script.append(key.name)
        screen.handle(.terminal(.key(key)))
      }
      let frame = screen.workspace.view()
      guard frame.size == size, Self.isWhole(frame) else {
        Issue.record("seed \(seed): \(script.joined(separator: " "))")
        return
      }
    }
  }

  @Test(
    "every pane and prompt is drawn in a hundred sizes, down to one cell and back",
    arguments: PaneTraits.allCases)
  func resizing(focus: PaneTraits) throws {
    var random = SeededGenerator(seed: 7)
    var screen = try Screen(columns: 100, rows: 30, query: QueryPlan("plants"))
    screen.press(focus.way)
    for step in 0..<100 {
      let size =
        step.isMultiple(of: 9)
        ? Size(columns: 1, rows: 1)
        : Size(
          columns: Int.random(in: 1...220, using: &random),
          rows: Int.random(in: 1...70, using: &random))
      screen.handle(.terminal(.resize(size)))
      if step == 50 { screen.press("/") }
      let frame = screen.workspace.view()
      #expect(frame.size == size && Self.isWhole(frame), "\(focus), step \(step), \(size)")
    }
    screen.press("escape")
    screen.handle(.terminal(.resize(Size(columns: 100, rows: 30))))
    #expect(screen.row(0).contains("garden"))
  }

  /// Whether the cursor is on the frame and every wide glyph has its two cells.
  private static func isWhole(_ frame: Frame) -> Bool {
    if let cursor = frame.cursor, !Rect(frame.size).contains(cursor) { return false }
    for row in 0..<frame.size.rows {
      var covers = false
      for column in 0..<frame.size.columns {
        let cell = frame.cell(row: row, column: column)
        if cell.isSecondHalf != covers { return false }
        covers = cell.isWide
      }
      if covers { return false }
    }
    return true
  }

  private static func wideStore() throws -> TripleStore {
    let plants = HostileTextTests.texts.enumerated().map { place, text in
      "{\"key\": \"k\(place)\", \"name\": \(JSONWriter.text(.text(text))), \"height\": \(place)}"
    }
    return try Garden.store(plants: "[" + plants.joined(separator: ",") + "]")
  }
}
