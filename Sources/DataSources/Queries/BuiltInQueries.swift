/// Asks for nothing in particular: for sources whose object brings its own identity.
public struct VoidQuery: Query {
  public init() {}
}

/// Asks for everything that a source holds. It is no key.
public struct AllObjectsQuery: Query {
  public init() {}
}

/// Asks for what is stored under one id.
public struct IdQuery<ID: QueryID>: KeyQuery {
  public var id: ID

  public init(_ id: ID) {
    self.id = id
  }

  public var key: String { id.queryKey }
}

/// Asks for one object for each of several ids, in the order of the ids; a repeated id answers twice.
public struct IdsQuery<ID: QueryID>: Query {
  /// What becomes of an id under which there is no object.
  public enum Missing: Sendable, Hashable {
    /// The call throws `notFound`, naming the first id that is missing.
    case fail
    /// The id is left out of the answer.
    case skip
  }

  public var ids: [ID]
  public var missing: Missing

  public init(_ ids: [ID], missing: Missing = .fail) {
    self.ids = ids
    self.missing = missing
  }
}

/// Asks for a slice of everything: at most `limit` objects after the first `offset` ones.
///
/// Sources refuse an offset below 0 and a limit below 1 with `illegalArgument`.
public struct PaginationOffsetLimitQuery: PaginationQuery {
  public var offset: Int
  public var limit: Int

  public init(_ offset: Int, _ limit: Int) {
    self.offset = offset
    self.limit = limit
  }

  public init(offset: Int, limit: Int) {
    self.init(offset, limit)
  }

  /// - Throws: `illegalArgument` when the numbers describe no slice.
  public func checked() throws(DataSourceError) -> PaginationOffsetLimitQuery {
    guard offset >= 0, limit >= 1 else {
      throw .illegalArgument(
        "A page needs an offset of at least 0 and a limit of at least 1, not \(offset) and \(limit)"
      )
    }
    return self
  }

  /// The part of `objects` that the query asks for; `[]` past the end.
  public func slice<Object>(of objects: [Object]) -> [Object] {
    Array(objects.dropFirst(offset).prefix(limit))
  }
}

/// What all queries for a part of a listing are: a word for wrappers and sources to recognise them by.
public protocol PaginationQuery: Query {}
