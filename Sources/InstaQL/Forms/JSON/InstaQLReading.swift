/// How strictly InstaQL is parsed.
public enum InstaQLReading: Hashable, Sendable {
  /// Throws an error, with the part's path, for any part of a query that would otherwise be
  /// ignored.
  case strict
  /// Parses as InstantDB's client does. Of several operators only one counts, and invalid options
  /// are ignored.
  case reference
  /// Parses as InstantDB's server does: like its client, except that conditions on prefixes of ids
  /// are supported.
  case served

  /// Whether an invalid part is ignored or interpreted instead of throwing an error.
  var isLenient: Bool { self != .strict }
}
