import TerminalUI
import Triples

// The last line: what was said, or else the keys that help most here.
extension Model {
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
  func drawFooter(into frame: inout Frame, area: Rect) {
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
    return tab.focus.hints
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
}
