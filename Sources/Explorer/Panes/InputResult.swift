/// The effect of a key or intent in a pane.
///
/// A key without effect has a reason, except for cursor movements: at the end of a list nothing is
/// reported.
enum InputResult: Sendable, Equatable {
  case done
  case noEffect(Notice)

  /// The result as actions of an open pane.
  var actions: [PaneAction] {
    switch self {
    case .done: []
    case .noEffect(let reason): [.show(reason)]
    }
  }
}

extension Intent {
  /// Whether it moves downwards.
  var leadsDown: Bool {
    switch self {
    case .down, .pageDown, .halfPageDown, .last: true
    default: false
    }
  }
}
