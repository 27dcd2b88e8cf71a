import TerminalUI

/// The names of keys in a pane, as bound by the keymap.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  let focus: PaneTraits
  /// Whether a line is being typed, so that no key is a command.
  var isTyping = false

  /// The keys bound to a command here.
  func strokes(for command: Intent) -> [Key] {
    isTyping ? [] : focus.speaking(keymap.keys(for: command, in: focus))
  }
}
