package import DataSources

/// What a server knows somebody by. It never shows itself: not printed, not mirrored, not in an error.
package struct Token: Sendable, Equatable {
  /// The token itself, for the one who sends it.
  package let secret: String

  /// - Parameter text: Blanks and line ends around it are left out.
  /// - Throws: `notValid` when nothing is left, or when there is more than one line.
  package init(_ text: String) throws(DataSourceError) {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty else { throw .notValid("The token is empty.") }
    guard !trimmed.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw .notValid("A token is one line without control characters.")
    }
    secret = trimmed
  }
}

extension Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "‹token›" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// Without the blanks and line ends around it.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
