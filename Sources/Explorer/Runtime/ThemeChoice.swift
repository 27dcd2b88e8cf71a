/// The themes that the screen can use. The program provides them.
package struct ThemeChoice {
  let named: (String) -> ThemeReading
  let all: @Sendable () -> [ThemeListing]
  let lasting: String?

  /// Creates the source of themes.
  ///
  /// - Parameters:
  ///   - named: Returns the theme with the given name, read from its file.
  ///   - all: Returns all themes in the order of the list.
  ///   - lasting: A remark on how long a selected theme is kept; nil if it is kept permanently.
  package init(
    named: @escaping (String) -> ThemeReading = { .broken(RuntimeWords.noTheme($0)) },
    all: @escaping @Sendable () -> [ThemeListing] = { [] }, lasting: String? = nil
  ) {
    self.named = named
    self.all = all
    self.lasting = lasting
  }
}
