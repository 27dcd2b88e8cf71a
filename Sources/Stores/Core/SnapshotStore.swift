public import DataSources
public import LiveQueries
public import Triples

/// A store with all of its data in memory, which answers any query with a complete snapshot.
///
/// A conforming type provides its snapshot, a change signal and `put`; this protocol implements
/// reading and watching.
public protocol SnapshotStore: StoreDataSource {
  /// Returns the current snapshot.
  func snapshot() async throws(DataSourceError) -> StoreSnapshot

  /// Returns the data that the store contains in addition to its triples, such as uploaded files.
  func attachments() async throws(DataSourceError) -> StoreAttachments

  /// Fires after each change, as soon as ``snapshot()`` contains the change.
  nonisolated var changed: ChangeSignal { get }
}

extension SnapshotStore {
  public nonisolated var holdsEverything: Bool { true }

  public func attachments() async throws(DataSourceError) -> StoreAttachments { StoreAttachments() }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    WholeStore(try await snapshot(), attachments: try await attachments())
  }

  /// Returns the current snapshot, regardless of the query.
  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await snapshot()
  }

  /// Returns an array whose only element is the current snapshot, regardless of the query.
  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await snapshot()]
  }

  /// Throws `notImplemented`, since only transactions change a store.
  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "\(Self.self)", operation: .putAll)
  }

  /// Emits the current snapshot, then a new snapshot after each change. A slow reader receives only
  /// the newest snapshot, whose history contains the skipped changes.
  public nonisolated func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    changed.stream { () async throws(DataSourceError) -> StoreSnapshot in try await snapshot() }
  }
}

/// A read-only store that rejects every change.
protocol ReadOnlyStore: SnapshotStore {
  /// A sentence that says that the store is read-only and what to do instead.
  nonisolated var refusal: String { get }
}

extension ReadOnlyStore {
  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .readOnly(refusal)
  }
}

/// Whether a store may be changed.
public enum StoreAccess: Sendable, Hashable {
  /// The store rejects all changes.
  case readOnly
  /// The store accepts changes.
  case readWrite
}

extension DataSourceError {
  /// Creates the error of a read-only store; `reason` says what to do instead.
  static func readOnly(_ reason: String) -> DataSourceError {
    DataSourceError(.refused(type: "read-only"), reason, operation: .put)
  }
}
