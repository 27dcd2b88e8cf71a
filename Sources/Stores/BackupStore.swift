public import DataSources
public import LiveQueries
public import Triples

/// An Instant backup, a `.zip` file, as a read-only store in memory.
///
/// The freshness of its snapshot contains the date of the backup.
public struct BackupStore: ReadOnlyStore {
  /// The content of the backup.
  public let backup: Backup
  /// A change signal that never fires, since a backup does not change.
  public let changed = ChangeSignal()

  /// Creates a store from a backup in memory.
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
