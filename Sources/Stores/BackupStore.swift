public import DataSources
public import LiveQueries
public import Triples

/// An Instant backup, a `.zip`, as a store in memory that cannot be written.
///
/// Its snapshot is as old as the backup, and says so.
public struct BackupStore: ReadOnlyStore {
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

  public func attachments() -> StoreAttachments { backup.attachments }

  var refusal: String {
    "A backup is read-only: import it into a .sonde file to change it."
  }
}
