/// How much is kept of a database that other programs write as well, to take a change of it back.
package enum UndoReach {
  /// Rows that one change touches, with what the database changes along with them.
  package static let mostRows = 10_000
  /// Bytes of deleted rows that no text or number can say.
  package static let mostBytes = 16 << 20
}
