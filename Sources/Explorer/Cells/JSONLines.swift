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
  /// What knows the entities among the objects; nil where all are values.
  private let catalog: Catalog?

  /// - Parameters:
  ///   - namespace: Of the entity that `value` is, where it is one.
  ///   - catalog: What knows its links, and what they lead to.
  ///   - most: Lines to make; what is left out is said in a last one.
  init(
    _ value: Value, of namespace: String? = nil, in catalog: Catalog? = nil, most: Int = 1_000
  ) {
    self.most = most
    self.catalog = catalog
    addChildren(of: value, in: namespace, depth: 0)
    if lines.count >= most {
      lines.append(Line(depth: 0, key: "", cell: CellText(text: "…", role: .dim)))
    }
  }

  /// - Parameter namespace: Of the entity that an object is, or of those that a list holds.
  private mutating func addChildren(of value: Value, in namespace: String?, depth: Int) {
    switch value {
    case .array(let elements):
      for (place, element) in elements.enumerated() where lines.count < most {
        add(element, key: "\(place)", in: namespace, depth: depth)
      }
    case .object(let object):
      for member in object.members where lines.count < most {
        let link = namespace.flatMap { catalog?.schema.link($0, member.key) }
        let attribute = namespace.flatMap { catalog?.schema.attribute($0, member.key) }
        add(member.value, key: member.key, in: link?.target, attribute, depth: depth)
      }
    case .null, .bool, .integer, .double, .text: break
    }
  }

  private mutating func add(
    _ value: Value, key: String, in namespace: String?, _ attribute: Attribute? = nil, depth: Int
  ) {
    lines.append(Line(depth: depth, key: key, cell: cell(value, in: namespace, attribute)))
    addChildren(of: value, in: namespace, depth: depth + 1)
  }

  /// What an entity is called, else the text by which one would know an object among others.
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
    case .array(let elements): CellText(text: "[\(elements.count)]", role: .dim)
    case .object(let object):
      CellText(text: "{\(object.count)} " + name(of: object, in: namespace), role: .dim)
    case .null, .bool, .integer, .double, .text: CellText(value, of: attribute)
    }
  }
}
