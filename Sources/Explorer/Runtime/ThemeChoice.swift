package import TerminalUI

/// Where the screen's themes come from; whoever knows their files fits it.
package struct ThemeChoice {
  /// What came of reading a theme.
  package enum Reading {
    case theme(Theme)
    /// Why it cannot be shown, in words.
    case broken(String)
  }

  let after: (Theme) -> Theme?
  let named: (String) -> Reading

  /// - Parameters:
  ///   - after: The theme that follows another; nil when there is none.
  ///   - named: The theme of that name, as its file is now.
  package init(
    after: @escaping (Theme) -> Theme? = { _ in nil },
    named: @escaping (String) -> Reading = { .broken("There is no theme '\($0)'.") }
  ) {
    self.after = after
    self.named = named
  }
}

extension EffectRunner {
  /// What is shown, and whether its file was sound when it was read last.
  struct Look {
    private(set) var theme: Theme
    private var isBroken = false

    init(_ theme: Theme) {
      self.theme = theme
    }

    mutating func show(_ theme: Theme) {
      self.theme = theme
      isBroken = false
    }

    /// Reads the theme's file again; one that is broken changes nothing.
    /// - Returns: What is to be said of it, if anything.
    mutating func reread(_ choice: ThemeChoice) -> String? {
      switch choice.named(theme.name) {
      case .broken(let reason):
        isBroken = true
        return "\(reason) What it was before is still shown."
      case .theme(let new):
        let isSaid = new != theme || isBroken
        show(new)
        return isSaid ? "Theme \(new.name), as it was saved just now" : nil
      }
    }

    /// Shows another theme.
    /// - Returns: Why that cannot be; nil when it is shown.
    mutating func choose(_ name: String, from choice: ThemeChoice) -> String? {
      switch choice.named(name) {
      case .broken(let reason): return reason
      case .theme(let new):
        show(new)
        return nil
      }
    }
  }
}
