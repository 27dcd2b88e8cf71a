import InstaQL

/// The views visited before, and the views to which the user can go forward.
struct NavigationHistory: Sendable, Equatable {
  /// A visited view: its query, its cursor and the panes open above it.
  struct Location: Sendable, Equatable {
    var queryHistory: QueryHistory
    var place: ResultsPane.Place
    var overlays: [Overlay] = []
    /// Whether the view begins a path, because its namespace was opened from the list.
    fileprivate var beginsPath = false

    init(queryHistory: QueryHistory, place: ResultsPane.Place, overlays: [Overlay] = []) {
      (self.queryHistory, self.place, self.overlays) = (queryHistory, place, overlays)
    }
  }

  /// The views to go back to, newest last.
  private(set) var behind: [Location] = []
  private(set) var ahead: [Location] = []
  /// The earlier paths, oldest first. Each ends with the view from which the user opened another
  /// namespace.
  private var paths: [[Location]] = []
  /// The last view of each namespace.
  private var namespaces: [String: Location] = [:]
  /// The labels of the entities whose links were followed, by the condition of the linked rows.
  private var sources: [ConditionNode: String] = [:]

  /// The maximum number of views, to limit the memory for their open panes.
  static let maxLength = 200

  init(behind: [Location] = []) { self.behind = behind.suffix(Self.maxLength) }

  private mutating func leave(_ here: Location?) {
    guard let here else { return }
    behind.append(here)
    if behind.count > Self.maxLength { behind.removeFirst() }
  }

  private mutating func leavePath(at here: Location) {
    paths.append(behind + [here])
    behind = []
    while paths.reduce(0, { $0 + $1.count }) > Self.maxLength { paths.removeFirst() }
  }

  /// Whether there is a view to go back to, of this path or of an earlier one.
  var canGoBack: Bool { !behind.isEmpty || !paths.isEmpty }

  /// Adds the current view to the history before another query is shown.
  mutating func drillDown(from here: Location?) {
    leave(here)
    ahead = []
  }

  /// Remembers the label of the entity whose linked rows match a condition.
  mutating func remember(_ label: String, of condition: ConditionNode) {
    if sources.count >= Self.maxLength { sources = [:] }
    sources[condition] = label
  }

  /// Returns the label of the entity whose linked rows match a condition; nil if no link was
  /// followed to them.
  func source(of condition: ConditionNode) -> String? { sources[condition] }

  /// Goes back a number of steps and returns the view at that position; nil if the history is
  /// shorter. One step leads from the beginning of a path to the end of the path before.
  mutating func goBack(steps: Int = 1, from here: Location?) -> Location? {
    if steps == 1, behind.isEmpty, let path = paths.popLast() {
      if var here {
        here.beginsPath = true
        ahead.append(here)
      }
      behind = Array(path.dropLast())
      return path.last
    }
    guard (1...max(1, behind.count)).contains(steps), !behind.isEmpty else { return nil }
    if let here { ahead.append(here) }
    ahead += behind.suffix(steps - 1).reversed()
    behind.removeLast(steps - 1)
    return behind.popLast()
  }

  /// Goes forward by one view and returns that view; nil if there is none.
  mutating func goForward(from here: Location?) -> Location? {
    guard let stop = ahead.popLast() else { return nil }
    if stop.beginsPath, let here { leavePath(at: here) } else { leave(here) }
    return stop
  }

  /// Whether there is no view to go back or forward to, except those of earlier paths.
  var isEmpty: Bool { behind.isEmpty && ahead.isEmpty }

  /// Returns whether panes are open above the last view of a namespace.
  func opensPanes(in namespace: String) -> Bool { namespaces[namespace]?.overlays.isEmpty == false }

  /// Returns the last query of a namespace; nil if the namespace was not shown yet.
  func query(in namespace: String) -> QueryPlan? { namespaces[namespace]?.queryHistory.plan }

  /// Begins a new path in another namespace.
  ///
  /// - Parameter keepsPath: Whether going back leads to the current view.
  /// - Returns: The last view of that namespace; nil if there is none.
  mutating func begin(
    in namespace: String, from here: Location?, keepingPath keepsPath: Bool
  ) -> Location? {
    if let first = behind.first ?? here { namespaces[first.queryHistory.plan.namespace] = first }
    if keepsPath, let here { leavePath(at: here) }
    (behind, ahead) = ([], [])
    return namespaces[namespace]
  }
}
