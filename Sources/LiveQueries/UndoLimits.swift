/// Limits on the data that is kept to undo a change, in a database that other programs also write.
package enum UndoLimits {
  /// The maximum number of rows that an undoable change may affect, including by cascades and
  /// triggers.
  package static let maxRows = 10_000
  /// The maximum total size of deleted values that are kept for undo, such as BLOBs, in bytes.
  package static let maxBytes = 16 << 20
}
