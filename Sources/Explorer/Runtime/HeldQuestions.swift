/// What keys that were typed at once want asked: what a later one of them takes back is never asked.
package struct HeldQuestions {
  private var effects: [Effect] = []

  package init() {}

  /// Takes more in.
  ///
  /// - Returns: False when there is something among it that is to be done at once.
  package mutating func add(_ more: [Effect]) -> Bool {
    var isHeld = true
    for effect in more {
      switch effect {
      case .stopWatching(let token):
        if let place = effects.firstIndex(where: { $0.begins(token) }) {
          effects.remove(at: place)
        } else {
          effects.append(effect)
        }
      case .watch: effects.append(effect)
      default:
        effects.append(effect)
        isHeld = false
      }
    }
    return isHeld
  }

  /// Gives all up, in order.
  package mutating func take() -> [Effect] {
    defer { effects = [] }
    return effects
  }
}

extension Effect {
  fileprivate func begins(_ token: WatchToken) -> Bool {
    if case .watch(_, token, _) = self { true } else { false }
  }
}
