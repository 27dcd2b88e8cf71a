import InstaQL
import LiveQueries
import Triples

/// Auxiliary subscriptions for stores that return only what a query asks for.
///
/// The screen also shows namespace counts and the links of visible rows. Each side query covers
/// only what is visible, and is canceled when that scrolls out of view.
struct SideQueries: Sendable, Equatable {
  private struct Question: Sendable, Equatable {
    let token: WatchToken
    var snapshot: StoreSnapshot?
    var answer: Answer?
    var failure: LiveFailure?
  }

  private var questions: [QueryDocument: Question] = [:]
  private var asked: [QueryPlan] = []
  /// The query for the links of the visible rows.
  var linkedRows: LinkedRowsQuery?
  /// The queries for links of nested rows, by namespace.
  var beneath: [String: NestedLinksQuery] = [:]
  /// The query that is needed to explain why an entity matches.
  var explainQuery: ExplainQuery?
  /// The query that is needed to preview a deletion.
  var impactQuery: DeletionImpactQuery?
  /// The queries for staged deletions. Their effects must be known before they are sent.
  var stagedImpactQueries: [DeletionImpactQuery] = []
  /// The queries of panes in which the user changed data. They are kept because undo needs the
  /// previous values.
  var kept: [QueryPlan] = []
  /// The number of the newest side query. Side queries have the numbers -1, -2 and so on; tabs have
  /// positive numbers.
  private var lastToken = 0
  /// The known entity counts by namespace.
  private(set) var counts: [String: Int] = [:]
  /// Whether the server rejects count queries.
  private(set) var refusesCounts = false

  /// The maximum number of a link's targets to query for each row.
  static let maxLinked = 20

  /// The maximum number of rows that a side query requests. It exceeds what a pane shows.
  static let maxRows = 1_000

  /// Returns the snapshot that answers a query; nil until it is answered.
  func snapshot(for plan: QueryPlan) -> StoreSnapshot? {
    questions[QueryDocument(plan)]?.snapshot
  }

  /// Returns the rows that answer a query; nil until it is answered.
  func answer(to plan: QueryPlan) -> Answer? { questions[QueryDocument(plan)]?.answer }

  /// Whether some query may be unanswered. Reading this is cheaper than searching all queries.
  private(set) var isWaiting = false

  /// Returns the subscription of a query that is neither answered nor rejected; nil for any other
  /// query.
  func unanswered(_ plan: QueryPlan) -> WatchToken? {
    guard let question = questions[QueryDocument(plan)], question.snapshot == nil,
      question.failure == nil
    else { return nil }
    return question.token
  }

  /// Returns the error of a rejected query; nil for any other query.
  func failure(of plan: QueryPlan) -> LiveFailure? { questions[QueryDocument(plan)]?.failure }

  /// Returns whether a query is one of the current side queries.
  func asks(_ document: QueryDocument) -> Bool { questions[document] != nil }

  /// Subscribes to these queries, and cancels all others.
  mutating func ask(_ plans: [QueryPlan]) -> [Effect] {
    // Most key presses change nothing. The new array is stored even then, because comparing an
    // array with itself is fast.
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

  /// Records an answer.
  ///
  /// - Returns: The query that it answers; nil if the token belongs to none of the side queries.
  mutating func recordResult(_ result: LiveResult, for token: WatchToken) -> QueryPlan? {
    guard let document = questions.first(where: { $0.value.token == token })?.key,
      let plan = document.plans.first
    else { return nil }
    defer {
      isWaiting = questions.values.contains { $0.snapshot == nil && $0.failure == nil }
    }
    switch result {
    case .loading: break
    // A snapshot that contains only pending changes is no answer.
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
  /// The distinct elements, in the order of first occurrence.
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

  /// Returns the rows that this query covers if it is for this answer and these links; nil
  /// otherwise.
  func rows(of answer: Answer, along links: [Link]) -> Range<Int>? {
    self.links == links && self.answer == answer ? rows : nil
  }
}
