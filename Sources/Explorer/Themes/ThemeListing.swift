package import TerminalUI

/// A theme in the list.
package struct ThemeListing: Sendable, Equatable {
  package let name: String
  /// Whether the theme is one of the user's own files.
  package let isOwn: Bool
  package let reading: ThemeReading

  package init(name: String, isOwn: Bool, reading: ThemeReading) {
    self.name = name
    self.isOwn = isOwn
    self.reading = reading
  }

  /// The theme; nil if its file is invalid.
  var theme: Theme? { if case .theme(let theme) = reading { theme } else { nil } }

  /// The error of an invalid file; nil for a valid theme.
  var trouble: String? { if case .broken(let reason) = reading { reason } else { nil } }

  /// The kind of theme, and whether it is the user's own, such as `dark, yours`.
  var words: String {
    let kind = theme?.kind ?? "cannot be shown"
    return isOwn ? kind + ", yours" : kind
  }
}

/// The result of reading a theme from its file.
package enum ThemeReading: Sendable, Equatable {
  case theme(Theme)
  /// The file is invalid, for this reason.
  case broken(String)
}
