package import TerminalUI

/// Where the screen's themes come from; whoever knows their files fits it.
package struct ThemeChoice {
  /// What came of reading a theme.
  package enum Reading: Sendable, Equatable {
    case theme(Theme)
    /// Why it cannot be shown, in words.
    case broken(String)
  }

  let after: (Theme) -> Theme?
  let named: (String) -> Reading
  let all: @Sendable () -> [ThemeListing]
  let lasting: String?

  /// - Parameters:
  ///   - after: The theme that follows another; nil when there is none.
  ///   - named: The theme of that name, as its file is now.
  ///   - all: All that there are, in the order in which they are listed.
  ///   - lasting: What is to be said of how long a chosen one is shown; nil where that is for good.
  package init(
    after: @escaping (Theme) -> Theme? = { _ in nil },
    named: @escaping (String) -> Reading = { .broken("There is no theme '\($0)'.") },
    all: @escaping @Sendable () -> [ThemeListing] = { [] }, lasting: String? = nil
  ) {
    self.after = after
    self.named = named
    self.all = all
    self.lasting = lasting
  }
}

extension EffectRunner {
  /// What is shown, and whether its file was sound when it was read last.
  package struct Look {
    package private(set) var theme: Theme
    /// What was shown before others are tried; nil while none is.
    private var before: Theme?
    private var isBroken = false

    /// The theme that is shown when nothing is tried any more.
    package var kept: Theme { before ?? theme }

    package init(_ theme: Theme) {
      self.theme = theme
    }

    package mutating func show(_ theme: Theme) {
      self.theme = theme
      before = nil
      isBroken = false
    }

    /// Shows a theme that is only tried; nil shows the one before again.
    package mutating func preview(_ theme: Theme?) {
      let kept = kept
      self.theme = theme ?? kept
      before = theme == nil ? nil : kept
    }

    /// Reads the theme's file again; one that is broken changes nothing.
    /// - Returns: What is to be said of it, if anything.
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

    /// Shows another theme.
    /// - Returns: Why that cannot be; nil when it is shown.
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
