extension Model {
  /// Applies settings that were saved while the screen is open.
  mutating func apply(_ settings: LiveSettings) -> [Effect] {
    preferences = Preferences(
      keymap: settings.keymap, usesVi: settings.usesVi, reducesMotion: settings.reducesMotion,
      isScreenReader: preferences.isScreenReader)
    store.label = settings.label
    notice = settings.remark
    refreshOverlays()
    return (settings.theme.map { [.theme(.named($0))] } ?? [])
      + (settings.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
  }
}
