import TerminalUI
import Widgets

// Combines letters that are queued while a line is typed. A paste without marks arrives as up to a
// hundred thousand keys, and validating the line after each of them would take minutes.
extension ArraySlice<TerminalEvent> {
  /// Removes and returns the next event. While the user types, queued letters are joined into one
  /// event.
  mutating func popNext(isTyping: Bool) -> TerminalEvent? {
    guard isTyping else { return popFirst() }
    let letters = prefix { $0.letter != nil }
    guard letters.count > 1 else { return popFirst() }
    removeFirst(letters.count)
    return .paste(String(letters.compactMap(\.letter)))
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
