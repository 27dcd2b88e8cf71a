import InstaQL
import TerminalUI
import Triples

/// The lines that show an entity of an answer as JSON, or as a tree without quotes and braces.
struct DocumentLines: Sendable {
  struct Piece: Sendable, Equatable {
    let text: String
    let role: Role
  }

  struct Line: Sendable, Equatable {
    let indent: Int
    var pieces: [Piece]
    /// The key of the entity's member that the line belongs to; nil for lines about the whole
    /// entity.
    var member: String?
    /// The path of the value that begins or ends on the line, if it can be collapsed; empty for the
    /// entity itself, nil for other lines.
    var node: NodePath?
    /// The path of the value that contains the line; empty if it is the entity, nil if there is none.
    var parent: NodePath?

    var text: String { pieces.map(\.text).joined() }
  }

  /// The maximum number of lines of a document. If lines are omitted, a further line says so.
  static let maxCount = 20_000

  private(set) var lines: [Line] = []
  /// The collapsed values.
  private let folds: NodeFolds

  /// Creates the lines of an entity.
  ///
  /// - Parameter folds: The collapsed values.
  init(
    _ entity: EntityHandle, of plan: QueryPlan, in catalog: Catalog, as form: AnswerForm,
    folds: NodeFolds = NodeFolds()
  ) {
    self.folds = folds
    // Parsing cannot fail, since the text was just written.
    guard let text = catalog.json(of: entity, plan),
      let value = try? JSONReader.value(of: text)
    else { return }
    if folds.collapses([]) {
      let label = catalog.label(of: entity, in: plan.namespace)
      lines = [Self.collapsed(value, called: label, as: form)]
      return
    }
    switch form {
    case .json:
      write(value, after: [], indent: 0, isLast: true)
      if lines.count >= Self.maxCount {
        lines.append(Line(indent: 0, pieces: [Piece(text: "…", role: .dim)]))
      }
    case .table, .tree:
      let label = catalog.label(of: entity, in: plan.namespace)
      lines.append(Line(indent: 0, pieces: [Piece(text: label, role: .emphasis)], node: []))
      let tree = JSONLines(
        value, of: plan.namespace, in: catalog, folds: folds, limit: Self.maxCount
      ).lines
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
              Piece(text: line.key, role: .documentKey),
              Piece(text: String(repeating: " ", count: gap), role: .text),
              Piece(text: line.cell.text, role: line.cell.role),
            ], member: member, node: line.node, parent: line.parent))
      }
    }
  }

  /// Returns the only line of a collapsed entity.
  private static func collapsed(_ value: Value, called label: String, as form: AnswerForm) -> Line {
    let count = "\(value.memberCount)"
    let pieces =
      form == .json
      ? [punctuation("{"), Piece(text: "… \(count)", role: .dim), punctuation("} ")]
      : [Piece(text: JSONLines.mark(isCollapsed: true) + "{\(count)} ", role: .dim)]
    return Line(indent: 0, pieces: pieces + [Piece(text: label, role: .emphasis)], node: [])
  }

  /// Returns the width of the widest key at each depth. Keys longer than `maxKeyWidth` are ignored.
  private static func keyWidths(of lines: [JSONLines.Line]) -> [Int] {
    var widths: [Int] = []
    for line in lines {
      while widths.count <= line.depth { widths.append(0) }
      let width = TextWidth.columns(of: line.key)
      if width <= maxKeyWidth { widths[line.depth] = max(widths[line.depth], width) }
    }
    return widths
  }

  private static let maxKeyWidth = 20

  /// Writes a value as JSON.
  ///
  /// - Parameters:
  ///   - parent: The path of the nested value that contains the value; empty for the entity's
  ///     members.
  ///   - key: The key or the element number of the value; nil for the entity itself.
  private mutating func write(
    _ value: Value, after head: [Piece] = [], indent: Int, isLast: Bool, member: String? = nil,
    in parent: NodePath = [], at key: String? = nil
  ) {
    guard lines.count < Self.maxCount else { return }
    var line = Line(indent: indent, pieces: head, member: member, parent: key.map { _ in parent })
    let comma = isLast ? [] : [Self.punctuation(",")]
    guard value.isNested else {
      let text = String(JSONWriter.text(value).prefix(500))
      line.pieces += [Piece(text: text, role: value.role)] + comma
      return add(line)
    }
    let (start, end) = if case .array = value { ("[", "]") } else { ("{", "}") }
    let path = key.map { parent + [$0] } ?? []
    line.node = path
    line.pieces.append(Self.punctuation(start))
    if folds.collapses(path) {
      line.pieces.append(Piece(text: "… \(value.memberCount)", role: .dim))
      line.pieces += [Self.punctuation(end)] + comma
      return add(line)
    }
    add(line)
    writeMembers(of: value, indent: indent + 2, member: member, path)
    line.pieces = [Self.punctuation(end)] + comma
    add(line)
  }

  private mutating func writeMembers(
    of value: Value, indent: Int, member: String?, _ path: NodePath
  ) {
    switch value {
    case .object(let object):
      for (place, entry) in object.members.enumerated() where lines.count < Self.maxCount {
        let key = [
          Piece(text: JSONWriter.text(.text(entry.key)), role: .documentKey),
          Self.punctuation(": "),
        ]
        write(
          entry.value, after: key, indent: indent, isLast: place == object.count - 1,
          member: member ?? entry.key, in: path, at: entry.key)
      }
    case .array(let elements):
      for (place, element) in elements.enumerated() where lines.count < Self.maxCount {
        write(
          element, indent: indent, isLast: place == elements.count - 1, member: member, in: path,
          at: "\(place)")
      }
    case .null, .bool, .integer, .double, .text: break
    }
  }

  private static func punctuation(_ text: String) -> Piece { Piece(text: text, role: .punctuation) }

  private mutating func add(_ line: Line) {
    if lines.count < Self.maxCount { lines.append(line) }
  }
}

extension Value {
  /// The color role in which this kind of value is drawn.
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
