/// What became of a key or an intent in the pane that took it.
///
/// Nobody presses a key in vain without a word: what has no effect says why it has none.
enum Outcome: Sendable, Equatable {
  case done
  case nothing(because: String)

  /// - Parameter isMoved: Whether anything is elsewhere now, or shown elsewhere.
  static func moved(_ isMoved: Bool, by intent: Intent) -> Outcome {
    isMoved ? .done : .nothing(because: "Nothing lies further \(intent.direction ?? "on")")
  }

  /// The same as a pane that is open above the others answers it.
  var wishes: [Wish] {
    switch self {
    case .done: []
    case .nothing(let reason): [.say(reason)]
    }
  }
}

extension Intent {
  /// Where an intent that moves leads; nil for any other.
  fileprivate var direction: String? {
    switch self {
    case .up, .pageUp, .halfPageUp, .first: "up"
    case .down, .pageDown, .halfPageDown, .last: "down"
    case .left, .firstColumn: "left"
    case .right, .lastColumn: "right"
    default: nil
    }
  }

  /// Whether it moves towards what comes after.
  var leadsDown: Bool { direction == "down" }
}
