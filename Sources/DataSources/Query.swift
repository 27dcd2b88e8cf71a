/// What a data source is asked. A query names the wish, never the source that grants it.
///
/// Any `Hashable` value may be one; a source that does not know a query's type answers
/// ``DataSourceError/unsupportedQuery(_:source:operation:)``.
public protocol Query: Sendable, Hashable {}

/// A query that a key/value source can answer: `key` is the entry's name.
///
/// Keys share one flat space, so a query of one's own puts a word before its text: `"search:" + text`.
public protocol KeyQuery: Query {
  /// The entry's name; equal queries have equal keys, in this run and in the next.
  var key: String { get }
}

/// Asks for nothing in particular: for sources whose value brings its own identity.
public struct VoidQuery: Query {
  public init() {}
}

/// Asks for everything that a source holds. It is no key.
public struct AllObjectsQuery: Query {
  public init() {}
}
