/// A source that can be read.
public protocol GetDataSource<Object>: Sendable {
  associatedtype Object: Sendable

  /// The one object that `query` names.
  /// - Throws: `notFound` when there is none, `unsupportedQuery` when the source cannot be asked so, `cancelled` as every call may.
  func get(_ query: any Query) async throws(DataSourceError) -> Object

  /// All objects that `query` names, in the source's order; `[]` when a listing is empty.
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Object]
}

/// A source that can be written.
public protocol PutDataSource<Object>: Sendable {
  associatedtype Object: Sendable

  /// Stores `object`, or carries out what `query` describes when there is no object to give.
  /// - Returns: What the source now holds; it may differ from what was given.
  @discardableResult
  func put(_ object: Object?, in query: any Query) async throws(DataSourceError) -> Object

  /// Stores all of `objects`, or none of them.
  @discardableResult
  func putAll(_ objects: [Object], in query: any Query) async throws(DataSourceError) -> [Object]
}

/// A source from which things can be removed.
public protocol DeleteDataSource: Sendable {
  /// Removes what `query` names; removing what is not there succeeds.
  func delete(_ query: any Query) async throws(DataSourceError)
}

/// A source that says when an answer changes.
public protocol WatchDataSource<Object>: Sendable {
  associatedtype Object: Sendable

  /// What `get` answers now, then what it answers after each change.
  ///
  /// A slow reader sees the present, not the backlog: answers that it had no time for are skipped.
  /// Where `get` would throw, the stream throws and ends: watch ids that may be missing with
  /// ``watchAll(_:)`` and an ``IdsQuery`` that skips them.
  /// The watch ends when the stream is dropped or its task is cancelled.
  func watch(_ query: any Query) -> DataStream<Object>

  /// What `getAll` answers now, then what it answers after each change.
  ///
  /// A source that does not say otherwise has only ``watch(_:)``: the stream ends with
  /// `notImplemented`.
  func watchAll(_ query: any Query) -> DataStream<[Object]>
}

extension WatchDataSource {
  public func watchAll(_ query: any Query) -> DataStream<[Object]> {
    .failing(.notImplemented(source: String(describing: Self.self), operation: .watch))
  }
}

/// Get, put and delete in one source.
///
/// A source that can do all three conforms to this protocol, so that it can be kept as
/// `any DataSource<User>`, also in arrays, dictionaries and optionals.
///
/// It is not a composition of the three for a reason: Swift 6.3 takes the existential of a composition
/// of parameterized protocols for smaller than it is wherever code is generic, and overwrites memory.
/// Do not write `any GetDataSource<User> & PutDataSource<User>`; declare a protocol that refines both.
public protocol DataSource<Object>: GetDataSource, PutDataSource, DeleteDataSource {}

/// Get, put, delete and watch in one source.
public protocol LiveDataSource<Object>: DataSource, WatchDataSource {}
