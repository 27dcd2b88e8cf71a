import TerminalUI

/// The input that waits for data that has not arrived yet, in order.
struct InputQueue: Sendable, Equatable {
  enum Input: Sendable, Equatable {
    case event(TerminalEvent)
    case command(Command)
  }

  /// The data for which input waits.
  enum Target: Sendable, Equatable {
    /// The catalog of the store, and the restored session.
    case store
    /// The first rows of the current query.
    case rows
    /// The first rows of a changed query, while those of the previous query are still shown.
    case newRows
    /// All rows, while the first ones of a store that is still loading are shown.
    case allRows
    /// The match that a search of the results will find.
    case match
    /// The matches for the text that was typed in the top pane, or the free name that it proposes.
    case choices
  }

  private(set) var inputs: [Input] = []
  private(set) var target = Target.store
  /// The pane that had the focus when the first input was queued; nil if nothing is queued.
  private(set) var place: KeyPlace?

  static let maxCount = 256

  var isEmpty: Bool { inputs.isEmpty }
  var isFull: Bool { inputs.count >= Self.maxCount }

  mutating func append(_ input: Input, for target: Target, at place: KeyPlace) {
    if isEmpty { (self.target, self.place) = (target, place) }
    inputs.append(input)
  }
}
