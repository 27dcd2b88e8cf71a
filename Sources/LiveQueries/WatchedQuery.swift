public import InstaQL
public import Triples

/// One distinct query that somebody is subscribed to, as the screen lists it.
public struct WatchedQuery: Sendable, Equatable {
  public enum State: Sendable, Equatable {
    case loading, loaded
    case failed(LiveFailure)
  }

  public let document: QueryDocument
  public let state: State
  /// How many subscribers share it.
  public let subscribers: Int
  /// How fresh the store is; nil before it answers for the first time.
  public let freshness: StoreSnapshot.Freshness?
  /// How many rows are in the answer, all plans together.
  public let rows: Int
  /// How often the store was asked for the whole answer.
  public let evaluations: Int
  /// How often the answer was kept true by looking at what changed, and at nothing else.
  public let updates: Int
  /// How long the last evaluation or update took.
  public let elapsed: Duration
  /// The transaction as of which the last answer was delivered, as those count who keep the data; nil
  /// before the first, and when they have not told.
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
