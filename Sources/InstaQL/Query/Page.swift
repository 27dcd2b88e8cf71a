public import Triples

/// Which stretch of the ordered entities is wanted.
///
/// At most one of `limit`, `first` and `last`, each at least 1; `offset` not negative. Other numbers are
/// kept and reported when the query runs, so that building a query needs no `try`.
public struct Page: Hashable, Sendable {
  public var limit: Int?
  /// So many are passed over: the first ones; beside `last`, which counts from the end, the last ones.
  public var offset: Int?
  /// As `limit`; goes with `after`.
  public var first: Int?
  /// The last so many, still in the order asked for; goes with `before`.
  public var last: Int?
  public var after: Cursor?
  public var before: Cursor?
  /// Whether the entity of `after` belongs to the page.
  public var afterInclusive: Bool
  /// Whether the entity of `before` belongs to the page.
  public var beforeInclusive: Bool

  public init(
    limit: Int? = nil, offset: Int? = nil, first: Int? = nil, last: Int? = nil,
    after: Cursor? = nil, before: Cursor? = nil, afterInclusive: Bool = false,
    beforeInclusive: Bool = false
  ) {
    self.limit = limit
    self.offset = offset
    self.first = first
    self.last = last
    self.after = after
    self.before = before
    self.afterInclusive = afterInclusive
    self.beforeInclusive = beforeInclusive
  }

  /// Everything, from the first to the last.
  public static let whole = Page()

  /// Whether it leaves nothing out.
  public var isWhole: Bool { self == .whole }

  /// What is wrong with the numbers, the first that is: the option and the reason.
  public var fault: (option: String, reason: String)? {
    let sizes = [("limit", limit), ("first", first), ("last", last)]
    for case (let option, let size?) in sizes where size < 1 {
      return (option, "must be 1 or more, not \(size)")
    }
    if let offset, offset < 0 { return ("offset", "must not be negative, but is \(offset)") }
    let given = sizes.filter { $0.1 != nil }.map(\.0)
    if given.count > 1 { return (given[1], "cannot stand beside \(given[0]); keep one of them") }
    return nil
  }
}

/// A place in an ordered answer, to continue from. Belongs to the order it was made with.
public struct Cursor: Hashable, Sendable {
  public var entity: EntityID
  /// The attribute ordered by; the namespace's `id` attribute for the order of creation.
  public var attribute: AttributeID
  /// The entity's value of that attribute; null when it has none.
  public var value: Value
  /// When the entity was created, in milliseconds since 1970 or by whatever count its store has.
  public var createdAt: Int64?

  public init(entity: EntityID, attribute: AttributeID, value: Value, createdAt: Int64?) {
    self.entity = entity
    self.attribute = attribute
    self.value = value
    self.createdAt = createdAt
  }
}
