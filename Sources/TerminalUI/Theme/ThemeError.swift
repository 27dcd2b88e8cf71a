/// An error in a theme file, with its line and advice.
package struct ThemeError: Error, Hashable, Sendable, CustomStringConvertible {
  package enum Reason: Hashable, Sendable {
    case syntax(String)
    case unknownKey(String, nearest: String?)
    case unknownRole(String, nearest: String?)
    case unknownProperty(String, nearest: String?)
    case unknownColor(String, nearest: String?)
    case wrongType(String, expected: String)
    case unknownAppearance(String)
    case noBase(String)
  }

  package let file: String
  /// The line of the error, counted from 1.
  package let line: Int
  package let reason: Reason

  package var description: String { message }

  /// The complete message: `midnight.toml, line 7: unknown role 'titel'. Did you mean 'title'?`
  package var message: String { "\(file), line \(line): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .syntax(let text): "\(text)."
    case .unknownKey(let name, let nearest):
      "unknown key '\(name)'."
        + Self.hint(nearest, "Use name, inherits, appearance, [palette] or [roles].")
    case .unknownRole(let name, let nearest):
      "unknown role '\(name)'." + Self.hint(nearest, "'sonde themes --roles' lists all roles.")
    case .unknownProperty(let name, let nearest):
      "unknown property '\(name)'."
        + Self.hint(nearest, "Use fg, bg, bold, dim, italic, underline or reverse.")
    case .unknownColor(let text, let nearest):
      "'\(text)' is not a color."
        + Self.hint(
          nearest,
          "Use #rrggbb, a name defined in [palette], a color name such as bright-blue, or default.")
    case .wrongType(let name, let expected): "'\(name)' must be \(expected)."
    case .unknownAppearance(let text): "'appearance' must be 'dark' or 'light', not '\(text)'."
    case .noBase(let name):
      "cannot inherit from '\(name)': no other theme has that name. 'sonde themes' lists all themes."
    }
  }

  private static func hint(_ nearest: String?, _ otherwise: String) -> String {
    if let nearest { " Did you mean '\(nearest)'?" } else { " " + otherwise }
  }
}
