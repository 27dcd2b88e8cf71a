package import TerminalUI

/// The source of the screen's themes, provided by the program.
package struct ThemeChoice {
  let after: (Theme) -> Theme?
  let named: (String) -> ThemeReading
  let all: @Sendable () -> [ThemeListing]
  let lasting: String?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - after: The theme that follows another; nil if there is none.
  ///   - named: The theme of a name, read from its file.
  ///   - all: All themes in the order of the list.
  ///   - lasting: A remark on how long a selected theme is kept; nil if it is kept for good.
  package init(
    after: @escaping (Theme) -> Theme? = { _ in nil },
    named: @escaping (String) -> ThemeReading = { .broken("There is no theme '\($0)'.") },
    all: @escaping @Sendable () -> [ThemeListing] = { [] }, lasting: String? = nil
  ) {
    self.after = after
    self.named = named
    self.all = all
    self.lasting = lasting
  }
}
