import TerminalUI

/// How large the panes are, as far as somebody made them so.
struct PaneSizes: Sendable, Equatable {
  var splits = Splits()
  /// Whether the pane in focus has the whole screen.
  var isZoomed = false
  /// The divider that the mouse holds.
  var dragged: Splits.Divider?
  /// The column whose right edge the mouse holds.
  var draggedColumn: DraggedColumn?

  struct DraggedColumn: Sendable, Equatable {
    let label: String
    /// Where the column begins, in columns of the screen.
    let start: Int
  }
}

/// How large panes were made; what nobody has changed is as large as the screen suggests.
struct Splits: Sendable, Equatable {
  /// What divides two panes and can be moved.
  enum Divider: String, CaseIterable, Sendable {
    /// Between namespaces and schema at the left, and query and results: columns of the left side.
    case left
    /// Between namespaces and schema: rows of the namespaces.
    case namespaces
    /// Between query and results: rows of the query.
    case query
    /// Between the results and what stands beside them: columns of the latter.
    case beside
  }

  private(set) var sizes: [Divider: Int] = [:]

  init() {}

  /// From what was remembered; names that mean nothing here are left out.
  init(kept: [String: Int]) {
    for (name, size) in kept {
      guard let divider = Divider(rawValue: name), (1...10_000).contains(size) else { continue }
      sizes[divider] = size
    }
  }

  /// As it is remembered.
  var kept: [String: Int] {
    Dictionary(uniqueKeysWithValues: sizes.map { ($0.key.rawValue, $0.value) })
  }

  subscript(divider: Divider) -> Int? {
    get { sizes[divider] }
    set { sizes[divider] = newValue }
  }
}

extension Splits.Divider {
  /// Whether it lies between panes side by side.
  var isUpright: Bool {
    switch self {
    case .left, .beside: true
    case .namespaces, .query: false
    }
  }
}
