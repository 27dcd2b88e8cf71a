import TerminalUI

/// What keys are called where they are read: by the keymap, in the focused pane.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  let focus: Focus
  /// Whether a line is being typed, so that no key is a command.
  var isTyping = false

  /// The keys for a command here.
  func strokes(for command: Intent) -> [Key] {
    isTyping ? [] : focus.speaking(keymap.keys(for: command, in: focus))
  }
}

extension Model {
  var keys: KeyNames {
    KeyNames(keymap: preferences.keymap, focus: listening, isTyping: prompt != nil)
  }
}
