public import DataSources
public import LiveQueries
public import Triples

/// An Instant backup, a `.zip`, as a read-only store in memory.
///
/// Its snapshot has the date of the backup.
public struct BackupStore: ReadOnlyStore {
  /// The content of the backup.
  public let backup: Backup
  /// The signal of changes, which never rings, as a backup does not change.
  public let changed = ChangeSignal()

  /// Creates a store of a backup that was read.
  public init(_ backup: Backup) {
    self.backup = backup
  }

  public func snapshot() -> StoreSnapshot {
    let freshness = backup.madeAt.map { StoreSnapshot.Freshness.archived(since: $0) }
    return StoreSnapshot(backup.store, freshness: freshness ?? .stale(reason: StaleReason.backup))
  }

  public func attachments() -> StoreAttachments { backup.attachments }

  var refusal: String { ReadOnlyReason.backup }
}
