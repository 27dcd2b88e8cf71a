import Triples

/// A deletion that the user confirmed.
struct ConfirmedDeletion: Sendable, Equatable {
  let steps: [TransactionStep]
  /// The result in words, for example "Deleted 3 rows".
  let summary: String
  let canBeUndone: Bool
  /// Whether all affected entities were known when the user confirmed.
  let isKnownWhole: Bool
}
