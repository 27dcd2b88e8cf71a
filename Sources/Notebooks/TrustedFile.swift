/// A settings file of a project whose commands the user allowed. A changed or moved file is not
/// trusted.
package struct TrustedFile: Codable, Sendable, Hashable {
  package var path: String
  /// The text that the user allowed.
  package var text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
