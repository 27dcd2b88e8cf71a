import TerminalUI
import Triples
import Widgets

// Draws the form.
extension NewEntityPane {
  func draw(into frame: inout Frame, area: Rect, context: PaneContext) {
    let labelWidth = labelWidth(in: area.columns)
    let adviceRows = adviceRows(in: area.columns)
    for row in 0..<max(0, area.rows - adviceRows) where cursor.top + row < draft.fields.count {
      let place = cursor.top + row
      let line = area.line(row, ground: place == cursor.index ? .selection : .text)
      draw(place, labelWidth: labelWidth, into: &frame, line: line)
    }
    guard area.rows > adviceRows else { return }
    let (notice, role) = advice
    frame.writeNotice(
      notice, context.keys, in: area.inset(top: area.rows - adviceRows), role: role)
  }

  /// Returns the number of rows below the fields that the whole text of the advice needs.
  func adviceRows(in columns: Int) -> Int {
    TextLines.wrapped(advice.0.text, width: max(1, columns - 2), limit: Self.maxAdviceRows).count
  }

  private static let maxAdviceRows = 3

  /// The notice below the fields: the current error, or a hint on what to do next.
  var advice: (Notice, Role) {
    if isLeaving { return (.leavingForm, .warning) }
    if let complaint = field?.complaint ?? refusal { return (Notice(complaint), .error) }
    if let field, draft.isMissing(field) {
      let isText = field.attribute.map { $0.canBeText && !$0.isUnique } ?? false
      return (.required(field.label, isText: isText), .dim)
    }
    return (.formKeys(missing: draft.firstTrouble.map { draft.fields[$0].label }), .dim)
  }

  private static func title(of field: EntityDraft.Field) -> String {
    (field.link?.sign ?? "") + field.label
  }

  private func draw(_ place: Int, labelWidth: Int, into frame: inout Frame, line: ListLine) {
    let field = draft.fields[place]
    let (area, columns) = (line.area, line.area.columns)
    frame.fill(line)
    frame.write(
      field.isRequired ? "*" : " ", draft.isMissing(field) ? .warning : .dim, in: line, at: 0,
      width: 1)
    frame.write(
      Self.title(of: field), field.link == nil ? .attribute : .link, in: line, at: 2,
      width: labelWidth)
    let note = note(of: field)
    let box = box(of: field, in: columns)
    let noteWidth = noteWidth(of: note, in: columns)
    frame.write(note, .dim, in: line, at: columns - noteWidth - 1, width: noteWidth)
    draw(
      field, isChosen: place == cursor.index, into: &frame,
      line: Rect(row: area.row, column: area.column + box.lowerBound, rows: 1, columns: box.count))
  }

  private func labelWidth(in columns: Int) -> Int {
    let labels = draft.fields.map { TextWidth.columns(of: Self.title(of: $0)) }.max() ?? 0
    return min(labels, max(8, columns / 3))
  }

  private func noteWidth(of note: String, in columns: Int) -> Int {
    min(TextWidth.columns(of: note), max(0, columns - labelWidth(in: columns) - 5) / 2)
  }

  /// Returns the range of columns for a field's input in a line of the given width.
  func box(of field: EntityDraft.Field, in columns: Int) -> Range<Int> {
    let start = labelWidth(in: columns) + 4
    let end = columns - 2 - noteWidth(of: note(of: field), in: columns)
    return start..<max(start, end)
  }

  /// Draws the value of a field, or its placeholder.
  private func draw(
    _ field: EntityDraft.Field, isChosen: Bool, into frame: inout Frame, line: Rect
  ) {
    let isEdited = isChosen && field.link == nil
    var (text, role) = (isEdited ? "" : field.text.text, Role.string)
    if isEdited {
      field.text.draw(
        into: &frame, row: line.row, column: line.column, width: line.columns,
        paint: Paint(.prompt))
    } else if isChosen {
      frame.cursor = Position(row: line.row, column: line.column)
    }
    if field.complaint != nil { role = .error }
    if !field.linked.isEmpty {
      (text, role) = (field.linked.map(\.name).joined(separator: ", "), .link)
    } else if field.text.text.isEmpty {
      let advice =
        field.link == nil ? draft.proposal(for: field) : isChosen ? "type to choose" : nil
      (text, role) = (advice ?? "", .placeholder)
    }
    guard !text.isEmpty else { return }
    let inset = isEdited ? 1 : 0
    frame.write(
      text, row: line.row, column: line.column + inset, width: max(0, line.columns - inset),
      paint: Paint(role, on: isChosen && !isEdited ? .selection : .text))
  }

  private func note(of field: EntityDraft.Field) -> String {
    if let link = field.link {
      return field.linked.count > 1 ? "\(field.linked.count) of \(link.target)" : link.target
    }
    if field.isEmpty, draft.proposal(for: field) != nil {
      return "derived from \(draft.fields.first?.label ?? "the name")"
    }
    if draft.getsUUID(field) { return "a new UUID" }
    return field.attribute.map { SchemaPane.mark(of: $0) } ?? ""
  }
}
