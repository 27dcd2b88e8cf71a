/// The requested way to detect changes of other programs in a PostgreSQL database.
public enum PostgresLiveMode: Hashable, Sendable {
  /// Notifications if triggers are installed, and otherwise polling.
  case automatic
  /// Logical decoding through a temporary replication slot, if the server allows it.
  ///
  /// If the server would keep more than `maxHeldBytes` of its write-ahead log for the slot, the slot
  /// is dropped.
  case decoding(maxHeldBytes: Int = 256 << 20)
}
