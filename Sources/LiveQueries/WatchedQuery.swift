public import InstaQL
public import Triples

/// A distinct query that has subscribers, for display.
public struct WatchedQuery: Sendable, Equatable {
  /// Whether a query has an answer.
  public enum State: Sendable, Equatable {
    /// The query is waiting for its first answer, or has an answer.
    case loading, loaded
    /// The query failed.
    case failed(LiveFailure)
  }

  /// How much work a query has caused.
  public struct Work: Sendable, Equatable {
    /// How often the query was evaluated in full.
    public internal(set) var evaluations: Int
    /// How often the answer was updated incrementally.
    public internal(set) var updates: Int
    /// The duration of the last evaluation or update.
    public internal(set) var elapsed: Duration

    package init(evaluations: Int = 0, updates: Int = 0, elapsed: Duration = .zero) {
      self.evaluations = evaluations
      self.updates = updates
      self.elapsed = elapsed
    }
  }

  /// The watched query.
  public let document: QueryDocument
  /// Whether the query has an answer.
  public let state: State
  /// The number of subscribers that share the query.
  public let subscribers: Int
  /// The freshness of the store; nil before its first answer.
  public let freshness: StoreSnapshot.Freshness?
  /// The number of rows in the answers to all plans.
  public let rows: Int
  /// How much work the query has caused.
  public let work: Work
  /// The transaction number of the last delivered answer, in the store's or server's numbering. Nil
  /// before the first answer, or when the number is unknown.
  public let deliveredTransaction: Int?

  package init(
    document: QueryDocument, state: State, subscribers: Int,
    freshness: StoreSnapshot.Freshness? = nil, rows: Int = 0, work: Work = Work(),
    deliveredTransaction: Int? = nil
  ) {
    self.document = document
    self.state = state
    self.subscribers = subscribers
    self.freshness = freshness
    self.rows = rows
    self.work = work
    self.deliveredTransaction = deliveredTransaction
  }
}
