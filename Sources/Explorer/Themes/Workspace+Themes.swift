// Reloads the list of themes. A preview only lasts while the list is visible; a theme that the user
// selects stays.
extension Workspace {
  /// Reloads the current theme after theme files changed. If the list of themes is open, reloads it
  /// too.
  mutating func rereadThemes() -> [Effect] {
    [.theme(.reread)] + (isChoosingTheme ? requests.begin(.themes, for: .themes) : [])
  }

  var isChoosingTheme: Bool { tab.overlays.contains { $0.pane is ThemesPane } }
}
