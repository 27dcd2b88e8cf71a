import Explorer
import Ncurses
import TerminalUI

/// How a frame is recorded.
enum SceneTelling {
  /// As text.
  case text
  /// As ASCII text.
  case ascii
  /// Lines with changes; highlights are named in braces before their text.
  case flashes
  /// Lines with text attributes.
  case attributes
  /// All lines with background roles in braces.
  case grounds
}

/// A pane on a screen: its box, the header and the footer.
///
/// Other panes have their own records.
struct ScenePortrait: Equatable {
  let rows: Range<Int>
  let columns: Range<Int>
  let lines: [String]
  /// Whether each line has something to record.
  let isTold: [Bool]

  /// - Parameters:
  ///   - area: The part of the frame; nil finds the box of the focused pane.
  ///   - isTimed: Whether it contains measured times, which are left out.
  init(
    _ frame: Frame, _ telling: SceneTelling, area: (Range<Int>, Range<Int>)? = nil,
    isTimed: Bool = false
  ) {
    (rows, columns) = area ?? frame.focused
    var lines: [String] = []
    var isTold: [Bool] = []
    let last = frame.size.rows - 1
    for row in 0...last where row == 0 || row == last || rows.contains(row) {
      let all = row == 0 || row == last
      let told = frame.line(row, all ? 0..<frame.size.columns : columns, telling)
      lines.append(isTimed ? told.text.withoutTimes : told.text)
      isTold.append(told.isTold)
    }
    self.lines = lines
    self.isTold = isTold
  }

  /// The lines, without repetitions.
  var whole: String {
    var told: [String] = []
    var again = 0
    for (index, line) in lines.enumerated() {
      if index > 0, line == lines[index - 1] {
        again += 1
        continue
      }
      if again > 0 { told.append("… \(again) more equal lines") }
      again = 0
      told.append(line)
    }
    return told.joined(separator: "\n")
  }

  /// The lines that say something, with their numbers.
  var toldLines: String {
    numbered(orElse: "(no such lines)") { isTold[$0] }
  }

  /// The lines in which it differs from another one, with their numbers; all of it where their boxes
  /// lie elsewhere.
  func differing(from other: ScenePortrait) -> String {
    guard rows == other.rows, columns == other.columns else { return whole }
    return numbered(orElse: "(no difference from the usual screen)") {
      lines[$0] != other.lines[$0]
    }
  }

  private func numbered(orElse none: String, _ isShown: (Int) -> Bool) -> String {
    let shown = lines.indices.filter(isShown)
    if shown.isEmpty { return none }
    return shown.map { ($0 < 10 ? " " : "") + "\($0) \(lines[$0])" }.joined(separator: "\n")
  }
}

extension Frame {
  /// Rows and columns of the box whose lines are those of the pane in focus, with what hangs below it;
  /// everything between the first and the last row when there is none.
  fileprivate var focused: (Range<Int>, Range<Int>) {
    var rows: ClosedRange<Int>?
    var columns: ClosedRange<Int>?
    for row in 1..<max(1, size.rows - 1) {
      for column in 0..<size.columns {
        let paint = cell(row: row, column: column).paint
        let isLine = Self.focusInks.contains(paint.ink) && paint.ground == .text
        guard isLine || Self.hangings.contains(paint.ground) else { continue }
        rows = min(rows?.lowerBound ?? row, row)...max(rows?.upperBound ?? row, row)
        columns =
          min(columns?.lowerBound ?? column, column)...max(columns?.upperBound ?? column, column)
      }
    }
    guard let rows, let columns else { return (1..<max(1, size.rows - 1), 0..<size.columns) }
    return (rows.lowerBound..<rows.upperBound + 1, columns.lowerBound..<columns.upperBound + 1)
  }

  private static let focusInks: Set<Role> = [.borderFocused, .titleFocused]
  private static let hangings: Set<Role> = [.completion, .completionSelected]
  private static let flashes: Set<Role> = [.changed, .inserted, .deleted]

  fileprivate func line(
    _ row: Int, _ columns: Range<Int>, _ telling: SceneTelling
  ) -> (text: String, isTold: Bool) {
    var text = ""
    var name = ""
    var isTold = false
    for column in columns {
      let cell = cell(row: row, column: column)
      if cell.isSecondHalf { continue }
      let now = cell.paint.name(telling)
      if now != name {
        text += "{\(now)}"
        name = now
      }
      if !now.isEmpty { isTold = true }
      if telling == .ascii {
        text.unicodeScalars.append(ASCIIGlyphs.any(cell.scalar))
        continue
      }
      text.unicodeScalars.append(cell.scalar)
      for mark in marks(row: row, column: column) where mark != "\u{200E}" {
        text.unicodeScalars.append(mark)
      }
    }
    if !name.isEmpty { text += "{}" }
    while text.last == " " { text.removeLast() }
    return (text, isTold)
  }
}

extension Paint {
  fileprivate func name(_ telling: SceneTelling) -> String {
    switch telling {
    case .text, .ascii: return ""
    case .grounds: return ground == .text ? "" : ground.name
    case .flashes:
      let flash: [Role] = [ground, ink].filter { [.changed, .inserted, .deleted].contains($0) }
      return flash.first?.name ?? ""
    case .attributes:
      let attributes = Theme.plain.style(of: self, depth: .none).attributes
      let names: [(Attributes, String)] = [(.reverse, "reverse"), (.underline, "underline")]
      return names.filter { attributes.contains($0.0) }.map(\.1).joined(separator: " ")
    }
  }
}
