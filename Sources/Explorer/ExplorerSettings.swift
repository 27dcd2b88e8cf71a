/// The user's settings of the screen.
struct ExplorerSettings: Sendable, Equatable {
  var keymap: Keymap
  /// Whether lines are edited with the keys of vi.
  var usesVi: Bool
  /// The custom commands that the settings define.
  var commands = CustomCommands()
  /// Whether animation is off, so that highlights stay instead of fading.
  let reducesMotion: Bool
  /// Whether the screen shows one pane at a time without boxes, for a screen reader.
  let isScreenReader: Bool

  init(keymap: Keymap, usesVi: Bool, reducesMotion: Bool, isScreenReader: Bool) {
    self.keymap = keymap
    self.usesVi = usesVi
    // A screen reader cannot express that a highlight fades.
    self.reducesMotion = reducesMotion || isScreenReader
    self.isScreenReader = isScreenReader
  }
}
