/// The rules for applying a transaction.
public enum TransactionRules: Hashable, Sendable {
  /// The rules of the authoritative store: everything is checked, and an error rejects the whole
  /// transaction. Steps are grouped by type, and the types run in the order in which they first
  /// occur.
  case store
  /// The rules of a client that applies changes before its server confirms them. Steps run in order
  /// without checks. Steps that cannot be applied locally (a lookup without a match, an unknown
  /// attribute, a violated mode) are skipped until the server answers.
  case optimistic

  var refuses: Bool { self == .store }
}
