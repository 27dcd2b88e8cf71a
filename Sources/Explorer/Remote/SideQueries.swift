import InstaQL
import LiveQueries
import Triples

/// Auxiliary subscriptions for stores that return only what a query asks for.
///
/// The screen also shows namespace counts and the links of visible rows. Each side query is limited
/// to what is visible, and canceled when that scrolls away.
struct SideQueries: Sendable, Equatable {
  private struct Question: Sendable, Equatable {
    let token: WatchToken
    var snapshot: StoreSnapshot?
    var answer: Answer?
    var failure: LiveFailure?
  }

  private var questions: [QueryDocument: Question] = [:]
  private var asked: [QueryPlan] = []
  /// The query for links of rows.
  var linkedRows: LinkedRowsQuery?
  /// The queries for links of nested rows, by namespace.
  var beneath: [String: NestedLinksQuery] = [:]
  /// The query for explaining why an entity matches.
  var explainQuery: ExplainQuery?
  /// The query for previewing a deletion.
  var impactQuery: DeletionImpactQuery?
  /// The queries for staged deletions, whose effects must be known when they are sent.
  var stagedImpactQueries: [DeletionImpactQuery] = []
  /// The queries of panes in which something was changed, since undo needs the previous values.
  var kept: [QueryPlan] = []
  /// The number of the newest side query. Numbers count down from -1; those of tabs are positive.
  private var lastToken = 0
  /// The known entity counts by namespace.
  private(set) var counts: [String: Int] = [:]
  /// Whether the server rejects count queries.
  private(set) var refusesCounts = false

  /// The maximum number of targets queried per row.
  static let maxLinked = 20

  /// The maximum number of rows that a side query requests; a pane does not show more.
  static let maxRows = 1_000

  /// The snapshot that answers a query; nil until it is answered.
  func snapshot(for plan: QueryPlan) -> StoreSnapshot? {
    questions[QueryDocument(plan)]?.snapshot
  }

  /// The rows that answer a query; nil until it is answered.
  func answer(to plan: QueryPlan) -> Answer? { questions[QueryDocument(plan)]?.answer }

  /// Whether a query may be unanswered. Checking this is cheaper than finding the query.
  private(set) var isWaiting = false

  /// The subscription of a query that is neither answered nor rejected; nil otherwise.
  func unanswered(_ plan: QueryPlan) -> WatchToken? {
    guard let question = questions[QueryDocument(plan)], question.snapshot == nil,
      question.failure == nil
    else { return nil }
    return question.token
  }

  /// The error of a rejected query.
  func failure(of plan: QueryPlan) -> LiveFailure? { questions[QueryDocument(plan)]?.failure }

  /// Whether a query is one of the current side queries.
  func asks(_ document: QueryDocument) -> Bool { questions[document] != nil }

  /// Subscribes to these queries and cancels all others.
  mutating func ask(_ plans: [QueryPlan]) -> [Effect] {
    // Most keys change nothing. The new array is kept anyway, because comparing an array with
    // itself is fast.
    let before = asked
    asked = plans
    if plans == before { return [] }
    isWaiting = true
    let wanted = plans.uniqued.map { QueryDocument($0) }
    var effects: [Effect] = []
    for (document, question) in questions where !wanted.contains(document) {
      questions[document] = nil
      effects.append(.stopWatching(question.token))
    }
    for document in wanted where questions[document] == nil {
      lastToken -= 1
      let token = WatchToken(number: lastToken)
      questions[document] = Question(token: token)
      effects.append(.watch(document, token, AnswerView.Window(count: Self.maxRows)))
    }
    return effects
  }

  /// Receives an answer.
  ///
  /// - Returns: Its query; nil if it answers none of these.
  mutating func receive(_ result: LiveResult, for token: WatchToken) -> QueryPlan? {
    guard let document = questions.first(where: { $0.value.token == token })?.key,
      let plan = document.plans.first
    else { return nil }
    defer {
      isWaiting = questions.values.contains { $0.snapshot == nil && $0.failure == nil }
    }
    switch result {
    case .loading: break
    // A snapshot of changes in flight alone is no answer.
    case .loaded(let live) where live.snapshot.isUnanswered: break
    case .loaded(let live):
      questions[document]?.snapshot = live.snapshot
      questions[document]?.answer = live.answers.first
      questions[document]?.failure = nil
      if plan.isCount, let count = live.answers.first?.count { counts[plan.namespace] = count }
    case .failed(let failure):
      questions[document]?.failure = failure
      if plan.isCount, failure.type != nil { refusesCounts = true }
    }
    return plan
  }
}

/// A query for the links of nested rows.
struct NestedLinksQuery: Sendable, Equatable {
  var entities: [EntityID]
  var links: [Link]
  var plan: QueryPlan
}

extension Array where Element: Hashable {
  /// The distinct elements in their first order.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

/// A query for the links of rows of an answer.
struct LinkedRowsQuery: Sendable, Equatable {
  let answer: Answer
  let links: [Link]
  /// The range of rows in the answer.
  let rows: Range<Int>
  let plan: QueryPlan

  /// The rows of an answer that this query covers along the same links; nil for another answer.
  func rows(of answer: Answer, along links: [Link]) -> Range<Int>? {
    self.links == links && self.answer == answer ? rows : nil
  }
}
