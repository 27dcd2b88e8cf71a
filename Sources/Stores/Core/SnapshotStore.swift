public import DataSources
public import LiveQueries
public import Triples

/// A store that has all of its data at hand: whatever it is asked, it answers with the whole.
///
/// A store of this kind says what it has and rings when that changes; reading and watching follow.
/// Only `put` is left to each.
public protocol SnapshotStore: StoreDataSource {
  /// The store as it is now.
  func snapshot() async throws(DataSourceError) -> StoreSnapshot

  /// What the store keeps beside its triples.
  func attachments() async throws(DataSourceError) -> StoreAttachments

  /// Rung after each change, once ``snapshot()`` shows it.
  nonisolated var changed: ChangeSignal { get }
}

extension SnapshotStore {
  public nonisolated var holdsEverything: Bool { true }

  public func attachments() async throws(DataSourceError) -> StoreAttachments { StoreAttachments() }

  public func wholeStore(bytes: AnswerView.Bytes) async throws(DataSourceError) -> WholeStore {
    WholeStore(try await snapshot(), attachments: try await attachments())
  }

  public func get(_ query: any Query) async throws(DataSourceError) -> StoreSnapshot {
    try await snapshot()
  }

  public func getAll(_ query: any Query) async throws(DataSourceError) -> [StoreSnapshot] {
    [try await snapshot()]
  }

  /// A store is changed by transactions, never by handing it snapshots.
  @discardableResult
  public func putAll(
    _ objects: [StoreSnapshot], in query: any Query
  ) async throws(DataSourceError) -> [StoreSnapshot] {
    throw .notImplemented(source: "\(Self.self)", operation: .putAll)
  }

  /// The store now, then after each change; a slow reader sees the newest state and can ask its
  /// history for what it skipped.
  public nonisolated func watch(_ query: any Query) -> DataStream<StoreSnapshot> {
    changed.stream { () async throws(DataSourceError) -> StoreSnapshot in try await snapshot() }
  }
}

/// A store that can only be read: every change is refused.
protocol ReadOnlyStore: SnapshotStore {
  /// One sentence: that it cannot be changed, and what to do instead.
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

/// What may be done with a store.
public enum StoreAccess: Sendable, Hashable {
  case readOnly
  case readWrite
}

extension DataSourceError {
  /// The refusal of a store that is not to be written; `reason` says what to do instead.
  static func readOnly(_ reason: String) -> DataSourceError {
    DataSourceError(.refused(type: "read-only"), reason, operation: .put)
  }
}
