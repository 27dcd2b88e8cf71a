import InstaQL

/// The views one has come through, and those that one has gone back from.
struct Trail: Sendable, Equatable {
  /// A view that was left: the query, where its cursor was, and what was open above it.
  struct Stop: Sendable, Equatable {
    var composer: Composer
    var place: ResultsPane.Place
    var overlays: [Overlay] = []
  }

  /// Those that one went into something from, the newest last.
  private(set) var behind: [Stop] = []
  private(set) var ahead: [Stop] = []
  /// How each namespace was left when the cursor went on to another one.
  private var namespaces: [String: Stop] = [:]

  /// Nobody goes back farther; each stop holds what was open there.
  static let mostBehind = 200

  init(behind: [Stop] = []) {
    self.behind = behind.suffix(Self.mostBehind)
  }

  private mutating func leave(_ here: Stop?) {
    guard let here else { return }
    behind.append(here)
    if behind.count > Self.mostBehind { behind.removeFirst() }
  }

  /// Notes that one goes into something from here.
  mutating func goIn(from here: Stop?) {
    leave(here)
    ahead = []
  }

  /// The view so many steps before this one; nil where the trail is not that long.
  mutating func goBack(steps: Int = 1, from here: Stop?) -> Stop? {
    guard (1...max(1, behind.count)).contains(steps), !behind.isEmpty else { return nil }
    if let here { ahead.append(here) }
    ahead += behind.suffix(steps - 1).reversed()
    behind.removeLast(steps - 1)
    return behind.popLast()
  }

  /// The view that one went back from; nil where the trail ends.
  mutating func goForward(from here: Stop?) -> Stop? {
    guard let stop = ahead.popLast() else { return nil }
    leave(here)
    return stop
  }

  /// The query with which a namespace was left; nil where it was not shown yet.
  func query(in namespace: String) -> QueryPlan? { namespaces[namespace]?.composer.plan }

  /// Begins a trail in another namespace; what was gone into is not how a namespace was left.
  /// - Returns: How that namespace was left, where it was.
  mutating func begin(in namespace: String, from here: Stop?) -> Stop? {
    if let here, behind.isEmpty { namespaces[here.composer.plan.namespace] = here }
    (behind, ahead) = ([], [])
    return namespaces[namespace]
  }
}
