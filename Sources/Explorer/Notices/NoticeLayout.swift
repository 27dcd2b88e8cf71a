import TerminalUI
import Widgets

/// A key with a label for its effect, such as `u` and `undo`.
struct NamedHint: Sendable, Equatable {
  let key: Key
  let label: String
  /// The name of the key.
  let name: String
  /// The label, after the space that separates it from the name.
  let spacedLabel: String
  /// The width of the name and the label, in columns.
  let columns: Int

  init(key: Key, label: String) {
    (self.key, self.label) = (key, label)
    name = key.name
    spacedLabel = " " + label
    columns = TextWidth.columns(of: name) + TextWidth.columns(of: spacedLabel)
  }

  var text: String { name + spacedLabel }
}

/// A row of a notice: a part of its sentence, then hints.
struct NoticeRow: Equatable {
  var text = ""
  var hints: [NamedHint] = []

  static let gap = 2

  var columns: Int {
    hints.reduce(TextWidth.columns(of: text)) { $0 + $1.columns + ($0 == 0 ? 0 : Self.gap) }
  }
}

extension KeyNames {
  /// Returns the hint with the name of its key, as text.
  ///
  /// Returns nil if no key performs the command, for example while the user types letters.
  func named(_ hint: KeyHint) -> NamedHint? {
    switch hint.stroke {
    case .key(let key): return NamedHint(key: key, label: hint.label ?? "")
    case .command(let command):
      if let key = strokes(for: command).first {
        return NamedHint(key: key, label: hint.label ?? command.label)
      }
      return strokes(for: .palette).first.map { NamedHint(key: $0, label: command.label) }
    }
  }

  func named(_ hints: [KeyHint]) -> [NamedHint] { hints.compactMap { named($0) } }

  /// Returns the notice as one line of text: `No earlier view.  ] forward`.
  func line(_ notice: Notice) -> String {
    ([notice.text] + named(notice.hints).map(\.text)).filter { !$0.isEmpty }
      .joined(separator: String(repeating: " ", count: NoticeRow.gap))
  }

  /// Returns the notice in a limited number of rows. Hints that do not fit are omitted.
  func rows(of notice: Notice, width: Int, limit: Int) -> [NoticeRow] {
    var rows = TextLines.wrapped(notice.text, width: width, limit: limit).map {
      NoticeRow(text: $0)
    }
    for hint in named(notice.hints) {
      var last = rows.popLast() ?? NoticeRow()
      let needed = (last.columns == 0 ? 0 : NoticeRow.gap) + hint.columns
      if last.columns + needed <= width {
        last.hints.append(hint)
        rows.append(last)
      } else {
        rows.append(last)
        guard rows.count < limit, hint.columns <= width else { break }
        rows.append(NoticeRow(hints: [hint]))
      }
    }
    return rows
  }
}

extension Frame {
  mutating func write(
    _ noticeRow: NoticeRow, row: Int, column: Int, width: Int, role: Role, on ground: Role
  ) {
    let end = column + width
    var column =
      column
      + write(
        noticeRow.text, row: row, column: column, width: max(0, width),
        paint: Paint(role, on: ground))
    var isFirst = noticeRow.text.isEmpty
    for hint in noticeRow.hints {
      column += isFirst ? 0 : NoticeRow.gap
      isFirst = false
      column += write(
        hint.name, row: row, column: column, width: max(0, end - column),
        paint: Paint(.key, on: ground))
      column += write(
        hint.spacedLabel, row: row, column: column, width: max(0, end - column),
        paint: Paint(.keyLabel, on: ground))
    }
  }

  /// Writes a notice into an area of a pane.
  mutating func writeNotice(_ notice: Notice, _ keys: KeyNames, in area: Rect, role: Role = .dim) {
    let inner = area.inset(left: 1, right: 1)
    guard inner.rows > 0, inner.columns > 0 else { return }
    let rows = keys.rows(of: notice, width: inner.columns, limit: inner.rows)
    for (number, noticeRow) in rows.enumerated() {
      write(
        noticeRow, row: inner.row + number, column: inner.column, width: inner.columns, role: role,
        on: .text)
    }
  }
}
