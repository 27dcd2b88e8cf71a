// Opens the list of themes. A preview only lasts while the list is visible; a theme that the user
// selects stays.
extension Workspace {
  mutating func openThemes() -> [Effect] { requests.begin(.themes, for: .openThemes) }

  mutating func open(_ themes: [ThemeListing], kept: String) {
    guard !isChoosingTheme else {
      return updatePane(ThemesPane.self) { pane, context in pane.showThemes(themes, in: context) }
    }
    open(ThemesPane(themes, kept: kept))
  }

  /// Reloads the current theme after theme files changed. If the list of themes is open, reloads it
  /// too.
  mutating func rereadThemes() -> [Effect] {
    [.theme(.reread)] + (isChoosingTheme ? requests.begin(.themes, for: .reloadThemes) : [])
  }

  private var isChoosingTheme: Bool { tab.overlays.contains { $0.pane is ThemesPane } }
}
