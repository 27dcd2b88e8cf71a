public import DataSources
import LiveQueries
public import Triples

/// An Instant backup, a `.zip`, as a store in memory that cannot be written.
///
/// Its snapshot is as old as the backup, and says so.
public struct BackupStore: SnapshotStore {
  public let backup: Backup
  /// Never rung: a backup does not change.
  public let changed = ChangeSignal()

  public init(_ backup: Backup) {
    self.backup = backup
  }

  public func snapshot() -> StoreSnapshot {
    let freshness = backup.madeAt.map { StoreSnapshot.Freshness.archived(since: $0) }
    return StoreSnapshot(backup.store, freshness: freshness ?? .stale(reason: "from a backup"))
  }

  @discardableResult
  public func put(
    _ object: StoreSnapshot?, in query: any Query
  ) async throws(DataSourceError) -> StoreSnapshot {
    throw .readOnly("A backup is read-only: import it into a .sonde file to change it.")
  }
}
