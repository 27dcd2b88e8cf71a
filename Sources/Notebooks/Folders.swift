#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Where a person's files of this program lie.
///
/// - Source: XDG Base Directory Specification: a variable that is not an absolute path is ignored.
package struct Folders: Sendable, Equatable {
  /// What the program remembers: the notebook, secrets, archives.
  package let state: String
  /// What people write: `config.toml`, `themes/`.
  package let config: String
  /// What can be made anew.
  package let cache: String

  /// - Parameter variable: The environment.
  /// - Returns: Nil when neither the XDG variables nor `HOME` say where.
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

  /// A variable of this process; nil when it is not set or empty.
  package static func variable(_ name: String) -> String? {
    guard let text = getenv(name), text.pointee != 0 else { return nil }
    return String(cString: text)
  }
}
