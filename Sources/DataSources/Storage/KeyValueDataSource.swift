/// The content of a key: one object or one array, never both.
public enum DataEntry<Object: Sendable>: Sendable {
  /// One object, which `get` returns.
  case one(Object)
  /// An array, which `getAll` returns.
  case many([Object])

  /// The objects that the entry contributes to a listing.
  public var objects: [Object] {
    switch self {
    case .one(let object): [object]
    case .many(let objects): objects
    }
  }
}

extension DataEntry: Equatable where Object: Equatable {}
extension DataEntry: Hashable where Object: Hashable {}

/// One change within a write.
public enum DataChange<Object: Sendable>: Sendable {
  /// Stores the entry under the key, replacing its previous content.
  case set(String, DataEntry<Object>)
  /// Removes the key; it need not exist.
  case remove(String)
  /// Removes every key of this source and nothing else.
  case removeAll
}

/// A data source over keys. Implement how entries are read and written; the protocol adds get,
/// put, delete and watch with the same rules for every such source.
///
/// A query is checked before the object. One key holds one object or one array. Ids are answered
/// in order and fail with the first missing one. Deleting a missing entry succeeds. Putting all
/// objects replaces the whole content. A write is atomic.
public protocol KeyValueDataSource<Object>: LiveDataSource {
  /// The content of each of `keys` at one moment.
  func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<Object>?]

  /// Every entry of this source, in listing order.
  func entries() async throws(DataSourceError) -> [DataEntry<Object>]

  /// Applies all of `changes` in order, or none of them.
  ///
  /// The source must ring ``changes`` afterwards.
  func apply(_ changes: [DataChange<Object>]) async throws(DataSourceError)

  /// Notifies watchers after each change.
  var changes: ChangeSignal { get }
}

/// The reserved key of the array that `putAll(_:in: AllObjectsQuery())` stores.
let wholeContentKey = "\u{0}all"
