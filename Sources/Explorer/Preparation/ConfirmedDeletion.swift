import Triples

/// A deletion that the user confirmed.
struct ConfirmedDeletion: Sendable, Equatable {
  let steps: [TransactionStep]
  /// The summary for the notice about the deletion, for example "Deleted 3 rows".
  let summary: String
  let canBeUndone: Bool
  /// Whether all affected entities were known when the user confirmed the deletion.
  let isKnownWhole: Bool
}
