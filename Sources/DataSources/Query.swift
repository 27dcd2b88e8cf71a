/// What a data source is asked. A query names the wish, never the source that grants it.
///
/// Any `Hashable` value may be one; a source that does not know a query's type throws
/// ``DataSourceError/Code/unsupportedQuery``.
///
/// ```swift
/// struct SearchQuery: Query { var text: String }
/// ```
public protocol Query: Sendable, Hashable {}

/// A query that a key/value source can answer: `key` is the entry's name.
///
/// Keys share one flat space, so a query of one's own puts a word before its text:
/// `"search:" + text`. A key must not begin with the character U+0000.
public protocol KeyQuery: Query {
  /// The entry's name; equal queries have equal keys, in this run and in the next.
  var key: String { get }
}
