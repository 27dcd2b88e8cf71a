/// How strictly an InstaQL object is read.
public enum InstaQLReading: Hashable, Sendable {
  /// What would be ignored without a word is refused with its path.
  case strict
  /// As InstantDB's own client reads it: of several operators one counts, odd options count as absent.
  case reference
  /// As InstantDB's server reads it: like its client, but it finds by the beginning of an id, which
  /// the client passes over.
  case served

  /// Whether what is odd has a meaning instead of being refused.
  var isLenient: Bool { self != .strict }
}
