import InstaQL
import TerminalUI
import Triples

/// One entity of an answer as lines: as JSON, or as a tree without its quotes and braces.
struct DocumentLines {
  struct Piece: Equatable {
    let text: String
    let role: Role
  }

  struct Line: Equatable {
    let indent: Int
    let pieces: [Piece]

    var text: String { pieces.map(\.text).joined() }
  }

  private(set) var lines: [Line] = []
  private let most: Int

  /// - Parameter most: Lines to make at most; the rest of a long entity is left out.
  init(
    _ entity: EntityHandle, of table: ResultTable, as form: AnswerForm, most: Int
  ) {
    self.most = most
    let plan = table.answer.plan
    // It was written by us; if it cannot be read, there is nothing to show.
    guard let text = table.catalog.json(of: entity, plan),
      let value = try? JSONReader.value(of: text)
    else { return }
    switch form {
    case .json: write(value, after: [], indent: 0, isLast: true)
    case .table, .tree:
      let label = table.catalog.label(of: entity, in: plan.namespace)
      lines.append(Line(indent: 0, pieces: [Piece(text: label, role: .emphasis)]))
      for line in JSONLines(value, most: most).lines {
        lines.append(
          Line(
            indent: 2 + line.depth * 2,
            pieces: [
              Piece(text: line.key + "  ", role: .attribute),
              Piece(text: line.cell.text, role: line.cell.role),
            ]))
      }
    }
  }

  private mutating func write(_ value: Value, after head: [Piece], indent: Int, isLast: Bool) {
    guard lines.count < most else { return }
    let comma = isLast ? [] : [Piece(text: ",", role: .punctuation)]
    func punctuation(_ text: String) -> Piece { Piece(text: text, role: .punctuation) }
    switch value {
    case .object(let object) where !object.isEmpty:
      lines.append(Line(indent: indent, pieces: head + [punctuation("{")]))
      for (place, member) in object.members.enumerated() {
        let key = [
          Piece(text: JSONWriter.text(.text(member.key)), role: .attribute), punctuation(": "),
        ]
        write(member.value, after: key, indent: indent + 2, isLast: place == object.count - 1)
      }
      lines.append(Line(indent: indent, pieces: [punctuation("}")] + comma))
    case .array(let elements) where !elements.isEmpty:
      lines.append(Line(indent: indent, pieces: head + [punctuation("[")]))
      for (place, element) in elements.enumerated() {
        write(element, after: [], indent: indent + 2, isLast: place == elements.count - 1)
      }
      lines.append(Line(indent: indent, pieces: [punctuation("]")] + comma))
    case .object, .array, .null, .bool, .integer, .double, .text:
      let text = String(JSONWriter.text(value).prefix(500))
      lines.append(
        Line(indent: indent, pieces: head + [Piece(text: text, role: value.role)] + comma))
    }
  }
}

extension Value {
  /// How a value of this kind is coloured.
  var role: Role {
    switch self {
    case .null: .null
    case .bool: .boolean
    case .integer, .double: .number
    case .text: .string
    case .array, .object: .dim
    }
  }
}

extension ResultsPane {
  /// Draws the rows about the chosen one as trees or JSON.
  ///
  /// Only as many rows are written as there is room for, so the cost follows the screen.
  func drawDocuments(
    of table: ResultTable, into frame: inout Frame, area: Rect, isFocused: Bool, marks: Marks
  ) {
    let marked = marks[table.answer.namespace]
    let chosen = table.row(ofLine: cursor.index)
    var row = chosen
    // Some of the rows above the chosen one stay in sight.
    var above = 0
    while row > 0, above < area.rows / 3 {
      row -= 1
      above += document(row, of: table, most: area.rows * 2).lines.count
    }
    var y = area.row - max(0, above - area.rows / 3)
    while y < area.endRow, row < table.answer.rows.count {
      for (number, line) in document(row, of: table, most: area.rows * 2).lines.enumerated() {
        if y >= area.row, y < area.endRow {
          let isHead = number == 0 && row == chosen
          draw(line, into: &frame, row: y, area: area, isChosen: isHead, isFocused: isFocused)
          if pattern.isIn(line.text) {
            frame.repaint(
              Rect(row: y, column: area.column, rows: 1, columns: area.columns),
              ground: row == chosen ? .matchCurrent : .match)
          }
          let id = marked.isEmpty ? nil : table.catalog.store.id(of: table.answer.rows[row])
          if number == 0, let id, marked.contains(id) {
            let ground: Role =
              isHead ? (isFocused ? .selection : .selectionUnfocused) : .text
            Self.drawMark(
              into: &frame, line: Rect(row: y, column: area.column, rows: 1, columns: 1),
              column: 0, ground: ground)
          }
        }
        y += 1
      }
      row += 1
    }
  }

  private func document(_ row: Int, of table: ResultTable, most: Int) -> DocumentLines {
    DocumentLines(table.answer.rows[row], of: table, as: form, most: most)
  }

  private func draw(
    _ line: DocumentLines.Line, into frame: inout Frame, row: Int, area: Rect, isChosen: Bool,
    isFocused: Bool
  ) {
    let ground: Role = isChosen ? (isFocused ? .selection : .selectionUnfocused) : .text
    if isChosen {
      frame.fill(
        Rect(row: row, column: area.column, rows: 1, columns: area.columns),
        Paint(.text, on: ground))
    }
    var column = area.column + 1 + line.indent
    for piece in line.pieces {
      column += frame.write(
        piece.text, row: row, column: column,
        width: max(0, area.column + area.columns - column), paint: Paint(piece.role, on: ground))
    }
  }
}
