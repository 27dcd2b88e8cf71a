/// What became of a key or an intent in the pane that took it.
///
/// A key that has no effect says why, but for one that moves: at the end of a list nothing is said.
enum Outcome: Sendable, Equatable {
  case done
  case nothing(because: Notice)

  /// The same as a pane that is open above the others answers it.
  var wishes: [Wish] {
    switch self {
    case .done: []
    case .nothing(let reason): [.say(reason)]
    }
  }
}

extension Intent {
  /// Whether it moves towards what comes after.
  var leadsDown: Bool {
    switch self {
    case .down, .pageDown, .halfPageDown, .last: true
    default: false
    }
  }
}
