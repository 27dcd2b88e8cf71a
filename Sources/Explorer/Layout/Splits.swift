/// The sizes of panes that the user set. Other panes have default sizes.
struct Splits: Sendable, Equatable {
  /// A movable divider between two panes.
  enum Divider: String, CaseIterable, Sendable {
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

  private var sizes: [Divider: Int] = [:]

  /// Restores saved sizes. Names of dividers that no longer exist are ignored.
  init(kept: [String: Int] = [:]) {
    for (name, size) in kept {
      guard let divider = Divider(rawValue: name), (1...10_000).contains(size) else { continue }
      self[divider] = size
    }
  }

  /// The sizes in the form in which a session saves them. The key is the name of the divider.
  var kept: [String: Int] {
    Dictionary(uniqueKeysWithValues: sizes.map { ($0.key.rawValue, $0.value) })
  }

  subscript(divider: Divider) -> Int? {
    get { sizes[divider] }
    set { sizes[divider] = newValue }
  }
}
