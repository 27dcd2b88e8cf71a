/// A description of the objects to get, put, delete or watch, independent of the source.
///
/// Any `Hashable` type can be a query. A source that does not support the type throws
/// ``DataSourceError/Code/unsupportedQuery``.
///
/// ```swift
/// struct SearchQuery: Query { var text: String }
/// ```
public protocol Query: Sendable, Hashable {}

/// A query that a key/value source can answer, because it has the key of an entry.
///
/// All keys of a source share one namespace, so the keys of your own query types should begin with
/// a prefix: `"search:" + text`. A key must not begin with the character U+0000.
public protocol KeyQuery: Query {
  /// The name of the entry. Equal queries have equal keys, also in later runs.
  var key: String { get }
}
