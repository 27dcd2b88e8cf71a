package import DataSources

/// An access token for a server. Descriptions, mirrors and errors never show the token itself.
package struct AccessToken: Sendable, Equatable {
  /// The text of the token, which is sent to the server.
  package let secret: String

  /// Creates a token from a text.
  ///
  /// - Parameter text: The token. White space at both ends is removed.
  /// - Throws: `notValid` when the text is empty or has more than one line.
  package init(_ text: String) throws(DataSourceError) {
    let trimmed = text.trimmed
    guard !trimmed.isEmpty else { throw .notValid("The token is empty.") }
    guard !trimmed.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
      throw .notValid("A token must be one line without control characters.")
    }
    secret = trimmed
  }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  package var description: String { "‹token›" }
  package var debugDescription: String { description }
  package var customMirror: Mirror { Mirror(self, children: []) }
}

extension String {
  /// The text without leading and trailing white space.
  var trimmed: String {
    guard let first = firstIndex(where: { !$0.isWhitespace }),
      let last = lastIndex(where: { !$0.isWhitespace })
    else { return "" }
    return String(self[first...last])
  }
}
