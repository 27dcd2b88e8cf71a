extension Workspace {
  /// Applies settings that the user saved while the screen is open.
  mutating func apply(_ new: LiveSettings) -> [Effect] {
    settings.update(new.screen)
    store.identity.label = new.label
    notice = new.remark
    refreshOverlays()
    return (new.theme.map { [.theme(.named($0))] } ?? [])
      + (new.isMouseOn.map { [.mouse(isOn: $0)] } ?? [])
  }
}
