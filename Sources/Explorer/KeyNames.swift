import TerminalUI

/// The names of the keys in a pane, according to the keymap.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  let focus: PaneTraits
  /// Whether the user is typing a line, so that no key triggers a command.
  var isTyping = false

  /// Returns the keys bound to a command in the pane.
  func strokes(for command: Command) -> [Key] {
    isTyping ? [] : focus.speaking(keymap.keys(for: command, in: focus))
  }
}
