import TerminalUI

// The list of themes. A preview lasts while the list is visible; only a kept theme stays.
extension Model {
  mutating func openThemes() -> [Effect] {
    requests.begin(.themes, for: .openThemes)
  }

  /// Opens the list with all themes.
  mutating func open(_ themes: [ThemeListing], kept: String) {
    guard !isChoosingTheme else {
      return updatePane(ThemesPane.self) { pane, context in pane.receive(themes, in: context) }
    }
    open(ThemesPane(themes, kept: kept))
  }

  /// Reloads the list after theme files changed.
  mutating func rereadThemes() -> [Effect] {
    [.theme(.reread)] + (isChoosingTheme ? requests.begin(.themes, for: .reloadThemes) : [])
  }

  private var isChoosingTheme: Bool { tab.overlays.contains { $0.pane is ThemesPane } }
}
