/// How strictly InstaQL is parsed.
public enum InstaQLReading: Hashable, Sendable {
  /// Throws an error for any part of a query that would otherwise be ignored. The error contains
  /// the path of the part.
  case strict
  /// Parses as InstantDB's client does. If there are several operators, only one of them counts,
  /// and invalid options are ignored.
  case reference
  /// Parses as InstantDB's server does: like the client, but conditions on prefixes of ids are
  /// supported.
  case served

  /// Whether an invalid part is ignored or interpreted instead of throwing an error.
  var isLenient: Bool { self != .strict }
}
