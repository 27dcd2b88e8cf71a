/// Limits on what is kept for undoing a change of a database that other programs also write.
package enum UndoLimits {
  /// Rows that one change affects, including those that the database changes by itself.
  package static let maxRows = 10_000
  /// Bytes of deleted rows in BLOB columns.
  package static let maxBytes = 16 << 20
}
