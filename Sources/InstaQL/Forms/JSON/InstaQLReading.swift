/// How strictly InstaQL is parsed.
public enum InstaQLReading: Hashable, Sendable {
  /// Rejects any part of a query that would otherwise be ignored; the error names the part's path.
  case strict
  /// Parses as InstantDB's client does. Of several operators only one counts, and invalid options
  /// are ignored.
  case reference
  /// Parses as InstantDB's server does. It differs from its client only in supporting prefixes of
  /// ids, which the client ignores.
  case served

  /// Whether invalid parts are interpreted instead of rejected.
  var isLenient: Bool { self != .strict }
}
