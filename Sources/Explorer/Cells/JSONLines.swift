import TerminalUI
import Triples

/// A JSON value as lines of a tree: one for each member and element, deeper ones indented.
struct JSONLines {
  struct Line: Sendable, Equatable {
    var depth: Int
    /// The member's key, or the element's place.
    var key: String
    var cell: CellText
  }

  private(set) var lines: [Line] = []
  private let most: Int

  /// - Parameter most: Lines to make; what is left out is said in a last one.
  init(_ value: Value, most: Int = 1_000) {
    self.most = most
    addChildren(of: value, depth: 0)
    if lines.count >= most {
      lines.append(Line(depth: 0, key: "", cell: CellText(text: "…", role: .dim)))
    }
  }

  private mutating func addChildren(of value: Value, depth: Int) {
    switch value {
    case .array(let elements):
      for (place, element) in elements.enumerated() where lines.count < most {
        add(element, key: "\(place)", depth: depth)
      }
    case .object(let object):
      for member in object.members where lines.count < most {
        add(member.value, key: member.key, depth: depth)
      }
    case .null, .bool, .integer, .double, .text: break
    }
  }

  private mutating func add(_ value: Value, key: String, depth: Int) {
    lines.append(Line(depth: depth, key: key, cell: Self.cell(value)))
    addChildren(of: value, depth: depth + 1)
  }

  /// The text by which one would know an object among others.
  private static func name(of object: JSONObject) -> String {
    for member in object.members where member.key != "id" {
      if case .text(let text) = member.value { return String(text.prefix(40)) }
    }
    return ""
  }

  private static func cell(_ value: Value) -> CellText {
    switch value {
    case .array(let elements): CellText(text: "[\(elements.count)]", role: .dim)
    case .object(let object):
      CellText(text: "{\(object.count)} " + Self.name(of: object), role: .dim)
    case .null: .null
    case .bool(let flag): CellText(text: flag ? "true" : "false", role: .boolean)
    case .integer, .double: CellText(text: JSONWriter.text(value), role: .number)
    case .text(let text): CellText(text: String(text.prefix(500)), role: .string)
    }
  }
}
