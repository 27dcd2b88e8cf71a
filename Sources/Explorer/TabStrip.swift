import LiveQueries

/// The hidden tabs of a store, to the left and right of its current tab.
struct TabStrip: Sendable, Equatable {
  var before: [Tab] = []
  var after: [Tab] = []
  /// The other open stores, whose tabs are to the left and right of this store's tabs.
  var others = OtherStores()

  private var lastToken = 0

  /// Returns a token for a new subscription of any tab.
  mutating func nextToken() -> WatchToken {
    lastToken += 1
    return WatchToken(number: lastToken)
  }

  private var lastTabID = 0

  /// Returns an id for a new tab.
  mutating func nextTabID() -> Int {
    lastTabID += 1
    return lastTabID
  }

  /// Whether only one subscription has been started so far.
  var isFirstWatch: Bool { lastToken == 1 }

  /// The number of tabs, including the current one.
  var count: Int { before.count + 1 + after.count }

  /// Passes an answer to the hidden tab that has the subscription.
  mutating func handleResult(_ result: LiveResult, for token: WatchToken, page: Int) {
    if let index = before.firstIndex(where: { $0.watch == token }) {
      before[index].handleResult(result, page: page)
    } else if let index = after.firstIndex(where: { $0.watch == token }) {
      after[index].handleResult(result, page: page)
    }
  }
}

extension Tab {
  fileprivate mutating func handleResult(_ result: LiveResult, page: Int) {
    if case .loading = result {} else { latency.isWaiting = false }
    if !hold(result) { results.showResult(result, page: page) }
  }
}
