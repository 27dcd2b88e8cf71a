/// A query without criteria. Use it for puts into sources that read the key from the object, such
/// as the SQL source.
public struct VoidQuery: Query {
  /// Creates the only value of the type.
  public init() {}
}

/// A query that selects all objects of a source. It has no key.
public struct AllObjectsQuery: Query {
  /// Creates the only value of the type.
  public init() {}
}

/// A query that selects the entry stored under one id.
public struct IdQuery<ID: QueryID>: KeyQuery {
  /// The id. Its text is the key.
  public var id: ID

  /// Creates a query for the entry stored under `id`.
  public init(_ id: ID) {
    self.id = id
  }

  public var key: String { id.queryKey }
}

/// A query that selects one object for each of several ids, in order. A repeated id selects its
/// object twice.
public struct IdsQuery<ID: QueryID>: Query {
  /// What happens to an id without an object.
  public enum Missing: Sendable, Hashable {
    /// The call throws `notFound` with the first missing id.
    case fail
    /// The result omits the id.
    case skip
  }

  /// The ids, in the order in which their objects are returned.
  public var ids: [ID]
  /// What happens to an id without an object.
  public var missing: Missing

  /// Creates a query for the objects under `ids`.
  public init(_ ids: [ID], missing: Missing = .fail) {
    self.ids = ids
    self.missing = missing
  }
}

/// A query that selects a page of all objects: at most `limit` objects after the first `offset`.
///
/// Sources reject an offset below 0 or a limit below 1 with `illegalArgument`.
public struct PaginationOffsetLimitQuery: PaginationQuery {
  /// The number of objects to skip.
  public var offset: Int
  /// The maximum number of objects.
  public var limit: Int

  /// Creates a query for at most `limit` objects after the first `offset`.
  public init(_ offset: Int, _ limit: Int) {
    self.offset = offset
    self.limit = limit
  }

  /// Creates a query for at most `limit` objects after the first `offset`.
  public init(offset: Int, limit: Int) {
    self.init(offset, limit)
  }

  /// Returns the query itself if its numbers are valid.
  /// - Throws: `illegalArgument` when the offset is below 0 or the limit below 1.
  public func checked() throws(DataSourceError) -> PaginationOffsetLimitQuery {
    guard offset >= 0, limit >= 1 else {
      throw .illegalArgument(
        "The page has the offset \(offset) and the limit \(limit). Use at least 0 and at least 1."
      )
    }
    return self
  }

  /// Returns the page of `objects` that the query selects; `[]` if the page begins after the last
  /// object.
  public func slice<Object>(of objects: [Object]) -> [Object] {
    Array(objects.dropFirst(offset).prefix(limit))
  }
}

/// A marker protocol for queries that select a part of a listing. Wrappers and sources check for
/// it.
public protocol PaginationQuery: Query {}
