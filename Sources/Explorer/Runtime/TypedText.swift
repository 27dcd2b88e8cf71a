import TerminalUI
import Widgets

// Combines letters that are queued. The terminal sends the parts of a flag or a joined emoji as
// separate keys. A paste without marks arrives as up to a hundred thousand keys, and validating the
// line after each of them would take minutes.
extension ArraySlice<TerminalEvent> {
  /// Removes and returns the next event. The queued parts of a character are joined into one key.
  /// While the user types, queued letters are joined into one event.
  mutating func popNext(isTyping: Bool) -> TerminalEvent? {
    guard isTyping else { return popCharacter() }
    let letters = prefix { $0.letter != nil }
    guard letters.count > 1 else { return popFirst() }
    removeFirst(letters.count)
    return .paste(String(letters.compactMap(\.letter)))
  }

  private mutating func popCharacter() -> TerminalEvent? {
    let event = popFirst()
    guard var character = event?.letter else { return event }
    while let part = first?.letter, !part.isASCII {
      let joined = String([character, part])
      guard joined.count == 1, let whole = joined.first else { break }
      character = whole
      removeFirst()
    }
    return .key(.character(character))
  }
}

extension TerminalEvent {
  fileprivate var letter: Character? {
    if case .key(let key) = self { key.typed } else { nil }
  }
}

extension Workspace {
  /// Whether a letter key inserts its letter into the prompt.
  var isTyping: Bool {
    guard let field = prompt?.field else { return false }
    return field.vi?.isTyping != false
  }
}
