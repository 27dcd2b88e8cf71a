import TerminalUI
import Triples

/// A JSON value as the lines of a tree, with a line for each member and element.
struct JSONLines {
  struct Line: Sendable, Equatable {
    var depth: Int
    /// The key of the member, or the index of the element.
    var key: String
    var cell: CellText
    /// The path of a nested value; nil for other values.
    var node: NodePath?
    /// The path of the nested value that contains the line.
    var parent: NodePath = []
  }

  private(set) var lines: [Line] = []
  /// The collapsed values.
  private let folds: NodeFolds
  private let limit: Int
  /// The catalog in which objects are looked up as entities. Nil if the objects are plain values.
  private let catalog: Catalog?

  /// Creates the lines of a value.
  ///
  /// - Parameters:
  ///   - namespace: The namespace of `value` if it is an entity.
  ///   - catalog: The catalog that contains the entity's links and their targets.
  ///   - folds: The collapsed values.
  ///   - path: The path of `value`.
  ///   - limit: The maximum number of lines. A last line counts the omitted lines.
  init(
    _ value: Value, of namespace: String? = nil, in catalog: Catalog? = nil,
    folds: NodeFolds = NodeFolds(), at path: NodePath = [], limit: Int = 1_000
  ) {
    self.limit = limit
    self.catalog = catalog
    self.folds = folds
    addChildren(of: value, in: namespace, depth: 0, path)
    if lines.count >= limit {
      lines.append(Line(depth: 0, key: "", cell: CellText(text: "…", role: .dim)))
    }
  }

  /// Adds the members or elements of a value.
  ///
  /// - Parameter namespace: The namespace of the entity or of the listed entities.
  private mutating func addChildren(
    of value: Value, in namespace: String?, depth: Int, _ path: NodePath
  ) {
    switch value {
    case .array(let elements):
      for (place, element) in elements.enumerated() where lines.count < limit {
        add(element, key: "\(place)", in: namespace, depth: depth, path)
      }
    case .object(let object):
      for member in object.members where lines.count < limit {
        let link = namespace.flatMap { catalog?.schema.link($0, member.key) }
        let attribute = namespace.flatMap { catalog?.schema.attribute($0, member.key) }
        add(member.value, key: member.key, in: link?.target, attribute, depth: depth, path)
      }
    case .null, .bool, .integer, .double, .text: break
    }
  }

  private mutating func add(
    _ value: Value, key: String, in namespace: String?, _ attribute: Attribute? = nil, depth: Int,
    _ parent: NodePath
  ) {
    var line = Line(
      depth: depth, key: key, cell: cell(value, in: namespace, attribute), parent: parent)
    let isBlob = attribute?.blobSize(of: value) != nil
    guard value.isNested, !isBlob else { return lines.append(line) }
    let node = parent + [key]
    let isCollapsed = folds.collapses(node)
    line.node = node
    line.cell.text = Self.mark(isCollapsed: isCollapsed) + line.cell.text
    lines.append(line)
    if !isCollapsed { addChildren(of: value, in: namespace, depth: depth + 1, node) }
  }

  /// Returns the mark in front of the size of a nested value.
  static func mark(isCollapsed: Bool) -> String { isCollapsed ? "▸ " : "▾ " }

  /// Returns the label of an entity; for any other object, its first text. Empty if it has neither.
  private func name(of object: JSONObject, in namespace: String?) -> String {
    if let catalog, let namespace, case .text(let id)? = object["id"],
      let entity = catalog.store.handle(of: EntityID(id))
    {
      return catalog.label(of: entity, in: namespace)
    }
    for member in object.members where member.key != "id" {
      if case .text(let text) = member.value { return String(text.prefix(40)) }
    }
    return ""
  }

  private func cell(_ value: Value, in namespace: String?, _ attribute: Attribute?) -> CellText {
    switch value {
    case .object where attribute?.blobSize(of: value) != nil:
      CellText(value, of: attribute)
    case .array(let elements): CellText(text: "[\(elements.count)]", role: .dim)
    case .object(let object):
      CellText(text: "{\(object.count)} " + name(of: object, in: namespace), role: .dim)
    case .null, .bool, .integer, .double, .text: CellText(value, of: attribute)
    }
  }
}
