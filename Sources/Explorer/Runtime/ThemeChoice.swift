package import TerminalUI

/// The themes that the screen can use. The program provides them.
package struct ThemeChoice {
  let after: (Theme) -> Theme?
  let named: (String) -> ThemeReading
  let all: @Sendable () -> [ThemeListing]
  let lasting: String?

  /// Creates the source of themes.
  ///
  /// - Parameters:
  ///   - after: Returns the theme that follows another in the list; nil if no theme follows.
  ///   - named: Returns the theme with the given name, read from its file.
  ///   - all: Returns all themes in the order of the list.
  ///   - lasting: A remark on how long a selected theme is kept; nil if it is kept permanently.
  package init(
    after: @escaping (Theme) -> Theme? = { _ in nil },
    named: @escaping (String) -> ThemeReading = { .broken(RuntimeWords.noTheme($0)) },
    all: @escaping @Sendable () -> [ThemeListing] = { [] }, lasting: String? = nil
  ) {
    self.after = after
    self.named = named
    self.all = all
    self.lasting = lasting
  }
}
