/// What a server said about its answer that the triples it sent cannot say: where pages begin and
/// end, and how many there are of what was only counted. It wins over what can be found here.
public struct ServedAnswer: Hashable, Sendable {
  /// The pages of namespaces at the top of the query.
  public var pages: [String: Page]
  /// The numbers of namespaces that were only counted.
  public var counts: [String: Int]

  public init(pages: [String: Page] = [:], counts: [String: Int] = [:]) {
    self.pages = pages
    self.counts = counts
  }

  /// Where a page begins and ends, and whether there is more.
  public struct Page: Hashable, Sendable {
    /// Its first entity; nil when the page is empty.
    public var start: Edge?
    /// Its last entity.
    public var end: Edge?
    public var hasNext: Bool
    public var hasPrevious: Bool

    public init(start: Edge?, end: Edge?, hasNext: Bool, hasPrevious: Bool) {
      self.start = start
      self.end = end
      self.hasNext = hasNext
      self.hasPrevious = hasPrevious
    }
  }

  /// An entity at the edge of a page, with the triple that it is ordered by.
  public struct Edge: Hashable, Sendable {
    public var entity: EntityID
    public var attribute: AttributeID
    public var value: Value
    public var createdAt: Int64?

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
