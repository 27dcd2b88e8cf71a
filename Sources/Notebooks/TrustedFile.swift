/// A settings file of a project, whose commands the user has allowed. If the file is changed or
/// moved, it is no longer trusted.
package struct TrustedFile: Codable, Sendable, Hashable {
  package var path: String
  /// The text of the file when the user allowed its commands.
  package var text: String

  package init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}
