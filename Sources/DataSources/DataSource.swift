/// A source that can be read.
public protocol GetDataSource<Object>: Sendable {
  /// The type of the objects that the source returns.
  associatedtype Object: Sendable

  /// Returns the one object that `query` selects.
  /// - Throws: `notFound` when there is no such object, `unsupportedQuery` when the source cannot
  ///   answer such a query, `dataSerialization` when the stored object cannot be decoded,
  ///   `cancelled` like every call, and the errors of the storage.
  func get(_ query: any Query) async throws(DataSourceError) -> Object

  /// Returns all objects that `query` selects, in the source's order; `[]` when a listing is empty.
  /// - Throws: The errors of ``get(_:)``; `notFound` when the key, or one of several ids, is
  ///   missing; `illegalArgument` for an invalid page.
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Object]
}

/// A source that can be written.
public protocol PutDataSource<Object>: Sendable {
  /// The type of the objects that the source stores.
  associatedtype Object: Sendable

  /// Stores `object` under `query`. If `object` is nil, the query itself contains what to write, as
  /// an ``ObjectQuery`` does.
  ///
  /// An implementation must repeat `@discardableResult`, because a conformance does not inherit it.
  /// - Returns: The object that is now stored. It may differ from `object`.
  /// - Throws: `unsupportedQuery`, `illegalArgument` when neither the argument nor the query has an
  ///   object, or when they contradict each other, `dataSerialization` when it cannot be encoded,
  ///   `cancelled`, and the errors of the storage. After an error, nothing has been written.
  @discardableResult
  func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object

  /// Stores all of `objects`, or none of them.
  /// - Returns: The objects that are now stored, in the order of `objects`.
  /// - Throws: The errors of ``put(_:in:)``; `illegalArgument` when the number of objects differs
  ///   from the number of ids in the query.
  @discardableResult
  func putAll(_ objects: [Object], in query: any Query) async throws(DataSourceError) -> [Object]
}

/// A source from which objects can be deleted by a query.
public protocol DeleteDataSource: Sendable {
  /// Deletes the objects that `query` selects. Deleting a missing object succeeds.
  /// - Throws: `unsupportedQuery`, `cancelled`, and the errors of the storage.
  func delete(_ query: any Query) async throws(DataSourceError)
}

/// A source that reports when its answers change.
public protocol WatchDataSource<Object>: Sendable {
  /// The type of the objects whose changes the source reports.
  associatedtype Object: Sendable

  /// Returns a stream of the current result of `get`, then of its new result after each change.
  ///
  /// A slow reader gets only the latest result; older unread ones are skipped. If `get` would
  /// throw, the stream throws and ends. To watch ids that may be missing, use ``watchAll(_:)`` with
  /// an ``IdsQuery`` that skips them. The watch ends when the reader releases the stream, or when
  /// its task is canceled.
  func watch(_ query: any Query) -> DataStream<Object>

  /// Returns a stream of the current result of `getAll`, then of its new result after each change.
  ///
  /// The default implementation ends with `notImplemented`.
  func watchAll(_ query: any Query) -> DataStream<[Object]>
}

extension WatchDataSource {
  /// Returns a stream that ends with `notImplemented`.
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    .failing(.notImplemented(source: String(describing: Self.self), operation: .watch))
  }
}

/// A source that supports get, put and delete.
///
/// A conforming source can be stored as `any DataSource<User>`, also in arrays, dictionaries and
/// optionals.
///
/// This protocol refines three protocols. It is not a type alias for their composition, because of
/// a compiler error. In generic code, Swift 6.3 computes too small a size for the existential of a
/// composition of parameterized protocols and overwrites memory. Do not write `any
/// GetDataSource<User> & PutDataSource<User>`; declare a protocol that refines both.
public protocol DataSource<Object>: GetDataSource, PutDataSource, DeleteDataSource {}

/// A source that supports get, put, delete and watch.
public protocol LiveDataSource<Object>: DataSource, WatchDataSource {}
