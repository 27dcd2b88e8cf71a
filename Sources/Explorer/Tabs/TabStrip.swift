import InstaQL
import LiveQueries

/// The tabs of a store.
struct TabStrip: Sendable, Equatable {
  /// The current tab. It is not in an array, because reading an element would copy the tab, which is
  /// slow.
  var current = Tab()
  /// The tabs to the left and right of the current tab.
  private(set) var before: [Tab] = []
  private(set) var after: [Tab] = []
  /// The other open stores, whose tabs follow on both sides.
  var others = OtherStores()
  private var lastToken = 0
  private var lastID = 0

  /// The maximum number of tabs, beyond which users could not tell them apart.
  static let maxCount = 20

  mutating func nextToken() -> WatchToken {
    lastToken += 1
    return WatchToken(number: lastToken)
  }

  mutating func nextID() -> Int {
    lastID += 1
    return lastID
  }

  /// The number of tabs, including the current one.
  var count: Int { before.count + 1 + after.count }

  /// The position of the current tab, from 0.
  var place: Int { before.count }

  /// The queries of the tabs; nil for a tab without one.
  var plans: [QueryPlan?] {
    before.indices.map { before[$0].plan } + [current.plan] + after.indices.map { after[$0].plan }
  }

  // MARK: Opening, showing and closing

  mutating func open(focus: MainPane) {
    before.append(current)
    current = Tab(
      focus: focus, results: ResultsPane(after: current.results), preview: current.preview,
      id: nextID())
  }

  mutating func show(_ place: Int) {
    let all = before + [current] + after
    before = Array(all[..<place])
    current = all[place]
    after = Array(all[(place + 1)...])
  }

  /// Closes the current tab, and shows the next one, or else the previous one.
  mutating func close() {
    if let next = after.first {
      after.removeFirst()
      current = next
    } else if let previous = before.popLast() {
      current = previous
    }
  }

  /// Puts restored tabs to the left and right of the current tab.
  mutating func surround(with before: [Tab], _ after: [Tab]) {
    (self.before, self.after) = (before, after)
  }

  // MARK: Updating

  mutating func forEach(_ body: (inout Tab) -> Void) {
    forEachHidden(body)
    body(&current)
  }

  mutating func forEachHidden(_ body: (inout Tab) -> Void) {
    for index in before.indices { body(&before[index]) }
    for index in after.indices { body(&after[index]) }
  }

  /// Passes an answer to the hidden tab with its subscription.
  mutating func handleResult(_ result: LiveResult, for token: WatchToken, page: Int) {
    guard !token.isBeside else { return }
    forEachHidden {
      if $0.watch == token, !$0.hold(result) { $0.results.showResult(result, page: page) }
    }
  }
}
