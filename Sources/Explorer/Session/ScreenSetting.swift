/// A setting of the screen in the list of commands.
package enum ScreenSetting: String, Sendable, CaseIterable {
  /// The settings file as a whole.
  case file = "config.toml"
  case viKeys = "vi-keys"
  case reducedMotion = "reduced-motion"
  case screenReader = "screen-reader"
  case ascii
  /// Whether the store can be changed, which only an option of the program determines.
  case write

  /// The name in the list.
  var label: String {
    switch self {
    case .file: "settings file"
    case .viKeys: "vi keys"
    case .reducedMotion: "reduced motion"
    case .screenReader: "screen reader"
    case .ascii: "ASCII borders"
    case .write: "write mode (--write)"
    }
  }

  /// Other words by which users may search for the setting.
  var synonyms: [String] {
    switch self {
    case .file: ["config.toml", "configuration", "preferences", "options", "customize"]
    case .viKeys: ["vi-keys", "vim"]
    case .reducedMotion: ["reduced-motion", "animation", "motion"]
    case .screenReader: ["screen-reader", "accessibility"]
    case .ascii: ["unicode", "line drawings"]
    case .write: ["read-only", "readonly", "editable"]
    }
  }
}

extension ShellCommand {
  /// Creates the command that opens the settings file in the user's editor.
  static func editing(settings path: String) -> ShellCommand {
    ShellCommand(
      #"mkdir -p "$(dirname "$SONDE_SETTINGS")" && "#
        + #"eval "${VISUAL:-${EDITOR:-vi}} \"\$SONDE_SETTINGS\"""#,
      name: ScreenSetting.file.rawValue, variables: ["SONDE_SETTINGS": path], isEditor: true)
  }
}
