import InstaQL
import Triples
package import TerminalUI

extension Model {
  /// The screen as it is now: panes placed, header above, footer below.
  package func view() -> Frame {
    var frame = Frame(size: size)
    guard size.columns >= Layout.smallest.columns, size.rows >= Layout.smallest.rows else {
      drawTooSmall(into: &frame)
      return frame
    }
    if preferences.isLinear { return linearView() }
    let layout = layout
    drawHeader(into: &frame, area: layout.header)
    if tab.overlays.last?.pane.place != .screen {
      if let left = layout.left { drawLeft(into: &frame, area: left, layout: layout) }
      if let right = layout.right { drawRight(into: &frame, area: right, layout: layout) }
    }
    drawOverlays(into: &frame, layout: layout)
    drawFooter(into: &frame, area: layout.footer)
    return frame
  }

  private func drawTooSmall(into frame: inout Frame) {
    let need = Layout.smallest
    let words = [
      "Too small:", "\(size.columns)×\(size.rows),", "needs", "\(need.columns)×\(need.rows)",
    ]
    let lines = size.columns >= 30 ? [words.joined(separator: " ")] : words
    for (row, line) in lines.enumerated() where row < size.rows {
      frame.write(
        line, row: row, column: 0, width: size.columns, paint: Paint(.text))
    }
  }

  func drawHeader(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.titleBar, on: .titleBar))
    var column = 1
    column += frame.write(
      "sonde", row: 0, column: column, width: 5, paint: Paint(.titleBarName, on: .titleBar))
    if let labelText {
      column += 2
      column += frame.write(
        labelText, row: 0, column: column, width: TextWidth.columns(of: labelText),
        paint: Paint(.text, on: .storeLabel))
    }
    let state = stateText
    let stateWidth = TextWidth.columns(of: state.text)
    for title in headerTabs {
      frame.write(
        title.text, row: 0, column: title.columns.lowerBound, width: title.columns.count,
        paint: Paint(title.isShown ? .tabActive : .tab, on: .titleBar))
      column = title.columns.upperBound
    }
    let room = area.columns - column - 2 - stateWidth
    let crumbs = crumbs(width: room - 2)
    frame.write(
      "  " + crumbs, row: 0, column: column, width: max(0, room),
      paint: Paint(.crumb, on: .titleBar))
    frame.write(
      state.text, row: 0, column: max(0, area.columns - stateWidth - 1), width: stateWidth,
      paint: Paint(state.role, on: .titleBar))
  }

  /// What is said of the store before its name, with a blank at each side.
  private var labelText: String? {
    store.label.map { " \(TextWidth.truncated($0, to: Self.longestLabel)) " }
  }

  /// In columns.
  private static let longestLabel = 20

  /// The tabs in the header; half of what lies between the name and the state is theirs.
  var headerTabs: [TabTitle] {
    let start = 8 + (labelText.map { TextWidth.columns(of: $0) + 2 } ?? 0)
    return tabTitles(
      from: start, width: (size.columns - start - TextWidth.columns(of: stateText.text)) / 2)
  }

  /// The trail to what is shown; where it is too long its beginning is left out.
  private func crumbs(width: Int) -> String {
    var crumbs = ([store.name] + tab.trail.behind.map(\.composer.plan.namespace) + [shownNamespace])
      .compactMap { $0 }
    var text = crumbs.joined(separator: " › ")
    while TextWidth.columns(of: text) > width, crumbs.count > 1 {
      crumbs.removeFirst()
      text = "… › " + crumbs.joined(separator: " › ")
    }
    // What is shown says more than that something stands before it.
    return TextWidth.columns(of: text) > width ? crumbs.last ?? "" : text
  }

  /// Why what is shown may not be the present truth; nil when it is, or nothing is known.
  private var staleness: String? {
    switch catalog?.snapshot.freshness {
    case .stale(let reason)?: return reason
    case .offline(_, _, let reason)?:
      guard let absence = store.absence else { return reason }
      let key =
        preferences.keymap.keys(for: .callServer, in: listening).first.map {
          ", \($0.name) tries now"
        } ?? ""
      return "\(reason): \(absence.outlook)\(key)"
    case .live?, .archived?, .optimistic?, .connecting?, nil: return nil
    }
  }

  /// Whether what is shown is the present truth, and what still waits.
  private var stateText: (text: String, role: Role) {
    if store.failure != nil { return ("✕ stale", .stale) }
    guard let snapshot = catalog?.snapshot else {
      return (store.opening?.percent.map { "… loading \($0) %" } ?? "… loading", .dim)
    }
    if let held = tab.held {
      let changes = held.changes == 1 ? "1 change" : "\(NumberText.grouped(held.changes)) changes"
      return ("‖ paused  \(changes) waiting", .pending)
    }
    let pendingThere = snapshot.pending.count == 0 ? "" : "  ↑\(snapshot.pending.count) pending"
    let pendingHere = unsent.map { "  ±\($0.changes.count) not sent" } ?? ""
    let pending = pendingThere + pendingHere
    let access = store.whyReadOnly == nil ? "" : "  read-only"
    let number = size.columns < Self.roomForTransaction ? "" : "  tx \(snapshot.transactionID)"
    let transaction = number + pending + access
    switch snapshot.freshness {
    case .live: return ("● live" + transaction, unsent == nil ? .live : .pending)
    case .stale: return ("✕ stale" + transaction, .stale)
    case .archived: return ("◌ saved" + transaction, .offline)
    case .optimistic: return ("● live" + pending, .pending)
    case .connecting: return ("… connecting" + pending, .dim)
    case .offline:
      return ("✕ offline" + (store.absence.map { " " + $0.since } ?? "") + pending, .offline)
    }
  }

  /// On narrower screens the trail is worth more than the transaction's number.
  private static let roomForTransaction = 64

  /// Draws the standing panes of one side, those that are shown, and answers where each lies.
  private func drawStack(
    _ panes: [(pane: StandingPane, section: PanelStack.Section)], into frame: inout Frame,
    area: Rect, layout: Layout
  ) -> [StandingPane: Rect] {
    let shown = panes.filter { layout.only == nil || layout.only == $0.pane }
    let inner = PanelStack(area: area, sections: shown.map(\.section)).draw(into: &frame)
    return Dictionary(uniqueKeysWithValues: zip(shown.map(\.pane), inner))
  }

  private func drawLeft(into frame: inout Frame, area: Rect, layout: Layout) {
    let inner = drawStack(
      [
        (
          .namespaces,
          .init(
            title: Focus.namespaces.title, isFocused: listening == .namespaces && prompt == nil,
            rows: layout.namespaceRows)
        ),
        (
          .schema,
          .init(
            title: chosenNamespace ?? Focus.schema.title,
            isFocused: listening == .schema && prompt == nil, rows: layout.schemaRows)
        ),
      ], into: &frame, area: area, layout: layout)
    guard let catalog else { return }
    if let area = inner[.namespaces] {
      namespaces.draw(
        into: &frame, area: area, catalog: catalog, shown: shownNamespace,
        isFocused: listening == .namespaces && prompt == nil)
    }
    if let area = inner[.schema], let namespace = chosenNamespace {
      tab.schema.draw(
        into: &frame, area: area, namespace: namespace, catalog: catalog,
        isFocused: listening == .schema && prompt == nil)
    }
  }

  private func drawRight(into frame: inout Frame, area: Rect, layout: Layout) {
    let inner = drawStack(
      [
        (
          .query,
          .init(
            title: prompt?.purpose.title ?? Focus.query.title,
            remark: prompt == nil ? spelling.title : "",
            isFocused: listening == .query || prompt != nil, rows: layout.queryRows)
        ),
        (
          .results,
          .init(
            title: Focus.results.title,
            remark: tab.slowness.words ?? markedRemark + tab.results.remark,
            isFocused: listening == .results && prompt == nil, rows: layout.resultPaneRows)
        ),
      ], into: &frame, area: area, layout: layout)
    if let area = inner[.results], let opening = store.opening {
      opening.draw(store.name, into: &frame, area: area)
    } else if let area = inner[.results] {
      tab.results.draw(
        into: &frame, area: area.split(columns: area.columns - columnsBeside(layout)).left,
        isFocused: listening == .results && prompt == nil, marks: marks)
    }
    if let area = inner[.query] {
      drawQuery(into: &frame, area: area, below: inner[.results]?.rows ?? 0)
    }
  }

  /// Columns of the results that a pane beside them covers, its border included.
  private func columnsBeside(_ layout: Layout) -> Int {
    guard tab.overlays.contains(where: { $0.pane.place == .beside }) else { return 0 }
    return max(0, (layout.size(.beside) ?? 1) - 1)
  }

  /// - Parameter below: Rows beneath, over which completions may lie.
  private func drawQuery(into frame: inout Frame, area: Rect, below: Int) {
    if let prompt {
      prompt.draw(into: &frame, area: area, plan: tab.composer?.plan, schema: catalog?.schema)
      drawWhole(prompt.shownComplaint, into: &frame, below: area)
      guard let completion = prompt.completion, let cursor = frame.cursor else { return }
      completion.draw(
        into: &frame, row: area.endRow,
        column: cursor.column - prompt.columnsBeforeCursor(from: completion.start),
        area: area.inset(top: 0, bottom: -below - 2))
    } else if let plan = tab.composer?.plan {
      if spelling == .parts {
        QueryLine(plan).draw(into: &frame, area: area)
      } else {
        QueryLine.draw(plan, spelling, into: &frame, area: area)
      }
    }
  }

  /// A complaint that even the last line of the screen is too short for has a box below the prompt.
  private func drawWhole(_ complaint: String?, into frame: inout Frame, below area: Rect) {
    guard let complaint, TextWidth.columns(of: complaint) > size.columns - 2 else { return }
    let lines = TextLines.wrapped(complaint, width: max(8, area.columns - 4), most: 4)
    let box = Rect(
      row: area.endRow, column: area.column, rows: lines.count + 2, columns: area.columns)
    frame.fill(box, Paint(.text))
    frame.box(box, border: Paint(.error))
    frame.writeWrapped(complaint, in: box.inset(by: 1), paint: Paint(.error))
  }

  /// The prompt stands in the last line where a pane has the whole screen.
  private func drawPromptBelow(_ prompt: PromptPane, into frame: inout Frame, area: Rect) {
    let title = prompt.purpose.title + ": "
    let used = frame.write(
      title, row: area.row, column: 1, width: max(0, area.columns - 2),
      paint: Paint(.key, on: .statusBar))
    let room = max(0, area.columns - used - 2)
    if let complaint = prompt.complaint {
      frame.write(
        complaint, row: area.row, column: 1 + used + room / 2, width: room - room / 2,
        paint: Paint(.error, on: .statusBar))
    }
    prompt.field.draw(
      into: &frame, row: area.row, column: 1 + used,
      width: prompt.complaint == nil ? room : room / 2, paint: Paint(.prompt, on: .statusBar))
  }

  /// What was said last, or else the keys that help most here.
  private func drawFooter(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.statusBar, on: .statusBar))
    if let prompt, tab.overlays.last?.pane.place == .screen {
      return drawPromptBelow(prompt, into: &frame, area: area)
    }
    if let complaint = prompt?.shownComplaint, isTooLong(complaint) {
      frame.write(
        complaint, row: area.row, column: 1, width: max(0, area.columns - 2),
        paint: Paint(.error, on: .statusBar))
      return
    }
    if let notice {
      frame.write(
        notice.text, row: area.row, column: 1, width: max(0, area.columns - 2),
        paint: Paint(notice.isError ? .error : .statusBar, on: .statusBar))
      return
    }
    if let reason = staleness {
      frame.write(
        reason, row: area.row, column: 1, width: max(0, area.columns - 2),
        paint: Paint(.error, on: .statusBar))
      return
    }
    var column = 1
    for hint in footerHints(width: area.columns - 2) {
      column += frame.write(
        hint.key, row: area.row, column: column, width: max(0, area.columns - column),
        paint: Paint(.key, on: .statusBar))
      column += frame.write(
        " " + hint.label, row: area.row, column: column, width: max(0, area.columns - column),
        paint: Paint(.keyLabel, on: .statusBar))
      column += 2
    }
  }

  /// Whether a complaint is cut where it stands under the line, and is better read at the bottom.
  private func isTooLong(_ complaint: String) -> Bool {
    guard let right = layout.right else { return false }
    return TextWidth.columns(of: complaint) > right.columns - 4
  }

  private struct Hint {
    let key: String
    let label: String
    /// In columns, with the gap to the next one.
    let width: Int

    init(key: String, label: String) {
      self.key = key
      self.label = label
      width = TextWidth.columns(of: key) + TextWidth.columns(of: label) + 3
    }
  }

  /// The hints that fit; the way to all other keys and the way out are always among them.
  private func footerHints(width: Int) -> [Hint] {
    if let prompt { return hints(of: prompt, width: width) }
    let intents = footerIntents.filter(offers)
    let always = [Intent.help, .quit].filter { !intents.contains($0) }.compactMap(hint)
    var room = width - always.reduce(0) { $0 + $1.width }
    let others = intents.compactMap(hint).prefix { hint in
      room -= hint.width
      return room >= 0
    }
    return others + always
  }

  /// What the keys do while one types; those that matter least are left out where it is narrow.
  private func hints(of prompt: PromptPane, width: Int) -> [Hint] {
    var hints = [
      Hint(key: "enter", label: "apply"),
      Hint(key: "escape", label: width < 60 ? "leave" : "leave as it was"),
    ]
    if prompt.completion != nil {
      hints.insert(Hint(key: "tab", label: "take the word"), at: 1)
    }
    if prompt.purpose.isForEditors { hints.append(Hint(key: "ctrl-o", label: "editor")) }
    var room = width + 2
    return hints.filter { hint in
      guard hint.width <= room else { return false }
      room -= hint.width
      return true
    }
  }

  private func hint(for intent: Intent) -> Hint? {
    let label = tab.overlays.last?.pane.label(of: intent) ?? intent.label
    // Where letters are typed, they are no keys.
    let isTyping = tab.overlays.last?.pane.takesTyping == true
    return preferences.keymap.keys(for: intent, in: listening).first {
      !isTyping || $0.typed == nil
    }
    .map { Hint(key: $0.name, label: label) }
  }

  private var footerIntents: [Intent] {
    if let index = tab.overlays.indices.last {
      return tab.overlays[index].pane.hints(in: context(of: index))
    }
    return switch tab.focus {
    case .namespaces: [.open, .filterText, .queryText, .nextPane]
    case .schema: [.open, .back, .filterText, .nextPane]
    case .query: [.open, .filterText, .limit, .undo, .redo, .nextPane]
    case .results:
      [
        .filterByCell, .filterText, .order, .relations, .limit, .expand, .open, .peek, .back, .edit,
        .undo,
        .copy, .explain, .form, .changes, .palette,
      ]
    }
  }
}
