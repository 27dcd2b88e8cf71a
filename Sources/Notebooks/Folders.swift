#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The folders in which the program stores the user's files.
///
/// - Source: XDG Base Directory Specification. By it, a variable whose value is not an absolute
///   path is ignored.
package struct Folders: Sendable, Equatable {
  /// The folder for state: the notebook, secrets and archives.
  package let state: String
  /// The folder for files that the user writes: `config.toml` and `themes/`.
  package let config: String
  /// The folder for files that the program can create again.
  package let cache: String

  /// Finds the folders from environment variables.
  ///
  /// - Parameter variable: Returns the value of an environment variable.
  /// - Returns: Nil when neither the XDG variables nor `HOME` are set.
  package init?(environment variable: (String) -> String? = Folders.variable) {
    func folder(_ name: String, _ fallback: String) -> String? {
      if let chosen = variable(name), chosen.hasPrefix("/") { return chosen + "/sonde" }
      guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
      return home + fallback + "/sonde"
    }
    guard let state = folder("XDG_STATE_HOME", "/.local/state"),
      let config = folder("XDG_CONFIG_HOME", "/.config"),
      let cache = folder("XDG_CACHE_HOME", "/.cache")
    else { return nil }
    self.state = state
    self.config = config
    self.cache = cache
  }

  /// The folder for temporary files.
  package static var temporary: String { variable("TMPDIR") ?? "/tmp" }

  /// Returns the value of an environment variable; nil if it is unset or empty.
  package static func variable(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
