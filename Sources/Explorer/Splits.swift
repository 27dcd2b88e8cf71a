import TerminalUI

/// The sizes of panes that the user changed.
struct PaneSizes: Sendable, Equatable {
  var splits = Splits()
  /// Whether the focused pane covers the screen.
  var isZoomed = false
  /// The divider being dragged.
  var dragged: Splits.Divider?
  /// The column whose right edge is being dragged.
  var draggedColumn: DraggedColumn?

  struct DraggedColumn: Sendable, Equatable {
    let label: String
    /// The first screen column of the table column.
    let start: Int
  }
}

/// The sizes of panes set by the user; others have default sizes.
struct Splits: Sendable, Equatable {
  /// A movable divider between two panes.
  enum Divider: String, CaseIterable, Sendable {
    /// The divider between the left side (namespaces, schema) and the right one.
    ///
    /// Its size is in columns of the left side.
    case left
    /// The divider between namespaces and schema; its size is in rows of the namespaces.
    case namespaces
    /// The divider between query and results; its size is in rows of the query.
    case query
    /// The divider between the results and a pane next to them; its size is in columns of the
    /// latter.
    case beside
  }

  private(set) var sizes: [Divider: Int] = [:]

  init() {}

  /// Restores persisted sizes; unknown names are ignored.
  init(kept: [String: Int]) {
    for (name, size) in kept {
      guard let divider = Divider(rawValue: name), (1...10_000).contains(size) else { continue }
      sizes[divider] = size
    }
  }

  /// The sizes to persist.
  var kept: [String: Int] {
    Dictionary(uniqueKeysWithValues: sizes.map { ($0.key.rawValue, $0.value) })
  }

  subscript(divider: Divider) -> Int? {
    get { sizes[divider] }
    set { sizes[divider] = newValue }
  }
}

extension Splits.Divider {
  /// Whether the divider separates panes side by side.
  var isUpright: Bool {
    switch self {
    case .left, .beside: true
    case .namespaces, .query: false
    }
  }
}
