public import DataSources
public import InstaQL

/// Asks a store for its schema and no more: the snapshot may hold no entity and no count.
public struct SchemaQuery: Query {
  public init() {}
}

/// What of an answer somebody looks at: a store that reads only what is asked for reads no more.
public struct AnswerView: Hashable, Sendable {
  /// How far beyond the entities of the answer the reader sees.
  public var reach: AnswerReach
  /// Which rows of each page; nil is all of them.
  public var stretch: Stretch?
  /// As what bytes are given, by a store that has any.
  public var bytes: Bytes
  /// Whether the reader wants to know how a database was asked.
  public var explains = false

  /// What stands for bytes, which are no value of their own.
  public enum Bytes: Hashable, Sendable {
    /// How many there are, as in `{"bytes": 3}`: what a screen shows.
    case counted
    /// All of them in base64, but for what is too long for that: what is written for other programs.
    case spelled
  }

  /// Some rows of a page.
  public struct Stretch: Hashable, Sendable {
    /// How many rows of the page stand before.
    public var skipped: Int
    public var count: Int
    /// How many rows the page had when that was last told: rows near its end are found from there.
    public var pageCount: Int?

    public init(skipped: Int = 0, count: Int, of pageCount: Int? = nil) {
      self.skipped = max(0, skipped)
      self.count = max(1, count)
      self.pageCount = pageCount
    }
  }

  public init(
    reach: AnswerReach = .answer, stretch: Stretch? = nil, bytes: Bytes = .counted
  ) {
    self.reach = reach
    self.stretch = stretch
    self.bytes = bytes
  }
}
