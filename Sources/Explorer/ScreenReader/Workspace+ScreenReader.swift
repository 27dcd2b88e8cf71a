import InstaQL
import TerminalUI
import Widgets

// Draws the screen-reader mode: one pane at a time, one row per line, no boxes. The terminal's
// cursor is at the focus, and the last line announces changes.
extension Workspace {
  func linearView() -> Frame {
    var frame = Frame(size: size)
    drawHeader(into: &frame, area: Rect(row: 0, column: 0, rows: 1, columns: size.columns))
    let area = Layout.linearArea(of: size)
    drawLinearTitle(into: &frame, row: area.row - 1)
    if let prompt {
      draw(prompt, into: &frame, area: area)
    } else if let index = tab.overlays.indices.last {
      tab.overlays[index].pane.draw(into: &frame, area: area, context: context(of: index))
    } else {
      drawStanding(into: &frame, area: area)
    }
    frame.speak(in: Rect(row: 0, column: 0, rows: area.row, columns: size.columns))
    // In the typed line and in open panes, only signs are replaced.
    if prompt != nil {
      frame.speak(in: area.inset(top: 1))
    } else if tab.focus != .results || !tab.overlays.isEmpty {
      frame.speak(in: area)
    } else {
      frame.blankDrawings(in: area)
    }
    if frame.cursor == nil {
      // The cursor is at the start of a text pane, where reading begins.
      frame.cursor = frame.placeOfFocus(in: area) ?? Position(row: area.row, column: 0)
    }
    drawLinearFooter(
      into: &frame,
      area: Rect(row: size.rows - 1, column: 0, rows: 1, columns: size.columns))
    return frame
  }

  /// Draws the title of the focused pane and its number of items.
  private func drawLinearTitle(into frame: inout Frame, row: Int) {
    let words: [String]
    if let prompt {
      words = [prompt.title]
    } else if let index = tab.overlays.indices.last {
      let context = context(of: index)
      let pane = tab.overlays[index].pane
      words = [pane.traits.title, pane.title(in: context), pane.remark(in: context)]
    } else {
      switch tab.focus {
      case .namespaces: words = [PaneTraits.namespaces.title]
      case .schema: words = [PaneTraits.schema.title, chosenNamespace ?? ""]
      case .query: words = [PaneTraits.query.title, session.spelling.title]
      case .results:
        words = [
          PaneTraits.results.title, shownNamespace ?? "",
          markedRemark + tab.results.remark(page: layout.resultRows),
          spokenCondition,
        ]
      }
    }
    var said: [String] = []
    for word in words where !word.isEmpty && !said.contains(word) { said.append(word) }
    frame.write(
      said.joined(separator: ", "), row: row, column: 0, width: size.columns, paint: Paint(.title))
  }

  /// The filter of the query in words, which are read after the title of the results.
  private var spokenCondition: String {
    guard let plan = tab.plan, let condition = plan.condition else { return "" }
    let words = session.typedWords
    let text = known?.reading(condition, of: plan.namespace, isTyped: false, words: words)
    return "filter " + (text ?? words.text(of: condition, in: plan.namespace))
  }

  /// In screen-reader mode, shows the notice that the help lists all keys.
  mutating func mentionHelp() {
    guard settings.isScreenReader, notice == nil else { return }
    notice = .keysInHelp
  }

  private func draw(_ prompt: PromptPane, into frame: inout Frame, area: Rect) {
    prompt.draw(into: &frame, area: area, namesKeys: true)
    if isNarrowing, let catalog {
      drawList(.namespaces, of: catalog, into: &frame, area: area.inset(top: 3))
    }
    guard let completion = prompt.completion, area.rows > 3 else { return }
    frame.write(
      completion.candidates.count == 1 ? "Suggestion:" : "Suggestions:", row: area.row + 2,
      column: 0, width: area.columns, paint: Paint(.dim))
    for (place, candidate) in completion.candidates.prefix(area.rows - 3).enumerated() {
      let isChosen = completion.chosen == place
      frame.write(
        (isChosen ? "chosen: " : "") + candidate.text, row: area.row + 3 + place, column: 0,
        width: area.columns, paint: Paint(isChosen ? .completionSelected : .completion))
    }
  }

  private func drawStanding(into frame: inout Frame, area: Rect) {
    guard let catalog else { return }
    switch tab.focus {
    case .namespaces, .schema: drawList(tab.focus, of: catalog, into: &frame, area: area)
    case .query:
      guard let plan = tab.plan else { return }
      let text = QueryText(plan, session.spelling, words: session.typedWords, in: known).text
      for (row, line) in TextLines.wrapped(text, width: area.columns, limit: area.rows).enumerated()
      {
        frame.write(line, row: area.row + row, column: 0, width: area.columns)
      }
      frame.cursor = Position(row: area.row, column: 0)
    case .results:
      tab.results.drawLinear(
        into: &frame, area: area, marks: session.marks, keys: keys,
        recoveryHint: recoveryHint)
    }
  }

  /// Draws the notice in the last line. There are no key hints, because they would be read
  /// repeatedly.
  private func drawLinearFooter(into frame: inout Frame, area: Rect) {
    guard let notice else { return }
    frame.write(
      (notice.isError ? "Error: " : "") + keys.line(notice), row: area.row, column: 0,
      width: area.columns, paint: Paint(notice.isError ? .error : .text))
  }

  /// Logs changes of the store. In screen-reader mode, also announces them, the most important one
  /// in full.
  mutating func log<Result>(_ change: (inout ChangeLog) -> Result) -> Result {
    let before = store.log
    let result = change(&store.log)
    announceChanges(since: before)
    return result
  }

  private mutating func announceChanges(since before: ChangeLog) {
    let log = store.log
    guard settings.isScreenReader, tab.held == nil else { return }
    if log.missed > before.missed {
      notice = .unknownChanges
    }
    // The log drops old entries, so the number of new entries follows from the total.
    let came = log.written - before.written
    guard came > 0, let last = log.entries.last else { return }
    if came == 1 { return notice = .change(last.sentence) }
    // A created or deleted entity is more important than a changed value.
    if let whole = log.entries.suffix(came).last(where: \.isOfWholeEntity) {
      notice = .changes(came, among: whole.sentence)
    } else {
      notice = .changes(came, last: last.sentence)
    }
  }
}

extension ChangeEntry {
  fileprivate var isOfWholeEntity: Bool {
    switch kind {
    case .inserted, .deleted: label.isEmpty
    case .updated, .linked, .unlinked, .moved: false
    }
  }

  /// The change as a sentence for a screen reader.
  var sentence: String {
    switch kind {
    case .inserted where label.isEmpty: return "\(name) was added to \(namespace)"
    case .deleted where label.isEmpty: return "\(name) was removed from \(namespace)"
    case .updated where label.isEmpty: return "\(name) \(new?.words ?? "changed")"
    case .inserted, .updated, .deleted, .linked, .unlinked, .moved: break
    }
    let (old, new) = spokenValues
    let was = old.map { ", was \($0)" } ?? ""
    switch kind {
    case .linked: return "\(name): \(label) links to \(new ?? "another row")"
    case .unlinked: return "\(name): \(label) no longer links to \(old ?? "another row")"
    case .inserted, .updated, .deleted, .moved:
      if old == nil, new == nil { return "\(name): \(label)" }
      return "\(name): \(label) is \(new ?? "gone")\(was)"
    }
  }

  /// The staged change as a sentence for a screen reader.
  var futureSentence: String {
    let (old, new) = spokenValues
    switch kind {
    case .inserted where label.isEmpty: return "\(name) will be added to \(namespace)"
    case .deleted where label.isEmpty: return "\(name) will be removed from \(namespace)"
    case .linked: return "\(name): \(label) will link to \(new ?? "another row")"
    case .unlinked: return "\(name): \(label) will no longer link to \(old ?? "another row")"
    case .updated where !label.isEmpty:
      let now = old.map { ", is \($0)" } ?? ""
      return "\(name): \(label) will be \(new ?? "gone")\(now)"
    case .inserted, .updated, .deleted, .moved: return sentence
    }
  }

  /// The words for the values, cut so that they show the first difference.
  private var spokenValues: (old: String?, new: String?) {
    let values = values(within: Self.maxSpokenColumns)
    func words(_ cell: CellText) -> String {
      TextWidth.truncated(cell.words, to: Self.maxSpokenColumns)
    }
    return (values.old.map(words), values.new.map(words))
  }

  /// The maximum number of columns of a spoken value.
  private static let maxSpokenColumns = 120
}

extension CellText {
  /// The text, with symbols replaced by words.
  var words: String {
    switch role {
    case .null: "null"
    case .missing: "missing"
    case .dim where text == "\"\"": "empty"
    default: spoken ?? text
    }
  }
}

extension Layout {
  /// Returns the area of all rows except those for header, title and notice.
  static func linearArea(of size: Size) -> Rect {
    Rect(row: 2, column: 0, rows: max(0, size.rows - 3), columns: size.columns)
  }
}

extension Frame {
  /// Returns the position of the first letter of the item at the cursor; nil if no item is there.
  fileprivate func placeOfFocus(in area: Rect) -> Position? {
    for row in area.row..<area.endRow {
      let chosen = (area.column..<area.endColumn).filter {
        cell(row: row, column: $0).paint.ground.isChosen
      }
      guard let first = chosen.first else { continue }
      let letter = chosen.first { !cell(row: row, column: $0).isBlank }
      return Position(row: row, column: letter ?? first)
    }
    return nil
  }
}

extension Role {
  /// Whether this background marks the cursor.
  fileprivate var isChosen: Bool {
    switch self {
    case .selection, .cursorCell, .matchCurrent, .completionSelected: true
    default: false
    }
  }
}
