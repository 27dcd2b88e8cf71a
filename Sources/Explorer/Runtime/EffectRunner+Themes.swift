package import TerminalUI

extension EffectRunner {
  /// The theme on the screen, the theme behind a preview, and whether the theme's file is valid.
  package struct ThemeState {
    package private(set) var theme: Theme
    /// The theme that was shown before the preview; nil without a preview.
    private var before: Theme?
    private var isBroken = false

    /// The selected theme, which is shown while there is no preview.
    package var kept: Theme { before ?? theme }

    package init(_ theme: Theme) { self.theme = theme }

    package mutating func show(_ theme: Theme) {
      self.theme = theme
      before = nil
      isBroken = false
    }

    /// Previews a theme; nil ends the preview.
    package mutating func preview(_ theme: Theme?) {
      let kept = kept
      self.theme = theme ?? kept
      before = theme == nil ? nil : kept
    }

    /// Reads the theme's file again. If the file is invalid, the theme does not change.
    ///
    /// - Returns: A notice about the change or the error; nil if nothing changed.
    package mutating func reread(_ choice: ThemeChoice) -> Notice? {
      switch choice.named(theme.name) {
      case .broken(let reason):
        isBroken = true
        return .themeBroken(reason)
      case .theme(let new):
        let isSaid = new != theme || isBroken
        theme = new
        if before?.name == new.name { before = new }
        isBroken = false
        return isSaid
          ? .themeReloaded(new.name) : nil
      }
    }

    /// Switches to another theme.
    ///
    /// - Returns: The reason why the theme cannot be used; nil on success.
    package mutating func choose(_ name: String, from choice: ThemeChoice) -> String? {
      switch choice.named(name) {
      case .broken(let reason): return reason
      case .theme(let new):
        show(new)
        return nil
      }
    }
  }
}
