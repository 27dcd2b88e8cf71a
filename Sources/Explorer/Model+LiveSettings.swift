extension Model {
  /// Applies settings that were saved while the screen is open.
  mutating func apply(_ settings: LiveSettings) -> [Effect] {
    let project = preferences.commands.project
    preferences = Preferences(
      keymap: settings.keymap, usesVi: settings.usesVi, reducesMotion: settings.reducesMotion,
      isScreenReader: preferences.isScreenReader)
    preferences.commands = settings.commands
    // The same file stays allowed.
    if let project, settings.commands.project?.has(sameTextAs: project) == true {
      preferences.commands.project = project
    }
    store.label = settings.label
    notice = settings.remark
    refreshOverlays()
    return (settings.theme.map { [.theme(.named($0))] } ?? [])
      + (settings.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
  }
}
