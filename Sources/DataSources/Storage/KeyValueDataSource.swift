/// The content that a source stores under a key: one object or one array, never both.
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
  /// Stores the entry under the key. It replaces the previous content.
  case set(String, DataEntry<Object>)
  /// Removes the key if it exists.
  case remove(String)
  /// Removes every key of this source, but no key of another source.
  case removeAll
}

/// A data source that stores entries under keys.
///
/// A conforming type implements only how entries are read and written. The protocol adds get, put,
/// delete and watch, with the same rules for every source:
///
/// A put with both an unsupported query and an invalid object throws `unsupportedQuery`. A key
/// holds either one object or one array. The objects of several ids are returned in the order of
/// the ids, and the first missing id throws. Deleting a missing entry succeeds. Putting all objects
/// replaces the whole content. A write is atomic.
public protocol KeyValueDataSource<Object>: LiveDataSource {
  /// Returns the contents of `keys`, all read at the same moment; nil for each missing key.
  func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<Object>?]

  /// Returns every entry of this source, in the order of listings.
  func entries() async throws(DataSourceError) -> [DataEntry<Object>]

  /// Applies all of `changes` in order, or none of them.
  ///
  /// An implementation must call `ring()` on ``changes`` afterward.
  func apply(_ changes: [DataChange<Object>]) async throws(DataSourceError)

  /// Notifies watchers after each change.
  var changes: ChangeSignal { get }
}

/// The reserved key for the array that `putAll(_:in: AllObjectsQuery())` stores.
let wholeContentKey = "\u{0}all"
