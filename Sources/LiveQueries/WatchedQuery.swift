public import InstaQL
public import Triples

/// A distinct query with subscribers, for display.
public struct WatchedQuery: Sendable, Equatable {
  /// Whether a query has an answer.
  public enum State: Sendable, Equatable {
    /// The query is waiting for its first answer, or has an answer.
    case loading, loaded
    /// The query failed.
    case failed(LiveFailure)
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
  /// The number of full evaluations.
  public let evaluations: Int
  /// The number of incremental updates.
  public let updates: Int
  /// The duration of the last evaluation or update.
  public let elapsed: Duration
  /// The transaction number of the last delivered answer, as counted by the store or server. Nil
  /// before the first answer, or when the number is unknown.
  public let deliveredTransaction: Int?

  package init(
    document: QueryDocument, state: State, subscribers: Int,
    freshness: StoreSnapshot.Freshness? = nil, rows: Int = 0, evaluations: Int = 0,
    updates: Int = 0, elapsed: Duration = .zero, deliveredTransaction: Int? = nil
  ) {
    self.document = document
    self.state = state
    self.subscribers = subscribers
    self.freshness = freshness
    self.rows = rows
    self.evaluations = evaluations
    self.updates = updates
    self.elapsed = elapsed
    self.deliveredTransaction = deliveredTransaction
  }
}
