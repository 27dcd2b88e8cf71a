import InstaQL
import LiveQueries
import Triples

/// What a store elsewhere is asked besides the query of the screen.
///
/// A server tells what it is asked for and no more, while the screen shows more than the query says: how
/// many there are of each namespace, and what the rows in view are linked with. Each question is bounded
/// by what is in view, and is kept only as long as it is.
struct Beside: Sendable, Equatable {
  private struct Question: Sendable, Equatable {
    let token: WatchToken
    var snapshot: StoreSnapshot?
    var answer: Answer?
    var failure: LiveFailure?
  }

  private var questions: [QueryDocument: Question] = [:]
  private var asked: [QueryPlan] = []
  /// The rows of which it is asked what they are linked with.
  var neighbours: Neighbours?
  /// The same of the rows beneath other rows, by their namespace.
  var beneath: [String: Beneath] = [:]
  /// What is asked for saying why an entity is in or out.
  var doubt: Doubt?
  /// What is asked before something is deleted.
  var farewell: Farewell?
  /// The same of deletions that are kept back: what goes is to be known when they are sent.
  var farewells: [Farewell] = []
  /// What the panes asked from which something was changed: the store says by it what was there before.
  var kept: [QueryPlan] = []
  /// Counts down from -1: the queries of tabs have the numbers above 0.
  private var lastToken = 0
  /// How many there are, where that was told.
  private(set) var counts: [String: Int] = [:]
  /// Whether this server tells nobody how many there are.
  private(set) var refusesCounts = false

  /// More linked entities of one row are not asked for.
  static let mostLinked = 20

  /// More rows than that are not in view.
  static let mostRows = 1_000

  /// What was answered to a question; nil while it was not.
  func snapshot(for plan: QueryPlan) -> StoreSnapshot? {
    questions[QueryDocument(plan)]?.snapshot
  }

  /// The same as rows.
  func answer(to plan: QueryPlan) -> Answer? { questions[QueryDocument(plan)]?.answer }

  /// Whether a question was perhaps neither answered nor refused yet; cheaper to know than which one.
  private(set) var isWaiting = false

  /// The watch of a question that was neither answered nor refused yet.
  func unanswered(_ plan: QueryPlan) -> WatchToken? {
    guard let question = questions[QueryDocument(plan)], question.snapshot == nil,
      question.failure == nil
    else { return nil }
    return question.token
  }

  /// Why a question is not answered.
  func failure(of plan: QueryPlan) -> LiveFailure? { questions[QueryDocument(plan)]?.failure }

  /// Whether a query is one of the questions that are asked now.
  func asks(_ document: QueryDocument) -> Bool { questions[document] != nil }

  /// Asks these questions from now on, and no others.
  mutating func ask(_ plans: [QueryPlan]) -> [Effect] {
    // Most keys leave the questions as they are. Kept even then: a plan is soon compared with itself,
    // and not with an equal one.
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
      effects.append(.watch(document, token, AnswerView.Stretch(count: Self.mostRows)))
    }
    return effects
  }

  /// Takes an answer in.
  /// - Returns: The question; nil where the answer is to none of these.
  mutating func receive(_ result: LiveResult, for token: WatchToken) -> QueryPlan? {
    guard let document = questions.first(where: { $0.value.token == token })?.key,
      let plan = document.plans.first
    else { return nil }
    defer {
      isWaiting = questions.values.contains { $0.snapshot == nil && $0.failure == nil }
    }
    switch result {
    case .loading: break
    // What only changes on their way tell of rows is not what the rows are.
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

/// Rows beneath other rows, of which it is asked what they are linked with.
struct Beneath: Sendable, Equatable {
  var entities: [EntityID]
  var links: [Link]
  var plan: QueryPlan
}

extension Array where Element: Hashable {
  /// Each element once, where it stands first.
  fileprivate var uniqued: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}
