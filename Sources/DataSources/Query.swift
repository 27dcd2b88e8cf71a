/// A description of the objects to get, put, delete or watch. It never names the source.
///
/// Any `Hashable` value can be a query. A source that does not support a query's type throws
/// ``DataSourceError/Code/unsupportedQuery``.
///
/// ```swift
/// struct SearchQuery: Query { var text: String }
/// ```
public protocol Query: Sendable, Hashable {}

/// A query that a key/value source can answer: `key` is the entry's name.
///
/// All keys share one flat space, so your own queries should add a prefix to their text:
/// `"search:" + text`. A key must not begin with the character U+0000.
public protocol KeyQuery: Query {
  /// The entry's name. Equal queries have equal keys, also in later runs.
  var key: String { get }
}
