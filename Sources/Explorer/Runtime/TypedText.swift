import TerminalUI
import Widgets

// An unmarked paste arrives as a hundred thousand keys at once; validating the line after each key
// would take minutes.
extension ArraySlice<TerminalEvent> {
  /// Removes the next event; while typing, all queued letters as one text.
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

extension Model {
  /// Whether the event is a letter for the open line.
  var isTyping: Bool {
    guard let field = prompt?.field else { return false }
    return field.vi?.isTyping != false
  }
}
