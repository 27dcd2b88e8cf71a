import InstaQL
import Notebooks
import TerminalUI

// A key that changes nothing which can be seen says why.
extension Model {
  /// What a key can change without an effect or a word.
  struct Sight: Equatable {
    private let focus: StandingPane
    private let overlays: [Overlay]
    private let prompt: PromptPane?
    private let lists: [ListCursor]
    private let rowAhead: Int?
    private let column: Int
    private let reading: Reading
    private let opened: Int
    private let form: AnswerForm
    private let columns: ColumnSettings
    private let spelling: QuerySpelling
    private let splits: Splits
    private let isZoomed: Bool
    private let findPattern: TextPattern
    private let marked: Int

    init(of model: Model) {
      focus = model.focus
      overlays = model.overlays
      prompt = model.prompt
      lists = [model.namespaces.cursor, model.schema.cursor, model.results.cursor]
      rowAhead = model.results.rowAhead
      column = model.results.columnHere
      reading = model.results.reading
      opened = model.results.opened.count
      form = model.results.form
      columns = model.results.settings
      spelling = model.spelling
      splits = model.splits
      isZoomed = model.isZoomed
      findPattern = model.findPattern
      marked = model.markedCount
    }
  }

  /// Says why `key` did nothing, where nothing is another than it was `before`.
  ///
  /// - Parameter said: What stood in the last line; that escape takes it away can be seen.
  mutating func explainStill(
    _ key: Key, _ effects: [Effect], since before: Sight, _ said: Notice?
  ) {
    guard effects.isEmpty, notice == nil, before == Sight(of: self),
      key != .escape || said == nil
    else { return }
    notice = Notice(text: whyStill(key))
  }

  private func whyStill(_ key: Key) -> String {
    if isTypingLine, let end = Self.endOfLine(for: key) { return end }
    guard prompt == nil, let intent = keymap.intent(for: key, in: listening) else {
      return unknown(key)
    }
    switch intent {
    case .up, .pageUp, .halfPageUp, .first: return whyNotMoved("up", key)
    case .down, .pageDown, .halfPageDown, .last:
      return hasMoreRows ? "More rows are on their way" : whyNotMoved("down", key)
    case .left, .firstColumn: return whyNotMoved("left", key)
    case .right, .lastColumn: return whyNotMoved("right", key)
    case .paneNamespaces, .paneSchema, .paneQuery, .paneResults:
      return "\(listening.title) has the keys already: tab goes on to the next pane"
    case .cancel: return "Nothing is open or looked for: \(self.key(.quit)) quits"
    case .moveUp: return "It is the first one already"
    case .moveDown: return "It is the last one already"
    case .narrower: return "It is as narrow as it can be"
    case .wider: return "It is as wide as it can be"
    case .reset: return "It is as it was at first"
    case .fold: return "Nothing is open here"
    case .expand: return "There is nothing to open here"
    default: return unknown(key)
    }
  }

  /// Whether what is typed goes into a line.
  private var isTypingLine: Bool { prompt != nil || overlays.last?.pane.takesTyping == true }

  private static func endOfLine(for key: Key) -> String? {
    switch key {
    case .left, .home, .backspace, .control("a"), .control("h"), .control("u"), .control("w"),
      Key(.left, .control), Key(.backspace, .alt), .alt("b"):
      "This is where the line begins"
    case .right, .end, .delete, .control("d"), .control("e"), .control("k"),
      Key(.right, .control), .alt("f"):
      "This is where the line ends"
    default: nil
    }
  }

  /// A pane without lines or columns to go to knows no such key.
  private func whyNotMoved(_ direction: String, _ key: Key) -> String {
    let hasColumns = !overlays.isEmpty || focus == .results
    let isSideways = direction == "left" || direction == "right"
    if overlays.isEmpty, focus == .query || isSideways && !hasColumns { return unknown(key) }
    if overlays.isEmpty, focus == .results, results.table == nil {
      return "The answer is still to come"
    }
    return "Nothing lies further \(direction)"
  }

  /// Whether the answer goes on after the rows that are here.
  private var hasMoreRows: Bool {
    guard overlays.isEmpty, focus == .results, let answer = results.table?.answer,
      let stretch = answer.stretch
    else { return false }
    return stretch.skipped + answer.rows.count < stretch.pageCount ?? answer.total
  }
}
