/// Information about an answer that its triples do not contain: page boundaries and counts. It
/// takes precedence over values computed locally.
public struct ServedAnswer: Hashable, Sendable {
  /// The pages of the namespaces at the top level of the query.
  public var pages: [String: Page]
  /// The number of entities in each namespace that was only counted.
  public var counts: [String: Int]
  /// The result that a database computed for each plan, keyed by the plan's text. Results are not
  /// filtered or sorted again.
  public var found: [String: Found]
  /// Whether the store can read all of its data on request, as a local database can.
  public var canGiveAll: Bool
  /// The value counts that a database computed; nil unless requested.
  public var valueCounts: ValueCounts?
  /// The executed SQL statements; empty unless requested.
  public var statements: [Statement] = []
  /// The namespaces whose counts are estimates.
  public var estimated: Set<String> = []
  /// The links whose targets were only partly read, each with the maximum number of targets that
  /// were read per entity. The keys have the form `NAMESPACE.LABEL`.
  public var cutLinks: [String: Int] = [:]
  /// Whether the server has not answered yet. If so, the answer contains only local changes.
  public var isAwaited = false
  /// Whether the query was ever sent to the server, over any connection.
  public var wasAsked = false

  /// Creates an answer; see the properties.
  public init(
    pages: [String: Page] = [:], counts: [String: Int] = [:], found: [String: Found] = [:],
    canGiveAll: Bool = false
  ) {
    self.canGiveAll = canGiveAll
    self.pages = pages
    self.counts = counts
    self.found = found
  }

  /// The entities that a database found for a plan, or a window of them.
  public struct Found: Hashable, Sendable {
    /// The entities in the order of the plan.
    public var rows: [EntityHandle]
    /// The number of rows of the plan's page that precede `rows`.
    public var skipped: Int
    /// The total number of matches, regardless of the page; nil while the database is counting.
    public var total: Int?
    /// The number of rows of the plan's page; nil while it is not known.
    public var pageCount: Int?
    /// Whether the database only estimated the total.
    public var isEstimate = false
    /// The result of a plan with groups, aggregates or distinct rows, if the database computed it.
    public var table: Table?
    /// Whether there are entities after the page.
    public var hasNext: Bool
    /// Whether there are entities before the page.
    public var hasPrevious: Bool

    /// Creates a result; see the properties.
    public init(
      rows: [EntityHandle], skipped: Int = 0, total: Int? = nil, pageCount: Int? = nil,
      hasNext: Bool = false, hasPrevious: Bool = false
    ) {
      self.rows = rows
      self.skipped = skipped
      self.total = total
      self.pageCount = pageCount
      self.hasNext = hasNext
      self.hasPrevious = hasPrevious
    }
  }

  /// A table of values in place of entities.
  public struct Table: Hashable, Sendable {
    /// The names of the columns.
    public var columns: [String]
    /// The rows of the page.
    public var rows: [[Value]]
    /// The total number of rows, regardless of the page.
    public var total: Int

    /// Creates a table; each row has one value for each column.
    public init(columns: [String], rows: [[Value]], total: Int) {
      self.columns = columns
      self.rows = rows
      self.total = total
    }
  }

  /// An SQL statement that a database executed.
  public struct Statement: Hashable, Sendable {
    /// The statement.
    public var text: String
    /// The bound values.
    public var values: [Value]
    /// The number of rows that the statement returned.
    public var rows: Int
    /// The time that the database took to execute the statement.
    public var time: Duration
    /// The query plan as the database prints it.
    public var plan: [String]

    /// Creates a statement; see the properties.
    public init(text: String, values: [Value], rows: Int, time: Duration, plan: [String]) {
      self.text = text
      self.values = values
      self.rows = rows
      self.time = time
      self.plan = plan
    }
  }

  /// The boundaries of a page, and whether there are entities beyond them.
  public struct Page: Hashable, Sendable {
    /// The first entity of the page; nil when the page is empty.
    public var start: Edge?
    /// The last entity of the page; nil when the page is empty.
    public var end: Edge?
    /// Whether entities follow the page.
    public var hasNext: Bool
    /// Whether entities precede the page.
    public var hasPrevious: Bool

    /// Creates a page; see the properties.
    public init(start: Edge?, end: Edge?, hasNext: Bool, hasPrevious: Bool) {
      self.start = start
      self.end = end
      self.hasNext = hasNext
      self.hasPrevious = hasPrevious
    }
  }

  /// An entity at the edge of a page, with the triple by which it is sorted.
  public struct Edge: Hashable, Sendable {
    /// The entity at the edge.
    public var entity: EntityID
    /// The attribute by which the page is sorted.
    public var attribute: AttributeID
    /// The value of that attribute.
    public var value: Value
    /// The time when that value was set, in milliseconds since 1970.
    public var createdAt: Int64?

    /// Creates an edge; see the properties.
    public init(
      entity: EntityID, attribute: AttributeID, value: Value, createdAt: Int64?
    ) {
      self.entity = entity
      self.attribute = attribute
      self.value = value
      self.createdAt = createdAt
    }
  }
}
