import TerminalUI

/// The keys that the keymap binds in a pane, for hints and help.
struct KeyNames: Sendable, Equatable {
  let keymap: Keymap
  let focus: PaneTraits
  /// Whether the user is typing a line. If so, no key triggers a command.
  var isTyping = false

  /// Returns the keys bound to a command in the pane; none while the user types.
  func strokes(for command: Command) -> [Key] {
    isTyping ? [] : focus.speaking(keymap.keys(for: command, in: focus))
  }
}
