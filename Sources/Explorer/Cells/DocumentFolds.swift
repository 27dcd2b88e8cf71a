import Triples

/// The path of keys and element numbers from an entity to one of its nested values.
typealias NodePath = [String]

/// The nested values of one entity that are collapsed in a document view. The empty path is the
/// entity itself, which is expanded by default.
struct NodeFolds: Sendable, Hashable {
  /// Whether nested values are collapsed by default.
  private(set) var isCollapsed = false
  /// The nested values whose state is the opposite of `isCollapsed`.
  private(set) var exceptions: Set<NodePath> = []

  init(isCollapsed: Bool = false, except exceptions: Set<NodePath> = []) {
    (self.isCollapsed, self.exceptions) = (isCollapsed, exceptions)
  }

  /// Whether any value may be collapsed.
  var hidesSome: Bool { isCollapsed || !exceptions.isEmpty }

  func collapses(_ path: NodePath) -> Bool {
    isCollapsedByDefault(path) != exceptions.contains(path)
  }

  private func isCollapsedByDefault(_ path: NodePath) -> Bool { isCollapsed && !path.isEmpty }

  /// Collapses or expands a value. If the value is already collapsed or there is none, collapses the
  /// value that contains the line.
  ///
  /// - Returns: The value whose state changed; nil if none did.
  mutating func fold(
    _ node: NodePath?, within parent: NodePath?, isCollapsed: Bool
  ) -> NodePath? {
    let own = node.flatMap { collapses($0) == isCollapsed ? nil : $0 }
    guard let path = own ?? (isCollapsed ? parent : nil) else { return nil }
    if isCollapsed == isCollapsedByDefault(path) {
      exceptions.remove(path)
    } else {
      exceptions.insert(path)
    }
    return path
  }
}

/// The collapsed nested values of all rows that are shown as documents.
struct DocumentFolds: Sendable, Equatable {
  private var isCollapsed = false
  private var exceptions: [EntityID: Set<NodePath>] = [:]

  /// Whether any value may be collapsed.
  var hidesSome: Bool { isCollapsed || !exceptions.isEmpty }

  subscript(entity: EntityID) -> NodeFolds {
    get { NodeFolds(isCollapsed: isCollapsed, except: exceptions[entity] ?? []) }
    set { exceptions[entity] = newValue.exceptions.isEmpty ? nil : newValue.exceptions }
  }

  mutating func setAll(isCollapsed: Bool) { (self.isCollapsed, exceptions) = (isCollapsed, [:]) }
}

extension Value {
  var memberCount: Int {
    switch self {
    case .array(let elements): elements.count
    case .object(let object): object.count
    case .null, .bool, .integer, .double, .text: 0
    }
  }

  /// Whether the value contains other values.
  var isNested: Bool { memberCount > 0 }
}
