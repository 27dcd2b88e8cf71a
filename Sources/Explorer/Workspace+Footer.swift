import InstaQL
import LiveQueries
import TerminalUI
import Triples
import Widgets

// Draws the last line: the current notice, or else key hints.
extension Workspace {
  /// Whether the prompt is in the last line, because a pane covers the whole screen.
  func isPromptBelow(_ layout: Layout) -> Bool {
    prompt != nil && isCovered(layout.middle, in: layout)
  }

  /// Draws the prompt in the last line while a pane covers the whole screen.
  private func drawPromptBelow(_ prompt: PromptPane, into frame: inout Frame, area: Rect) {
    frame.write(prompt.title + ": ", .key, in: area.line(0, ground: .statusBar))
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

  /// Returns the area of the text field in the last line.
  static func fieldBelow(_ prompt: PromptPane, in area: Rect) -> Rect {
    let title = min(TextWidth.columns(of: prompt.title + ": "), max(0, area.columns - 2))
    let room = max(0, area.columns - title - 2)
    return Rect(
      row: area.row, column: 1 + title, rows: 1,
      columns: prompt.complaint == nil ? room : room / 2)
  }

  /// Draws the current notice, or else key hints.
  func drawFooter(into frame: inout Frame, layout: Layout) {
    let area = layout.footer
    frame.fill(area, Paint(.statusBar, on: .statusBar))
    if let prompt, isPromptBelow(layout) {
      return drawPromptBelow(prompt, into: &frame, area: area)
    }
    if let notice { return draw(notice, into: &frame, area: area) }
    drawHints(into: &frame, area: area)
  }

  private func drawHints(into frame: inout Frame, area: Rect) {
    let hints = NoticeRow(hints: footerHints(width: area.columns - 2))
    frame.write(
      hints, row: area.row, column: 1, width: area.columns - 1, role: .statusBar, on: .statusBar)
  }

  /// Draws a notice in full. A long notice, or one above the hints, extends upwards until the next
  /// key.
  private func draw(_ notice: Notice, into frame: inout Frame, area: Rect) {
    let rows = rows(of: notice)
    let box = Rect(
      row: area.endRow - noticeRows, column: area.column, rows: noticeRows, columns: area.columns)
    frame.fill(box, Paint(.statusBar, on: .statusBar))
    if notice.keepsHints { drawHints(into: &frame, area: area) }
    for (number, row) in rows.enumerated() {
      frame.write(
        row, row: box.row + number, column: 1, width: max(0, area.columns - 2),
        role: notice.isError ? .error : .statusBar, on: .statusBar)
    }
  }

  private func rows(of notice: Notice) -> [NoticeRow] {
    keys.rows(of: notice, width: max(1, size.columns - 2), limit: Self.maxNoticeRows)
  }

  /// The number of rows that the current notice and the hints below it cover; 0 without a notice.
  var noticeRows: Int { notice.map { rows(of: $0).count + ($0.keepsHints ? 1 : 0) } ?? 0 }

  private static let maxNoticeRows = 4

  /// Draws the reason why data may be out of date, below the panes.
  func drawStaleness(into frame: inout Frame, layout: Layout) {
    guard let staleness = stalenessBelow else { return }
    let reason = staleness.reason
    let line = Rect(row: layout.footer.row - 1, column: 0, rows: 1, columns: layout.footer.columns)
    frame.fill(line, Paint(.error, on: .statusBar))
    let width = max(0, line.columns - 2)
    // The advice is never cut, unlike the reason.
    let text = staleness.outlook.map { keys.line($0) }.map { outlook in
      TextWidth.shortened(reason, to: max(0, width - TextWidth.columns(of: outlook) - 2))
        + ": " + outlook
    }
    frame.write(
      text ?? reason, row: line.row, column: 1, width: width,
      paint: Paint(.error, on: .statusBar))
  }

  /// The reason for the line below the panes; nil if the results show the reason.
  var stalenessBelow: Staleness? {
    guard let staleness, rejection == nil, !(store.isRejected && tab.results.hasFailed) else {
      return nil
    }
    return staleness
  }

  /// Shows the full reason as a notice, once, if the line below the panes is too short for it. The
  /// notice disappears when the reason no longer applies.
  mutating func showStaleness(since before: Staleness?) {
    // The line with the reason takes a row from the panes.
    if (before == nil) != (staleness == nil) { keepInView() }
    // The status of the connection, which is part of the notice, may have changed before.
    let isShown = before.map { notice?.text.hasPrefix($0.reason) == true } ?? false
    let isOver = isShown && staleness != before
    if isOver { notice = nil }
    guard !settings.isScreenReader, notice == nil, let staleness = stalenessBelow,
      before == nil || isOver,
      TextWidth.columns(of: keys.line(staleness.notice)) > size.columns - 2
    else { return }
    notice = staleness.notice
  }

  /// Returns the key of the hint at a column of the last line; nil if no hint is there.
  func footerKey(at column: Int) -> Key? {
    guard !settings.isScreenReader, notice?.keepsHints != false,
      !isPromptBelow(layout)
    else { return nil }
    var start = 1
    for hint in footerHints(width: size.columns - 2) {
      if (start..<start + hint.columns).contains(column) { return hint.key }
      start += hint.columns + NoticeRow.gap
    }
    return nil
  }

  /// Returns the key hints that fit. They always include help, and quit or cancel.
  private func footerHints(width: Int) -> [NamedHint] {
    if let prompt { return hints(of: prompt, width: width) }
    let input = FooterInput(state: hintState, keys: keys, width: width)
    return screen.footer(of: input) { input.hints }
  }

  /// Returns the key hints for a prompt. Hints that do not fit are omitted.
  private func hints(of prompt: PromptPane, width: Int) -> [NamedHint] {
    // The field has the mode of vi only after the first key.
    let isViTyping =
      prompt.field.vi?.isTyping ?? (settings.usesVi && prompt.purpose.traits.isForEditors)
    let isListOpen = prompt.completion != nil
    let entering =
      prompt.completion?.chosen != nil
      ? "accept" : isNarrowing ? "open" : prompt.purpose.traits.confirmation
    var hints: [NamedHint] = []
    var room = width
    func add(_ key: Key, _ labels: String...) {
      let hint = labels.lazy.map { NamedHint(key: key, label: $0) }.first { $0.columns <= room }
      guard let hint else { return }
      hints.append(hint)
      room -= hint.columns + NoticeRow.gap
    }
    add(.enter, entering)
    add(.escape, isViTyping ? "vi commands" : isListOpen ? "close list" : "cancel")
    if prompt.purpose.traits.isForEditors { add(.control("o"), "editor") }
    if let languageKey { add(languageKey, "query help") }
    // These come last, so that the other hints stay in place while the list opens and closes.
    if let completion = prompt.completion {
      add(.tab, completion.text.withoutTrailingSpace, "accept")
      if completion.candidates.count > 1 { add(.down, "others") }
    }
    return hints
  }

  /// Why the shown data may be out of date; nil if it is current or its freshness is unknown.
  var staleness: Staleness? {
    let freshness = tab.results.shown?.snapshot.freshness
    return store.staleness(of: freshness)
  }
}
