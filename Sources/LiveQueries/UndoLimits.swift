/// Limits on the data kept to undo a change of a database that other programs also write.
package enum UndoLimits {
  /// The maximum number of rows that an undoable change may affect, including by cascades and
  /// triggers.
  package static let maxRows = 10_000
  /// The maximum size in bytes of the contents of deleted rows that are kept for undo, such as
  /// BLOBs.
  package static let maxBytes = 16 << 20
}
