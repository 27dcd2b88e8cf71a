import TerminalUI

/// Finds the boxes in a drawn frame.
extension Frame {
  /// The directions in which a border character continues.
  struct Arms: OptionSet {
    let rawValue: Int
    static let up = Arms(rawValue: 1)
    static let down = Arms(rawValue: 2)
    static let left = Arms(rawValue: 4)
    static let right = Arms(rawValue: 8)
    static let each: [Arms] = [.up, .down, .left, .right]

    var step: (rows: Int, columns: Int) {
      switch self {
      case .up: (-1, 0)
      case .down: (1, 0)
      case .left: (0, -1)
      default: (0, 1)
      }
    }

    var opposite: Arms {
      switch self {
      case .up: .down
      case .down: .up
      case .left: .right
      default: .left
      }
    }
  }

  private static let borderInks: Set<Role> = [.border, .borderFocused, .error]
  private static let titleInks: Set<Role> = [
    .title, .titleFocused, .titleDetail, .completionDetail,
  ]
  private static let arms: [Unicode.Scalar: Arms] = [
    "─": [.left, .right], "│": [.up, .down], "╭": [.down, .right], "╮": [.down, .left],
    "╰": [.up, .right], "╯": [.up, .left], "├": [.up, .down, .right], "┤": [.up, .down, .left],
  ]

  /// The directions in which the border at a cell continues; empty if no border is there.
  func arms(row: Int, column: Int) -> Arms {
    guard bounds.contains(row: row, column: column) else { return [] }
    let cell = cell(row: row, column: column)
    guard Self.borderInks.contains(cell.paint.ink) else { return [] }
    return Self.arms[cell.scalar] ?? []
  }

  /// Whether a cell belongs to a title in a border.
  func isTitle(row: Int, column: Int) -> Bool {
    bounds.contains(row: row, column: column)
      && Self.titleInks.contains(cell(row: row, column: column).paint.ink)
  }

  /// Whether a cell is on a border but shows which lines or boxes are hidden: the thumb of a scroll
  /// bar, or an arrow of a diagram.
  func isThumb(row: Int, column: Int) -> Bool {
    bounds.contains(row: row, column: column)
      && "█◂▸▴".unicodeScalars.contains(cell(row: row, column: column).scalar)
      && [.key, .scrollbarThumb].contains(cell(row: row, column: column).paint.ink)
  }

  /// The areas of the boxes whose border is entirely visible.
  var wholeBoxes: [Rect] {
    var boxes: [Rect] = []
    for row in 0..<size.rows {
      for column in 0..<size.columns where scalar(row, column) == "╭" {
        if let box = wholeBox(row: row, column: column) { boxes.append(box) }
      }
    }
    return boxes
  }

  private func wholeBox(row: Int, column: Int) -> Rect? {
    var right = column + 1
    while scalar(row, right) == "─" || isTitle(row: row, column: right) { right += 1 }
    guard scalar(row, right) == "╮" else { return nil }
    var bottom = row + 1
    while let side = scalar(bottom, column), side == "│" || side == "├" {
      guard
        arms(row: bottom, column: right).contains([.up, .down])
          || isThumb(row: bottom, column: right)
      else { return nil }
      bottom += 1
    }
    guard scalar(bottom, column) == "╰", scalar(bottom, right) == "╯",
      (column + 1..<right).allSatisfy({ scalar(bottom, $0) == "─" })
    else { return nil }
    return Rect(
      row: row, column: column, rows: bottom - row + 1, columns: right - column + 1)
  }

  /// The border character at a cell; nil if no border is there.
  private func scalar(_ row: Int, _ column: Int) -> Unicode.Scalar? {
    arms(row: row, column: column).isEmpty ? nil : cell(row: row, column: column).scalar
  }

  /// The area of the focused pane, including its border: all cells between those in focus colors.
  ///
  /// The bottom line is missing if another pane is directly below. Nil if nothing has the focus
  /// colors.
  var focusedArea: Rect? {
    var area: Rect?
    for (row, column) in focusCells {
      let cell = Rect(row: row, column: column, rows: 1, columns: 1)
      area = area?.including(cell) ?? cell
    }
    return area
  }

  /// The area inside the border of the focused pane; nil if nothing has the focus colors.
  var focusedInterior: Rect? {
    guard let area = focusedArea else { return nil }
    let hasBottom = scalar(area.endRow - 1, area.column) == "╰"
    return area.inset(top: 1, left: 1, bottom: hasBottom ? 1 : 0, right: 1)
  }

  /// The cells in the colors of a focused border or title.
  ///
  /// This omits lists of suggestions and the box of the selected namespace in a diagram, which has
  /// double lines.
  var focusCells: [(row: Int, column: Int)] {
    (0..<size.rows).flatMap { row in
      (0..<size.columns).filter { column in
        let cell = cell(row: row, column: column)
        guard cell.paint.ground == .text else { return false }
        return cell.paint.ink == .borderFocused
          ? !arms(row: row, column: column).isEmpty
          : cell.paint.ink == .titleFocused && !isInDoubleLine(row: row, column: column)
      }.map { (row, $0) }
    }
  }

  /// Whether the first line of the focused pane is a line without a title.
  var hasFocusedLine: Bool {
    guard let area = focusedArea else { return false }
    return (area.column + 1..<area.endColumn - 1).allSatisfy { scalar(area.row, $0) == "─" }
  }

  /// The titles of focused panes.
  var focusedTitles: [String] {
    var titles: [(row: Int, end: Int, text: String)] = []
    for (row, column) in focusCells {
      let cell = cell(row: row, column: column)
      guard cell.paint.ink == .titleFocused else { continue }
      let isNext = titles.last.map { $0.row == row && $0.end == column } == true
      if !isNext { titles.append((row, column, "")) }
      titles[titles.count - 1].end = column + 1
      if !cell.isSecondHalf { titles[titles.count - 1].text.unicodeScalars.append(cell.scalar) }
    }
    return titles.map(\.text)
  }

  /// Whether a title is in a double line.
  private func isInDoubleLine(row: Int, column: Int) -> Bool {
    var column = column
    while column > 0, isTitle(row: row, column: column) { column -= 1 }
    return cell(row: row, column: column).scalar == "═"
  }

  /// Returns the texts in the borders of an area: titles and remarks.
  func titles(in area: Rect) -> [String] {
    (area.row..<area.endRow).flatMap { row in
      var titles: [String] = []
      var isNext = false
      for column in area.column..<area.endColumn {
        let cell = cell(row: row, column: column)
        let isTitle = isTitle(row: row, column: column) && cell.paint.ground == .text
        if isTitle, !isNext { titles.append("") }
        if isTitle, !cell.isSecondHalf {
          titles[titles.count - 1].unicodeScalars.append(cell.scalar)
        }
        isNext = isTitle
      }
      return titles
    }
  }

  /// Calls `body` with the position of each cell of an area that it asks for.
  func cells(in area: Rect, where isWanted: (Cell) -> Bool) -> [Position] {
    let area = bounds.intersection(area)
    return (area.row..<area.endRow).flatMap { row in
      (area.column..<area.endColumn)
        .filter { isWanted(cell(row: row, column: $0)) }
        .map { Position(row: row, column: $0) }
    }
  }

  /// The number of rows at the bottom with the background of the footer: key hints, a notice, and
  /// the reason why data may be out of date.
  var footerRows: Int {
    (0..<size.rows).reversed().prefix { cell(row: $0, column: 0).paint.ground == .statusBar }.count
  }

  /// The text of the rows at the bottom in one line.
  var footerText: String {
    (size.rows - footerRows..<size.rows).map { text(row: $0).trimmingSpaces }
      .joined(separator: " ")
  }
}

extension Rect {
  /// Returns the smallest area that contains both areas.
  fileprivate func including(_ other: Rect) -> Rect {
    let (top, left) = (min(row, other.row), min(column, other.column))
    return Rect(
      row: top, column: left, rows: max(endRow, other.endRow) - top,
      columns: max(endColumn, other.endColumn) - left)
  }
}

extension String {
  /// The text without spaces at its ends.
  var trimmingSpaces: String {
    String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }

  /// The words of the text.
  var spaced: [String] { split(separator: " ").map(String.init) }
}
