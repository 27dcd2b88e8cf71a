/// Selects nothing in particular, for sources whose objects carry their own identity.
public struct VoidQuery: Query {
  /// Creates the only value of the type.
  public init() {}
}

/// Selects everything that a source holds. It has no key.
public struct AllObjectsQuery: Query {
  /// Creates the only value of the type.
  public init() {}
}

/// Selects what is stored under one id.
public struct IdQuery<ID: QueryID>: KeyQuery {
  /// The id, whose text is the key.
  public var id: ID

  /// Creates a query of what is stored under `id`.
  public init(_ id: ID) {
    self.id = id
  }

  public var key: String { id.queryKey }
}

/// Selects one object for each of several ids, in order; a repeated id gives its object twice.
public struct IdsQuery<ID: QueryID>: Query {
  /// The ways to handle an id without an object.
  public enum Missing: Sendable, Hashable {
    /// The call throws `notFound` with the first missing id.
    case fail
    /// The id is omitted from the result.
    case skip
  }

  /// The ids in the order of the answer.
  public var ids: [ID]
  /// The way to handle an id without an object.
  public var missing: Missing

  /// Creates a query of the objects under `ids`.
  public init(_ ids: [ID], missing: Missing = .fail) {
    self.ids = ids
    self.missing = missing
  }
}

/// Selects a page of all objects: at most `limit` objects after the first `offset`.
///
/// Sources reject an offset below 0 or a limit below 1 with `illegalArgument`.
public struct PaginationOffsetLimitQuery: PaginationQuery {
  /// The number of objects to skip.
  public var offset: Int
  /// The maximum number of objects.
  public var limit: Int

  /// Creates a query of at most `limit` objects after the first `offset`.
  public init(_ offset: Int, _ limit: Int) {
    self.offset = offset
    self.limit = limit
  }

  /// Creates a query of at most `limit` objects after the first `offset`.
  public init(offset: Int, limit: Int) {
    self.init(offset, limit)
  }

  /// The query itself when its numbers are valid.
  /// - Throws: `illegalArgument` when the offset is below 0 or the limit below 1.
  public func checked() throws(DataSourceError) -> PaginationOffsetLimitQuery {
    guard offset >= 0, limit >= 1 else {
      throw .illegalArgument(
        "A page needs an offset of at least 0 and a limit of at least 1, not \(offset) and \(limit)"
      )
    }
    return self
  }

  /// The page of `objects` that the query selects; `[]` past the end.
  public func slice<Object>(of objects: [Object]) -> [Object] {
    Array(objects.dropFirst(offset).prefix(limit))
  }
}

/// A marker for queries for a part of a listing, so that wrappers and sources recognize them.
public protocol PaginationQuery: Query {}
