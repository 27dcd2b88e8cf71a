public import DataSources
public import InstaQL

/// A query for only the schema of a store. The snapshot might not contain entities or counts.
public struct SchemaQuery: Query {
  /// Creates the query, which has no parameters.
  public init() {}
}

/// The part of an answer that a reader displays. A store that reads data on demand reads only this
/// part.
public struct AnswerView: Hashable, Sendable {
  /// Which linked entities the reader displays in addition to the entities of the answer.
  public var reach: AnswerReach
  /// The displayed rows of each page; nil for all.
  public var window: Window?
  /// The form of BLOB values, for stores that have such values.
  public var bytes: Bytes
  /// Whether the reader wants to see the SQL statements that the database ran, with their query
  /// plans.
  public var explains = false
  /// Whether the reader shows the total number of matches. A database must count them separately.
  public var showsTotals = true

  /// The representation of BLOB values, because ``Value`` has no case for bytes.
  public enum Bytes: Hashable, Sendable {
    /// Only the size, as `{"bytes": 3}`, for display.
    case counted
    /// The content in base64, unless it is too long, for exports.
    case spelled
  }

  /// A range of rows within a page.
  public struct Window: Hashable, Sendable {
    /// The number of rows before the range, from the start of the page.
    public var skipped: Int
    /// The number of rows, at least 1.
    public var count: Int
    /// The last known number of rows in the whole page. It helps to find rows near the end of the
    /// page.
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
