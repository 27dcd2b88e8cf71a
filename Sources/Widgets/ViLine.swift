import TerminalUI

/// The state of vi keys in a text field. Escape enters command mode; `i` and other keys enter
/// insert mode.
///
/// Supported are `h l 0 ^ $ w b e`, `x X D C S r p u`, `d` and `c` with a movement or doubled, and
/// `i a I A`.
package struct ViLine: Sendable, Equatable {
  package private(set) var isTyping = true
  /// The command that waits for a movement or a character, such as `d`; nil if there is none.
  private var waiting: Character?
  /// The text that was deleted last, which `p` inserts.
  private var taken = ""
  private var past: [TextState] = []

  private struct TextState: Sendable, Equatable {
    let text: String
    let cursor: Int
  }

  /// Whether the next letter starts a command.
  package var isReady: Bool { !isTyping && waiting == nil }

  /// Leaves insert mode.
  ///
  /// - Returns: Whether insert mode was active.
  package mutating func escape(_ cursor: inout Int) -> Bool {
    if waiting != nil {
      waiting = nil
      return true
    }
    guard isTyping else { return false }
    isTyping = false
    cursor = max(0, cursor - 1)
    return true
  }

  /// Performs the command of a letter, or completes a command that waits for the letter.
  package mutating func press(_ letter: Character, _ text: inout [Character], _ cursor: inout Int) {
    if let waiting {
      self.waiting = nil
      finish(waiting, letter, &text, &cursor)
      return
    }
    if let target = Self.movement(letter, text, cursor) {
      cursor = min(target, max(0, text.count - 1))
      return
    }
    switch letter {
    case "i", "a", "I", "A": type(letter, text, &cursor)
    case "x": cut(cursor..<min(text.count, cursor + 1), &text, &cursor)
    case "X": cut(max(0, cursor - 1)..<cursor, &text, &cursor)
    case "D": cut(cursor..<text.count, &text, &cursor)
    case "C":
      cut(cursor..<text.count, &text, &cursor)
      type("A", text, &cursor)
    case "S":
      cut(0..<text.count, &text, &cursor)
      isTyping = true
    case "d", "c", "r": waiting = letter
    case "p": put(&text, &cursor)
    case "u": undo(&text, &cursor)
    default: break
    }
  }

  /// Enters insert mode and moves the cursor as the command requires.
  ///
  /// Undo restores the text as it was before insert mode.
  private mutating func type(_ letter: Character, _ text: [Character], _ cursor: inout Int) {
    remember(text, cursor)
    isTyping = true
    switch letter {
    case "a": cursor = min(text.count, cursor + 1)
    case "A": cursor = text.count
    case "I": cursor = 0
    default: break
    }
  }

  private mutating func finish(
    _ command: Character, _ letter: Character, _ text: inout [Character], _ cursor: inout Int
  ) {
    let isWord = command == "c" && letter == "w"
    if command == "r" {
      guard text.indices.contains(cursor) else { return }
      remember(text, cursor)
      text[cursor] = letter
      return
    }
    if command == letter {
      cut(0..<text.count, &text, &cursor)
      // With `cw`, the spaces after the word stay.
    } else if let target = Self.movement(isWord ? "e" : letter, text, cursor) {
      // The character at the end of the word or line is included.
      let end = isWord || letter == "e" || letter == "$" ? min(text.count, target + 1) : target
      cut(min(cursor, end)..<max(cursor, end), &text, &cursor)
    } else {
      return
    }
    if command == "c" { isTyping = true }
  }

  private mutating func cut(
    _ range: Range<Int>, _ text: inout [Character], _ cursor: inout Int
  ) {
    guard !range.isEmpty else { return }
    remember(text, cursor)
    taken = String(text[range])
    text.removeSubrange(range)
    cursor = min(range.lowerBound, text.count)
  }

  private mutating func put(_ text: inout [Character], _ cursor: inout Int) {
    guard !taken.isEmpty else { return }
    remember(text, cursor)
    let place = min(text.count, cursor + 1)
    text.insert(contentsOf: taken, at: place)
    cursor = place + taken.count - 1
  }

  private mutating func remember(_ text: [Character], _ cursor: Int) {
    past.append(TextState(text: String(text), cursor: cursor))
    if past.count > Self.maxUndoCount { past.removeFirst() }
  }

  private mutating func undo(_ text: inout [Character], _ cursor: inout Int) {
    guard let state = past.popLast() else { return }
    text = Array(state.text)
    cursor = min(state.cursor, max(0, text.count - 1))
  }

  private static let maxUndoCount = 100

  // MARK: Movements

  /// Returns the position to which a movement leads; nil if the key is not a movement.
  private static func movement(_ letter: Character, _ text: [Character], _ cursor: Int) -> Int? {
    switch letter {
    case "h": max(0, cursor - 1)
    case "l", " ": min(text.count, cursor + 1)
    case "0": 0
    case "^": text.firstIndex { !$0.isWhitespace } ?? 0
    case "$": max(0, text.count - 1)
    case "w": nextWord(text, cursor)
    case "b": wordBefore(text, cursor)
    case "e": wordEnd(text, cursor)
    default: nil
    }
  }

  /// Returns the kind of a character. Words consist of characters of one kind: letters, punctuation
  /// or spaces.
  private static func kind(_ character: Character) -> Int {
    character.isWhitespace
      ? 0 : character.isLetter || character.isNumber || character == "_" ? 1 : 2
  }

  private static func nextWord(_ text: [Character], _ cursor: Int) -> Int {
    var place = cursor
    guard place < text.count else { return place }
    let first = kind(text[place])
    while place < text.count, kind(text[place]) == first, first != 0 { place += 1 }
    while place < text.count, kind(text[place]) == 0 { place += 1 }
    return place
  }

  private static func wordBefore(_ text: [Character], _ cursor: Int) -> Int {
    var place = min(cursor, text.count)
    while place > 0, kind(text[place - 1]) == 0 { place -= 1 }
    guard place > 0 else { return 0 }
    let last = kind(text[place - 1])
    while place > 0, kind(text[place - 1]) == last { place -= 1 }
    return place
  }

  private static func wordEnd(_ text: [Character], _ cursor: Int) -> Int {
    var place = cursor + 1
    while place < text.count, kind(text[place]) == 0 { place += 1 }
    guard place < text.count else { return max(0, text.count - 1) }
    let first = kind(text[place])
    while place + 1 < text.count, kind(text[place + 1]) == first { place += 1 }
    return place
  }
}
