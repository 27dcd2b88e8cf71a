package import TerminalUI

/// A line of text and its color role.
package struct TextLine: Sendable, Equatable {
  package let text: String
  package let role: Role
  /// The number of characters at the beginning below which a wrapped line stays blank, such as those
  /// of the first column of a table. Nil for the usual indent.
  package let margin: Int?

  package init(_ text: String, _ role: Role = .text, margin: Int? = nil) {
    self.text = text
    self.role = role
    self.margin = margin
  }
}
