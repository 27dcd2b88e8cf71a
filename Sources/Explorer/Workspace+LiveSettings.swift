extension Workspace {
  /// Applies settings that the user saved while the screen is open.
  mutating func apply(_ new: LiveSettings) -> [Effect] {
    let project = settings.commands.project
    settings = ExplorerSettings(
      keymap: new.keymap, usesVi: new.usesVi, reducesMotion: new.reducesMotion,
      isScreenReader: settings.isScreenReader)
    settings.commands = new.commands
    // The same file stays allowed.
    if let project, new.commands.project?.has(sameTextAs: project) == true {
      settings.commands.project = project
    }
    store.label = new.label
    notice = new.remark
    refreshOverlays()
    return (new.theme.map { [.theme(.named($0))] } ?? [])
      + (new.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
  }
}
