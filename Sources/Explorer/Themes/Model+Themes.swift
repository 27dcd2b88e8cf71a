import TerminalUI

/// What is known of the list of themes and of what it shows.
struct ThemePreview: Sendable, Equatable {
  /// The theme that the screen is shown in while somebody chooses; nil for the one that is kept.
  var shown: Theme?
}

// The list of themes. What it shows lasts as long as it is in sight, however it is left; only what is
// kept stays.
extension Model {
  mutating func openThemes() -> [Effect] {
    requests.begin(.themes, for: .openThemes)
  }

  /// The themes were read.
  mutating func open(_ themes: [ThemeListing], kept: String) {
    guard !isChoosingTheme else {
      return tell(ThemesPane.self) { pane, context in pane.receive(themes, in: context) }
    }
    open(ThemesPane(themes, kept: kept))
  }

  /// The files of themes are others now.
  mutating func rereadThemes() -> [Effect] {
    [.theme(.reread)] + (isChoosingTheme ? requests.begin(.themes, for: .reloadThemes) : [])
  }

  private var isChoosingTheme: Bool { tab.overlays.contains { $0.pane is ThemesPane } }

  /// The screen is shown in the theme under the cursor, and in its own when nobody chooses any more.
  mutating func showPreview() -> [Effect] {
    let wanted = tab.overlays.lazy.compactMap { $0.pane as? ThemesPane }.last?.preview
    guard wanted != preview.shown else { return [] }
    preview.shown = wanted
    return [.theme(.preview(wanted))]
  }
}
