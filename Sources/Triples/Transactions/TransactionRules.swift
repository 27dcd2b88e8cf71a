/// By whose rules a transaction is carried out.
public enum TransactionRules: Hashable, Sendable {
  /// Those of the place where the truth is: everything is checked, and a mistake refuses the whole.
  /// Steps run grouped by kind, in the order in which the kinds first appear.
  case store
  /// Those of a client that runs ahead of its server: steps run as written, nothing is checked, and
  /// what cannot be known here (a lookup that finds nothing, an unknown attribute, a mode that does
  /// not hold) is left out until the server answers.
  case optimistic

  var refuses: Bool { self == .store }
}
