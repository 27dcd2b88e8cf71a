/// What one key holds: one object or one array of them, never both.
public enum DataEntry<Object: Sendable>: Sendable {
  case one(Object)
  case many([Object])

  /// The objects that the entry adds to a listing.
  public var objects: [Object] {
    switch self {
    case .one(let object): [object]
    case .many(let objects): objects
    }
  }
}

extension DataEntry: Equatable where Object: Equatable {}
extension DataEntry: Hashable where Object: Hashable {}

/// One step of a write.
public enum DataChange<Object: Sendable>: Sendable {
  /// Puts the entry under the key, in place of what was there.
  case set(String, DataEntry<Object>)
  /// Removes the key; it need not exist.
  case remove(String)
  /// Removes every key of this source, and of no neighbour.
  case removeAll
}

/// A data source over keys. Say how entries are read and written; get, put, delete and watch come
/// from here, with the same rules for every such source.
///
/// The rules: a query is checked before the object is; one key holds one object or one array;
/// ids answer in their order and fail naming the first that is missing; deleting what is not there
/// succeeds; putting all objects makes them the whole content; a write happens entirely or not at all.
public protocol KeyValueDataSource<Object>: LiveDataSource {
  /// What is stored under each of `keys`, seen at one moment.
  func entries(at keys: [String]) async throws(DataSourceError) -> [DataEntry<Object>?]

  /// Every entry of this source, in the order of its listings.
  func entries() async throws(DataSourceError) -> [DataEntry<Object>]

  /// Carries out all of `changes`, in order, or none of them.
  ///
  /// The source rings ``changes`` afterwards.
  func apply(_ changes: [DataChange<Object>]) async throws(DataSourceError)

  /// Rung after each change.
  var changes: ChangeSignal { get }
}

/// The key of the array that `putAll(_:in: AllObjectsQuery())` stores; no query may have it.
let wholeContentKey = "\u{0}all"
