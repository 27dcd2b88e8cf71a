import Notebooks

/// What the screen shows first: the query on the command line, or else the view of the last
/// session.
///
/// The screen waits a short time for the session to be restored.
package struct StartupView: Sendable, Equatable {
  /// The query as typed, kept until a schema is available to check it.
  let query: String?
  /// The store that the query names instead, if the schema has no such namespace.
  private let named: StoreListing?
  /// The advice if the query is a word that is neither a namespace nor a store; nil for the names
  /// that may be meant.
  let advice: String?
  /// The view of the answer; nil for that of the last session, or else a table.
  let form: AnswerForm?
  /// Whether the screen stays empty until the session is restored.
  private(set) var isAwaited: Bool
  private var timeout = Delay(.milliseconds(500))
  /// The view of the last session; nil before it is restored and after it was shown.
  var view: LastView?

  /// Creates the state at startup.
  ///
  /// - Parameters:
  ///   - query: The query of the command line; nil restores the session or shows the first
  ///     namespace.
  ///   - named: The store to open if the query is not a namespace of this store; nil if the query
  ///     names no store.
  ///   - advice: The advice if the query is a word that is neither a namespace nor a store.
  ///   - form: Nil restores the view of the session or shows a table.
  ///   - recalls: Whether to wait for `Event.sessionRestored`.
  package init(
    query: String? = nil, orStore named: StoreListing? = nil, advice: String? = nil,
    form: AnswerForm? = nil, recalls: Bool = false
  ) {
    self.query = query
    self.named = named
    self.advice = advice
    self.form = form
    isAwaited = recalls
    if recalls { timeout.begin() }
  }

  /// Returns the store that the command line names in place of a query; nil if it names none, or if
  /// the name is a namespace.
  func storeInsteadOfQuery(in namespaces: [String]) -> StoreListing? {
    query.map { namespaces.contains($0) } == false ? named : nil
  }

  /// The query of the command line if it is a single word, which can also be meant as a store.
  var singleWord: String? {
    query.flatMap { query in
      query.allSatisfy { $0.isLetter || $0.isNumber || "_-".contains($0) } ? query : nil
    }
  }

  /// Stores the last view of the session, and ends the wait for it.
  mutating func setLastView(_ view: LastView) {
    self.view = view
    isAwaited = false
    timeout.cancel()
  }

  /// The time when the screen stops waiting for the session; nil before the first tick and after
  /// the session arrived.
  var deadline: ContinuousClock.Instant? { timeout.deadline }

  /// Advances the time.
  ///
  /// - Returns: Whether the time to wait for the session is over.
  mutating func tick(_ now: ContinuousClock.Instant) -> Bool { timeout.tick(now) }
}
