/// What is wrong with a theme file, where, and what to do about it.
package struct ThemeError: Error, Hashable, Sendable {
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
  /// From 1.
  package let line: Int
  package let reason: Reason

  /// `midnight.toml, line 7: unknown role 'titel'. Did you mean 'title'?`
  package var message: String { "\(file), line \(line): \(sentence)" }

  private var sentence: String {
    switch reason {
    case .syntax(let text): "\(text)."
    case .unknownKey(let name, let nearest):
      "unknown key '\(name)'."
        + Self.hint(nearest, "Known are name, inherits, appearance, [palette] and [roles].")
    case .unknownRole(let name, let nearest):
      "unknown role '\(name)'." + Self.hint(nearest, "`sonde themes --roles` lists them.")
    case .unknownProperty(let name, let nearest):
      "unknown property '\(name)'."
        + Self.hint(nearest, "Known are fg, bg, bold, dim, italic, underline and reverse.")
    case .unknownColor(let text, let nearest):
      "'\(text)' is no colour."
        + Self.hint(
          nearest, "Write #rrggbb, a name of [palette], a name such as bright-blue, or default.")
    case .wrongType(let name, let expected): "'\(name)' must be \(expected)."
    case .unknownAppearance(let text): "appearance '\(text)' is neither 'dark' nor 'light'."
    case .noBase(let name):
      "there is no other theme '\(name)' to inherit from. `sonde themes` lists those that there are."
    }
  }

  private static func hint(_ nearest: String?, _ otherwise: String) -> String {
    if let nearest { " Did you mean '\(nearest)'?" } else { " " + otherwise }
  }
}
