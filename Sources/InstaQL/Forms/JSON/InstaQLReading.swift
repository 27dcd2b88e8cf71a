/// The strictness of parsing InstaQL.
public enum InstaQLReading: Hashable, Sendable {
  /// Rejects any part of a query that would be ignored, with its path.
  case strict
  /// Parses like InstantDB's client: one of several operators counts, and invalid options are
  /// ignored.
  case reference
  /// Parses like InstantDB's server: like its client, but supports prefixes of ids, which the
  /// client ignores.
  case served

  /// Whether invalid parts are interpreted instead of rejected.
  var isLenient: Bool { self != .strict }
}
