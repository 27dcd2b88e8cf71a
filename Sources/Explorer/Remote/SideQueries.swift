import InstaQL
import LiveQueries
import Triples

/// Additional subscriptions for stores that return only what a query asks for.
///
/// The screen also shows the entity count of each namespace and the links of visible rows. Each
/// side query covers only what is visible, and is canceled when that scrolls out of view.
struct SideQueries: Sendable, Equatable {
  private struct Subscription: Sendable, Equatable {
    let token: WatchToken
    var snapshot: StoreSnapshot?
    var answer: Answer?
    var failure: LiveFailure?
  }

  private var subscriptions: [QueryDocument: Subscription] = [:]
  private var currentPlans: [QueryPlan] = []
  /// The queries for the links of the rows on the screen.
  var linksQueries: [LinkedRows: LinksQuery] = [:]
  /// The explanation that waits for data of the server; nil if no explanation waits.
  var explainRequest: ExplainRequest?
  /// The deletion whose preview waits for data of the server; nil if no preview waits.
  var impactQuery: DeletionImpactQuery?
  /// The queries for the effects of staged deletions, which must be known before the deletions are
  /// sent.
  var stagedImpactQueries: [DeletionImpactQuery] = []
  /// The queries of closed panes in which the user changed data, because undo needs their answers.
  var undoQueries: [QueryPlan] = []
  /// The number of the newest side query. Side queries have the numbers -1, -2 and so on; tabs have
  /// positive numbers.
  private var lastToken = 0
  private(set) var counts: [String: Int] = [:]
  /// Whether the server rejects count queries.
  private(set) var refusesCounts = false

  /// The maximum number of rows that a side query requests. It exceeds what a pane shows.
  static let maxRows = 1_000

  /// Returns the snapshot that answers a side query; nil while it is unanswered.
  func snapshot(for plan: QueryPlan) -> StoreSnapshot? {
    subscriptions[QueryDocument(plan)]?.snapshot
  }

  /// Returns the rows that answer a side query; nil while it is unanswered.
  func answer(to plan: QueryPlan) -> Answer? { subscriptions[QueryDocument(plan)]?.answer }

  /// Whether any side query may be unanswered. This is faster than checking each query.
  private(set) var isWaiting = false

  /// Returns the subscription of a side query that is neither answered nor rejected; otherwise nil.
  func unanswered(_ plan: QueryPlan) -> WatchToken? {
    guard let subscription = subscriptions[QueryDocument(plan)], subscription.snapshot == nil,
      subscription.failure == nil
    else { return nil }
    return subscription.token
  }

  /// Returns the error of a rejected side query; otherwise nil.
  func failure(of plan: QueryPlan) -> LiveFailure? { subscriptions[QueryDocument(plan)]?.failure }

  func asks(_ document: QueryDocument) -> Bool { subscriptions[document] != nil }

  /// Subscribes to the queries in `plans` that are new, and cancels all other side queries.
  mutating func ask(_ plans: [QueryPlan]) -> [Effect] {
    // Most key presses change nothing. The new array is stored even then, because comparing an
    // array with itself is fast.
    let before = currentPlans
    currentPlans = plans
    if plans == before { return [] }
    isWaiting = true
    let wanted = plans.uniqued.map { QueryDocument($0) }
    var effects: [Effect] = []
    for (document, subscription) in subscriptions where !wanted.contains(document) {
      subscriptions[document] = nil
      effects.append(.stopWatching(subscription.token))
    }
    for document in wanted where subscriptions[document] == nil {
      lastToken -= 1
      let token = WatchToken(number: lastToken)
      subscriptions[document] = Subscription(token: token)
      effects.append(.watch(document, token, AnswerView.Window(count: Self.maxRows)))
    }
    return effects
  }

  /// Stores the answer to a side query.
  ///
  /// - Returns: The side query; nil if the token belongs to another subscription.
  mutating func recordResult(_ result: LiveResult, for token: WatchToken) -> QueryPlan? {
    guard let document = subscriptions.first(where: { $0.value.token == token })?.key,
      let plan = document.plans.first
    else { return nil }
    defer {
      isWaiting = subscriptions.values.contains { $0.snapshot == nil && $0.failure == nil }
    }
    switch result {
    case .loading: break
    // A snapshot that contains only pending changes is no answer.
    case .loaded(let live) where live.snapshot.isUnanswered: break
    case .loaded(let live):
      subscriptions[document]?.snapshot = live.snapshot
      subscriptions[document]?.answer = live.answers.first
      subscriptions[document]?.failure = nil
      if plan.isCount, let count = live.answers.first?.count { counts[plan.namespace] = count }
    case .failed(let failure):
      subscriptions[document]?.failure = failure
      if plan.isCount, failure.type != nil { refusesCounts = true }
    }
    return plan
  }
}

/// A query for the links of some rows.
struct LinksQuery: Sendable, Equatable {
  var entities: [EntityID] = []
  var links: [Link] = []
  var plan: QueryPlan
  /// The answer that contains the rows, and their range in it; nil for nested rows.
  var answer: Answer?
  var rows = 0..<0

  /// Returns the rows whose links the query loads; nil if the query is for another answer or other
  /// links.
  func rows(of answer: Answer, along links: [Link]) -> Range<Int>? {
    self.links == links && self.answer == answer ? rows : nil
  }
}
