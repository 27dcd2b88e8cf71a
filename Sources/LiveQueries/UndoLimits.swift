/// Limits on the data kept to undo a change of a database that other programs also write.
package enum UndoLimits {
  /// The maximum number of rows that one change affects, including by cascades and triggers.
  package static let maxRows = 10_000
  /// The maximum size in bytes of the BLOB columns of deleted rows.
  package static let maxBytes = 16 << 20
}
