import LiveQueries
import TerminalUI
import Triples

// The last line: what was said, or else the keys that help most here.
extension Model {
  /// The prompt stands in the last line where a pane has the whole screen.
  private func drawPromptBelow(_ prompt: PromptPane, into frame: inout Frame, area: Rect) {
    frame.write(
      prompt.title + ": ", row: area.row, column: 1, width: max(0, area.columns - 2),
      paint: Paint(.key, on: .statusBar))
    let field = Self.fieldBelow(prompt, in: area)
    if let complaint = prompt.complaint {
      frame.write(
        complaint, row: area.row, column: field.endColumn,
        width: max(0, area.columns - 1 - field.endColumn), paint: Paint(.error, on: .statusBar))
    }
    prompt.field.draw(
      into: &frame, row: area.row, column: field.column, width: field.columns,
      paint: Paint(.prompt, on: .statusBar))
  }

  /// Where one types in the last line.
  static func fieldBelow(_ prompt: PromptPane, in area: Rect) -> Rect {
    let title = min(
      TextWidth.columns(of: prompt.title + ": "), max(0, area.columns - 2))
    let room = max(0, area.columns - title - 2)
    return Rect(
      row: area.row, column: 1 + title, rows: 1,
      columns: prompt.complaint == nil ? room : room / 2)
  }

  /// What was said last, or else the keys that help most here.
  func drawFooter(into frame: inout Frame, area: Rect) {
    frame.fill(area, Paint(.statusBar, on: .statusBar))
    if let prompt, tab.overlays.last?.pane.place == .screen {
      return drawPromptBelow(prompt, into: &frame, area: area)
    }
    if let notice { return draw(notice, into: &frame, area: area) }
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

  /// What was said last is read whole: where one line is too short for it, it grows upwards until the
  /// next key.
  private func draw(_ notice: Notice, into frame: inout Frame, area: Rect) {
    let rows = rows(of: notice)
    let box = Rect(
      row: area.endRow - rows.count, column: area.column, rows: rows.count, columns: area.columns)
    frame.fill(box, Paint(.statusBar, on: .statusBar))
    for (number, row) in rows.enumerated() {
      frame.write(
        row, row: box.row + number, column: 1, width: max(0, area.columns - 2),
        role: notice.isError ? .error : .statusBar, on: .statusBar)
    }
  }

  private func rows(of notice: Notice) -> [NoticeRow] {
    keys.rows(of: notice, width: max(1, size.columns - 2), most: Self.mostNoticeRows)
  }

  /// Rows at the bottom that what was said last takes.
  var noticeRows: Int { notice.map { rows(of: $0).count } ?? 0 }

  private static let mostNoticeRows = 4

  /// Says beneath the panes why what they show may not be true, above the keys.
  func drawStaleness(into frame: inout Frame, layout: Layout) {
    guard let reason = staleReason else { return }
    let line = Rect(
      row: layout.footer.row - 1, column: 0, rows: 1, columns: layout.footer.columns)
    frame.fill(line, Paint(.error, on: .statusBar))
    let width = max(0, line.columns - 2)
    // What is done about it is wanted whole.
    let text = staleOutlook.map { keys.line($0) }.map { outlook in
      TextWidth.shortened(reason, to: max(0, width - TextWidth.columns(of: outlook) - 2))
        + ": " + outlook
    }
    frame.write(
      text ?? reason, row: line.row, column: 1, width: width,
      paint: Paint(.error, on: .statusBar))
  }

  /// Tells the reason whole, once, where the line for it is too short; what was told goes with its reason.
  mutating func tellStaleness(since before: Notice?) {
    let isOver = before != nil && notice == before && staleness != before
    if isOver { notice = nil }
    guard !preferences.isLinear, notice == nil, let staleness, before == nil || isOver,
      TextWidth.columns(of: keys.line(staleness)) > size.columns - 2
    else { return }
    notice = staleness
  }

  private struct Hint {
    let stroke: Key
    let label: String
    /// In columns, with the gap to the next one.
    let width: Int

    init(_ stroke: Key, label: String) {
      self.stroke = stroke
      self.label = label
      width = TextWidth.columns(of: stroke.name) + TextWidth.columns(of: label) + 3
    }

    var key: String { stroke.name }
  }

  /// The key that is named at a column of the last line, where keys are named there.
  func footerKey(at column: Int) -> Key? {
    guard !preferences.isLinear, notice == nil,
      prompt == nil || tab.overlays.last?.pane.place != .screen
    else { return nil }
    var start = 1
    for hint in footerHints(width: size.columns - 2) {
      if (start..<start + hint.width - 2).contains(column) { return hint.stroke }
      start += hint.width
    }
    return nil
  }

  /// The hints that fit; the way to all other keys and the way out are always among them.
  private func footerHints(width: Int) -> [Hint] {
    if let prompt { return hints(of: prompt, width: width) }
    // The key that leaves the program leaves an open pane first.
    let wayOut: [Intent] = [.help, tab.overlays.isEmpty ? .quit : .cancel]
    let first: [Intent] = isAway ? [.callServer] : store.opening == nil ? [] : [.interrupt]
    let intents = (first + footerIntents.filter { offers($0) })
      .filter { !wayOut.contains($0) }
    let always = wayOut.compactMap { hint(for: $0) }
    var room = width - always.reduce(0) { $0 + $1.width }
    let others = intents.compactMap { self.hint(for: $0) }.prefix { hint in
      room -= hint.width
      return room >= 0
    }
    return others + always
  }

  /// What the keys do while one types; those that matter least are left out where it is narrow.
  private func hints(of prompt: PromptPane, width: Int) -> [Hint] {
    let isFinding = prompt.purpose == .find
    var hints = [
      Hint(.enter, label: isFinding ? "stay" : "apply"),
      Hint(
        .escape, label: isFinding ? "go back" : width < 60 ? "leave" : "leave as it was"),
    ]
    if prompt.completion != nil {
      hints.insert(Hint(.tab, label: "take the word"), at: 1)
    }
    if prompt.purpose.isForEditors { hints.append(Hint(.control("o"), label: "editor")) }
    var room = width + 2
    return hints.filter { hint in
      guard hint.width <= room else { return false }
      room -= hint.width
      return true
    }
  }

  private func hint(for intent: Intent) -> Hint? {
    let label =
      tab.overlays.last?.pane.label(of: intent)
      ?? (intent == .interrupt && store.opening != nil ? "give up" : intent.label)
    return strokes(for: intent).first.map { Hint($0, label: label) }
  }

  /// The keys that say an intent here; where letters are typed, they are none.
  func strokes(for intent: Intent) -> [Key] { keys.strokes(for: intent) }

  /// Whether a server is away that can be called at once.
  private var isAway: Bool {
    if case .offline? = catalog?.snapshot.freshness { return store.absence != nil }
    return false
  }

  private var footerIntents: [Intent] {
    if let index = tab.overlays.indices.last {
      return tab.overlays[index].pane.hints(in: context(of: index))
    }
    return tab.focus.hints
  }

  /// How fresh the shown answer is: as the store, unless the server could not bring it up to date.
  var shownFreshness: StoreSnapshot.Freshness? {
    let ofStore = catalog?.snapshot.freshness
    switch (ofStore, tab.results.shown?.snapshot.freshness) {
    case (.live?, .stale(let reason)?), (.optimistic?, .stale(let reason)?):
      return .stale(reason: reason)
    default: return ofStore
    }
  }

  /// Whether what is shown may not be the present truth.
  var isStale: Bool {
    if store.failure != nil || obstructionOutlook != nil { return true }
    switch shownFreshness {
    case .stale?, .offline?: return true
    case .live?, .archived?, .optimistic?, .connecting?, nil: return false
    }
  }

  /// Why what is shown may not be the present truth; nil when it is, or nothing is known.
  var staleness: Notice? { staleReason.map { .stale($0, staleOutlook) } }

  private var staleReason: String? {
    if let failure = store.failure { return failure }
    if obstructionOutlook != nil { return store.obstruction }
    switch shownFreshness {
    case .stale(let reason)?, .offline(_, _, let reason)?: return reason
    case .live?, .archived?, .optimistic?, .connecting?, nil: return nil
    }
  }

  /// What is done about it.
  private var staleOutlook: Notice? {
    guard store.failure == nil else { return nil }
    if let obstructionOutlook { return obstructionOutlook }
    guard case .offline? = catalog?.snapshot.freshness else { return nil }
    return store.absence.map { Notice($0.outlook) }
  }
}
