import Explorer
import TerminalUI
import Testing

/// A screen that was broken on purpose, so that a rule reports it.
struct BrokenScreen: Sendable, CustomTestStringConvertible {
  let rule: String
  var scene = Scene.results
  var state = SceneState.usual
  let damage: @Sendable (inout SceneView) -> Void

  var testDescription: String { rule }
}

@Suite("Rules about screens")
struct BrokenScreenTests {
  @Test("report a screen that breaks them", arguments: BrokenScreenTests.screens)
  func damage(_ screen: BrokenScreen) throws {
    let rule = try #require(ScreenInvariant.all.first { $0.name == screen.rule })
    var view = try SceneView(screen.scene, screen.state)
    #expect(rule.check(view) == nil)
    screen.damage(&view)
    #expect(rule.check(view) != nil)
  }

  @Test("are all tested with a broken screen")
  func complete() {
    #expect(Set(Self.screens.map(\.rule)) == Set(ScreenInvariant.all.map(\.name)))
    #expect(Set(ScreenInvariant.all.map(\.name)).count == ScreenInvariant.all.count)
  }

  static let screens = inBoxes + inFocus + inBars + inWords + inGlyphs + inStates

  private static let inBoxes = [
    BrokenScreen(rule: "Every border line continues to a corner, a title or another line") {
      $0.frame.put(" ", row: 6, column: 0, paint: .text)
    },
    BrokenScreen(rule: "Every border line continues to a corner, a title or another line") {
      $0.frame.put("│", row: 1, column: 79, paint: Paint(.border))
    },
    BrokenScreen(
      rule: "Every border line continues to a corner, a title or another line", scene: .deletion
    ) {
      guard let area = $0.frame.focusedArea else { return }
      $0.frame.write("A long text", row: area.row + 1, column: area.endColumn - 6)
    },
    BrokenScreen(rule: "A screen has boxes between its header and its footer, and only there") {
      $0.frame.put("│", row: 0, column: 40, paint: Paint(.border))
    },
    BrokenScreen(rule: "Closing a pane changes nothing outside it", scene: .deletion) {
      $0.frame.write("Overflow", row: 2, column: 60)
    },
  ]

  private static let inFocus = [
    BrokenScreen(rule: "Exactly one pane has the focus colors") {
      $0.frame.repaint(Rect(row: 1, column: 2, rows: 1, columns: 11), ink: .titleFocused)
    },
    BrokenScreen(rule: "Exactly one pane has the focus colors") {
      $0.frame.repaint($0.frame.bounds, ink: .text)
    },
    BrokenScreen(rule: "A typed line has its title in the focus colors", scene: .typingFilter) {
      $0.frame.write(" Sort ─", row: 1, column: 2, paint: Paint(.titleFocused))
    },
    BrokenScreen(rule: "The cursor is inside the focused pane", scene: .palette) {
      $0.frame.cursor = Position(row: 0, column: 0)
    },
    BrokenScreen(rule: "The cursor follows the typed text", scene: .typingFilter) {
      $0.frame.cursor?.column -= 1
    },
    BrokenScreen(
      rule: "Only the focused pane has a row or cell on the selection color", scene: .namespaces
    ) {
      $0.frame.repaint(Rect(row: 8, column: 40, rows: 1, columns: 10), ground: .selection)
    },
    BrokenScreen(rule: "Without colors, the selected row is in reverse") {
      $0.frame.repaint($0.frame.bounds, ground: .text)
    },
  ]

  private static let inBars = [
    BrokenScreen(rule: "The header begins with the program and the store") {
      $0.frame.write("store", row: 0, column: 8)
    },
    BrokenScreen(rule: "The header ends with the freshness of the data", state: .offline) {
      $0.frame.write("● live ", row: 0, column: 57)
    },
    BrokenScreen(rule: "The footer shows the notice, or else help and the way out") {
      $0.frame.fill(Rect(row: 23, column: 0, rows: 1, columns: 80), Paint(.key, on: .statusBar))
    },
    BrokenScreen(
      rule: "The footer shows the notice, or else help and the way out", scene: .entity,
      state: .noRows
    ) {
      $0.frame.fill(Rect(row: 23, column: 4, rows: 1, columns: 76), Paint(.key, on: .statusBar))
    },
    BrokenScreen(
      rule: "If a pane cannot be opened, a notice states the reason", scene: .entity,
      state: .noRows
    ) { $0.notice = nil },
    BrokenScreen(rule: "The reason why data may be out of date is visible", state: .stale) {
      $0.frame.write("garden.json is fine      ", row: 22, column: 1)
    },
  ]

  private static let inWords = [
    BrokenScreen(rule: "The header, the footer and the titles contain only whole words") {
      $0.frame.write("edit filt", row: 23, column: 1)
    },
    BrokenScreen(
      rule: "The header, the footer and the titles contain only whole words", scene: .schema
    ) { $0.frame.write(" plan ", row: 6, column: 6, paint: Paint(.titleFocused)) },
    BrokenScreen(rule: "A large screen shows every word of a smaller one") {
      $0.enlarged = Frame(size: Size(columns: 200, rows: 60))
    },
  ]

  private static let inGlyphs = [
    BrokenScreen(rule: "Every character drawn by the program has ASCII and console forms") {
      $0.frame.put("☃", row: 10, column: 10, paint: .text)
    },
    BrokenScreen(rule: "In Unicode and in ASCII, every row takes the columns of the screen") {
      $0.lines[5].append(" ")
    },
    BrokenScreen(
      rule: "In Unicode and in ASCII, every row takes the columns of the screen",
      state: .wideText
    ) { $0.lines[5] = String($0.lines[5].dropFirst()) + "漢" },
    BrokenScreen(rule: "No row contains a control character", state: .wideText) {
      $0.lines[5] = "\u{1B}[2J" + $0.lines[5]
    },
    BrokenScreen(rule: "Right-to-left text is isolated from the border after it") { view in
      let frame = view.frame
      let border = (1..<frame.size.columns).first { !frame.arms(row: 6, column: $0).isEmpty }
      view.frame.put("א", row: 6, column: (border ?? 1) - 1, paint: .text)
    },
    BrokenScreen(rule: "A screen reader reads no drawings", state: .heard) {
      $0.frame.put("│", row: 5, column: 0, paint: .text)
    },
    BrokenScreen(
      rule: "A screen reader has a cursor and the name of the focused pane", state: .heard
    ) { $0.frame.cursor = nil },
    BrokenScreen(
      rule: "A screen reader has a cursor and the name of the focused pane", state: .heard
    ) { $0.frame.write("Schema ", row: 1, column: 0) },
  ]

  private static let inStates = [
    BrokenScreen(rule: "A value that just changed is highlighted", state: .changed) {
      $0.frame.repaint($0.frame.bounds, ground: .text)
      $0.frame.repaint($0.frame.bounds, ink: .text)
    },
    BrokenScreen(rule: "With reduced motion nothing fades", state: .changedWithoutMotion) {
      $0.isTimed = true
    },
    BrokenScreen(
      rule: "A row with changes that the store does not have is marked", state: .pending
    ) { $0.frame.fill(Rect(row: 2, column: 1, rows: 20, columns: 1)) },
    BrokenScreen(
      rule: "Without the focus, the selected row keeps a mark of its own", state: .unfocused
    ) { $0.frame.repaint($0.frame.bounds, ground: .text) },
  ]
}
