/// How a person wants the screen to be.
struct Preferences: Sendable, Equatable {
  var keymap: Keymap
  /// Whether lines are edited with the keys of vi.
  var usesVi: Bool
  /// Nothing is marked that would fade.
  let reducesMotion: Bool
  /// The screen is one pane at a time without boxes, for somebody who hears it.
  let isLinear: Bool

  init(keymap: Keymap, usesVi: Bool, reducesMotion: Bool, isLinear: Bool) {
    self.keymap = keymap
    self.usesVi = usesVi
    // What fades cannot be heard.
    self.reducesMotion = reducesMotion || isLinear
    self.isLinear = isLinear
  }
}
