/// What a person wants to be otherwise, as far as it can change while the screen is open.
package struct Habits: Sendable, Equatable {
  let keymap: Keymap
  let usesVi: Bool
  let reducesMotion: Bool
  /// What the header calls the store beside its name; nil for nothing.
  let label: String?
  /// The theme to show from now on; nil for the one that is shown.
  let theme: String?
  /// Whether the mouse is ours from now on; nil for no change.
  let isMouseOn: Bool?
  /// What is said of it.
  let remark: Notice?

  package init(
    keymap: Keymap = .standard, usesVi: Bool = false, reducesMotion: Bool = false,
    label: String? = nil, theme: String? = nil, isMouseOn: Bool? = nil, remark: Notice? = nil
  ) {
    self.keymap = keymap
    self.usesVi = usesVi
    self.reducesMotion = reducesMotion
    self.label = label
    self.theme = theme
    self.isMouseOn = isMouseOn
    self.remark = remark
  }
}

extension Model {
  /// The settings were saved while the screen is open.
  mutating func take(_ habits: Habits) -> [Effect] {
    preferences = Preferences(
      keymap: habits.keymap, usesVi: habits.usesVi, reducesMotion: habits.reducesMotion,
      isLinear: preferences.isLinear)
    store.label = habits.label
    notice = habits.remark
    refreshOverlays()
    return (habits.theme.map { [.theme(.named($0))] } ?? [])
      + (habits.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
  }
}
