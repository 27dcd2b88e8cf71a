import TerminalUI

/// One theme of those that there are.
package struct ThemeListing: Sendable, Equatable {
  package let name: String
  /// Whether it is a file of the person's own.
  package let isOwn: Bool
  package let reading: ThemeChoice.Reading

  package init(name: String, isOwn: Bool, reading: ThemeChoice.Reading) {
    self.name = name
    self.isOwn = isOwn
    self.reading = reading
  }

  /// Nil where its file is broken.
  var theme: Theme? {
    switch reading {
    case .theme(let theme): theme
    case .broken: nil
    }
  }

  /// Why it cannot be shown; nil where it can.
  var trouble: String? {
    switch reading {
    case .theme: nil
    case .broken(let reason): reason
    }
  }

  /// What kind it is, and whose.
  var words: String {
    let kind = theme?.kind ?? "cannot be shown"
    return isOwn ? kind + ", yours" : kind
  }
}
