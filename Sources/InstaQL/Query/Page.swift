public import Triples

/// The requested part of the ordered entities.
///
/// Use at most one of `limit`, `first` and `last`, each at least 1; `offset` must not be negative.
/// Invalid numbers are only reported when the query runs, so you can build a query without `try`.
public struct Page: Hashable, Sendable {
  /// The maximum number of entities; nil for all.
  public var limit: Int?
  /// The number of entities to skip at the start. With `last`, they are skipped at the end instead.
  public var offset: Int?
  /// The maximum number of entities, like `limit`; used with `after`.
  public var first: Int?
  /// The maximum number of entities, taken from the end of the requested order; used with `before`.
  public var last: Int?
  /// The cursor after which the page begins.
  public var after: Cursor?
  /// The cursor before which the page ends.
  public var before: Cursor?
  /// Whether the page includes the entity at the cursor `after`.
  public var afterInclusive: Bool
  /// Whether the page includes the entity at the cursor `before`.
  public var beforeInclusive: Bool

  /// Creates a page that excludes the entities at its cursors; see the properties.
  public init(
    limit: Int? = nil, offset: Int? = nil, first: Int? = nil, last: Int? = nil,
    after: Cursor? = nil, before: Cursor? = nil
  ) {
    self.limit = limit
    self.offset = offset
    self.first = first
    self.last = last
    self.after = after
    self.before = before
    afterInclusive = false
    beforeInclusive = false
  }

  /// A page that contains all entities.
  public static let whole = Page()

  /// Whether the page is not limited in any way.
  public var isWhole: Bool { self == .whole }

  /// The first invalid option, and the reason why it is invalid. Nil if all options are valid.
  public var fault: (option: String, reason: String)? {
    let sizes = [("limit", limit), ("first", first), ("last", last)]
    for case (let option, let size?) in sizes where size < 1 {
      return (option, "the value must be 1 or more, not \(size)")
    }
    if let offset, offset < 0 { return ("offset", "the value must be 0 or more, not \(offset)") }
    let given = sizes.filter { $0.1 != nil }.map(\.0)
    if given.count > 1 {
      return (given[1], "'\(given[1])' cannot be combined with '\(given[0])'; use only one of them")
    }
    return nil
  }
}

/// A position in an ordered answer, at which a page begins or ends. It is only valid for an answer
/// with the same order.
public struct Cursor: Hashable, Sendable {
  /// The entity at the position.
  public var entity: EntityID
  /// The attribute by which the answer is ordered. If it is ordered by creation, this is the
  /// namespace's `id` attribute.
  public var attribute: AttributeID
  /// The entity's value of `attribute`; null if the entity has no value.
  public var value: Value
  /// The creation time of the entity, in milliseconds since 1970 or in the store's own units.
  public var createdAt: Int64?

  /// Creates a cursor; see the properties.
  public init(entity: EntityID, attribute: AttributeID, value: Value, createdAt: Int64?) {
    self.entity = entity
    self.attribute = attribute
    self.value = value
    self.createdAt = createdAt
  }
}
