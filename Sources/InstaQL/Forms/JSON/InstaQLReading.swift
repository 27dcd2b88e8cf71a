/// How strictly an InstaQL object is read.
public enum InstaQLReading: Hashable, Sendable {
  /// What would be ignored without a word is refused with its path.
  case strict
  /// As InstantDB's own client reads it: of several operators one counts, odd options count as absent.
  case reference
}
