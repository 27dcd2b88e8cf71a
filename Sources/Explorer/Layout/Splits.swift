/// The sizes of panes that the user set. Other panes have default sizes.
struct Splits: Sendable, Equatable {
  /// A movable divider between two panes.
  enum Divider: String, Sendable {
    /// The divider between the left side (namespaces, schema) and the right side.
    ///
    /// Its size is the width of the left side.
    case left
    /// The divider between namespaces and schema. Its size is the number of rows of the namespaces.
    case namespaces
    /// The divider between query and results. Its size is the number of rows of the query.
    case query
    /// The divider between the results and a pane next to them. Its size is the width of that pane.
    case beside

    /// Whether the divider is vertical, between panes that are next to each other.
    var isUpright: Bool { self == .left || self == .beside }
  }

  /// The sizes by the name of the divider, as a session saves them.
  private(set) var kept: [String: Int]

  /// Restores saved sizes, except those that no screen can have.
  init(kept: [String: Int] = [:]) { self.kept = kept.filter { (1...10_000).contains($0.value) } }

  subscript(divider: Divider) -> Int? {
    get { kept[divider.rawValue] }
    set { kept[divider.rawValue] = newValue }
  }
}
