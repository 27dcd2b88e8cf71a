import Triples

/// A deletion as the user confirmed it.
struct ConfirmedDeletion: Sendable, Equatable {
  let steps: [TransactionStep]
  /// The result in words, for example "Deleted 3 rows".
  let summary: String
  let canBeUndone: Bool
  /// Whether all affected entities were known.
  let isKnownWhole: Bool
}
