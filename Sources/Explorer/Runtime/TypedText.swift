import TerminalUI

// A paste that the terminal does not mark as one comes as keys, a hundred thousand of them at once. To
// check the line after each would take minutes.
extension ArraySlice<TerminalEvent> {
  /// Takes the next event out; where one types, all letters that came at once, as one text.
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
  /// Whether a letter is put into the line that is open.
  var isTyping: Bool {
    guard let field = prompt?.field else { return false }
    return field.vi?.isTyping != false
  }
}
