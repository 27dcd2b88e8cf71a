public import DataSources
public import InstaQL

/// Requests only a store's schema: the snapshot might not contain entities or counts.
public struct SchemaQuery: Query {
  /// Creates the query, which has no parameters.
  public init() {}
}

/// The part of an answer that a reader displays. A store that reads on demand reads only this part.
public struct AnswerView: Hashable, Sendable {
  /// The linked entities that the reader displays in addition to the entities of the answer.
  public var reach: AnswerReach
  /// The displayed rows of each page; nil for all.
  public var window: Window?
  /// The form of BLOB values, for stores that have any.
  public var bytes: Bytes
  /// Whether the reader requests the SQL statements that the database ran, with their query plans.
  public var explains = false
  /// Whether the reader shows the number of all matches, which a database counts separately.
  public var showsTotals = true

  /// The representation of BLOB values, which have no value type of their own.
  public enum Bytes: Hashable, Sendable {
    /// Only the size, as `{"bytes": 3}`, for display.
    case counted
    /// The content in base64, unless it is too long, for exports.
    case spelled
  }

  /// A range of rows of a page.
  public struct Window: Hashable, Sendable {
    /// The number of rows of the page before the range.
    public var skipped: Int
    /// The number of rows, at least 1.
    public var count: Int
    /// The last known number of rows of the page, used to find rows near its end.
    public var pageCount: Int?

    /// Creates a range of rows; see the properties.
    public init(skipped: Int = 0, count: Int, of pageCount: Int? = nil) {
      self.skipped = max(0, skipped)
      self.count = max(1, count)
      self.pageCount = pageCount
    }
  }

  /// Creates a view; see the properties.
  public init(
    reach: AnswerReach = .answer, window: Window? = nil, bytes: Bytes = .counted
  ) {
    self.reach = reach
    self.window = window
    self.bytes = bytes
  }
}
