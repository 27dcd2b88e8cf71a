/// What became of a key or an intent in the pane that took it.
///
/// Nobody presses a key in vain without a word: what has no effect says why it has none.
enum Outcome: Sendable, Equatable {
  case done
  case nothing(because: String)

  /// - Parameter isMoved: Whether anything is elsewhere now, or shown elsewhere.
  static func moved(_ isMoved: Bool, by intent: Intent) -> Outcome {
    if isMoved { return .done }
    let back = intent.wayBack.map { ": \($0.key) leads back from here" } ?? ""
    return .nothing(because: "Nothing lies further \(intent.direction ?? "on")\(back)")
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

  /// What leads to the other end.
  fileprivate var wayBack: Intent? {
    switch direction {
    case "up": .last
    case "down": .first
    case "left": .lastColumn
    case "right": .firstColumn
    default: nil
    }
  }

  /// Whether it moves towards what comes after.
  var leadsDown: Bool { direction == "down" }
}
