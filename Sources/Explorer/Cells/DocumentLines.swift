import InstaQL
import TerminalUI
import Triples

/// The lines of an answer's entity, as JSON or as a tree without quotes and braces.
struct DocumentLines: Sendable {
  struct Piece: Sendable, Equatable {
    let text: String
    let role: Role
  }

  struct Line: Sendable, Equatable {
    let indent: Int
    let pieces: [Piece]
    /// The member of the entity on the line; nil for lines about the whole entity.
    var member: String?

    var text: String { pieces.map(\.text).joined() }
  }

  private(set) var lines: [Line] = []
  private let limit: Int

  /// Creates the lines of an entity.
  ///
  /// - Parameter limit: The maximum number of lines; further lines are omitted.
  init(
    _ entity: EntityHandle, of plan: QueryPlan, in catalog: Catalog, as form: AnswerForm,
    limit: Int
  ) {
    self.limit = limit
    // Parsing cannot fail, since the text was just written.
    guard let text = catalog.json(of: entity, plan),
      let value = try? JSONReader.value(of: text)
    else { return }
    switch form {
    case .json:
      write(value, after: [], indent: 0, isLast: true)
      if lines.count >= limit {
        lines.append(Line(indent: 0, pieces: [Piece(text: "…", role: .dim)]))
      }
    case .table, .tree:
      let label = catalog.label(of: entity, in: plan.namespace)
      lines.append(Line(indent: 0, pieces: [Piece(text: label, role: .emphasis)]))
      let tree = JSONLines(value, of: plan.namespace, in: catalog, limit: limit).lines
      let widths = Self.keyWidths(of: tree)
      var member: String?
      for line in tree {
        if line.depth == 0 { member = line.key }
        // Values of the same depth are aligned in a column.
        let gap = max(0, widths[line.depth] - TextWidth.columns(of: line.key)) + 2
        lines.append(
          Line(
            indent: 2 + line.depth * 2,
            pieces: [
              Piece(text: line.key, role: .attribute),
              Piece(text: String(repeating: " ", count: gap), role: .text),
              Piece(text: line.cell.text, role: line.cell.role),
            ], member: member))
      }
    }
  }

  /// Returns the width of the widest key at each depth, except keys longer than `widestKey`.
  private static func keyWidths(of lines: [JSONLines.Line]) -> [Int] {
    var widths: [Int] = []
    for line in lines {
      while widths.count <= line.depth { widths.append(0) }
      let width = TextWidth.columns(of: line.key)
      if width <= widestKey { widths[line.depth] = max(widths[line.depth], width) }
    }
    return widths
  }

  private static let widestKey = 20

  private mutating func write(
    _ value: Value, after head: [Piece], indent: Int, isLast: Bool, member: String? = nil
  ) {
    guard lines.count < limit else { return }
    let comma = isLast ? [] : [Piece(text: ",", role: .punctuation)]
    func punctuation(_ text: String) -> Piece { Piece(text: text, role: .punctuation) }
    switch value {
    case .object(let object) where !object.isEmpty:
      add(indent, head + [punctuation("{")], member)
      for (place, entry) in object.members.enumerated() where lines.count < limit {
        let key = [
          Piece(text: JSONWriter.text(.text(entry.key)), role: .attribute), punctuation(": "),
        ]
        write(
          entry.value, after: key, indent: indent + 2, isLast: place == object.count - 1,
          member: member ?? entry.key)
      }
      add(indent, [punctuation("}")] + comma, member)
    case .array(let elements) where !elements.isEmpty:
      add(indent, head + [punctuation("[")], member)
      for (place, element) in elements.enumerated() where lines.count < limit {
        write(
          element, after: [], indent: indent + 2, isLast: place == elements.count - 1,
          member: member)
      }
      add(indent, [punctuation("]")] + comma, member)
    case .object, .array, .null, .bool, .integer, .double, .text:
      let text = String(JSONWriter.text(value).prefix(500))
      add(indent, head + [Piece(text: text, role: value.role)] + comma, member)
    }
  }

  private mutating func add(_ indent: Int, _ pieces: [Piece], _ member: String?) {
    guard lines.count < limit else { return }
    lines.append(Line(indent: indent, pieces: pieces, member: member))
  }
}

extension Value {
  /// The color role for this kind of value.
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
