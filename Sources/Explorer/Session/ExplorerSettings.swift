/// The user's settings of the screen.
package struct ExplorerSettings: Sendable, Equatable {
  private(set) var keymap: Keymap
  var commands: CustomCommands
  /// Whether lines are edited with the keys of vi.
  private(set) var usesVi: Bool
  /// Whether the user turned animation off.
  private var wantsReducedMotion: Bool
  /// Whether the screen shows one pane at a time without boxes, for a screen reader.
  private(set) var isScreenReader: Bool
  /// Whether boxes and symbols are drawn in ASCII.
  private(set) var isASCII: Bool
  /// The path of the folder in which the program runs; empty if it is unknown.
  let folder: String
  /// The path of the settings file; empty if the home folder is unknown.
  let file: String

  package init(
    keymap: Keymap = .standard, commands: CustomCommands = CustomCommands(), usesVi: Bool = false,
    reducesMotion: Bool = false, isScreenReader: Bool = false, isASCII: Bool = false,
    folder: String = "", file: String = ""
  ) {
    self.keymap = keymap
    self.commands = commands
    self.usesVi = usesVi
    wantsReducedMotion = reducesMotion
    self.isScreenReader = isScreenReader
    self.isASCII = isASCII
    self.folder = folder
    self.file = file
  }

  /// Whether animation is off, so that highlights stay instead of fading. A screen reader cannot
  /// express that a highlight fades.
  var reducesMotion: Bool { wantsReducedMotion || isScreenReader }

  /// Returns whether a setting is on; nil for one that has no state here.
  func isOn(_ setting: ScreenSetting) -> Bool? {
    switch setting {
    case .viKeys: usesVi
    case .reducedMotion: reducesMotion
    case .screenReader: isScreenReader
    case .ascii: isASCII
    case .file, .write: nil
    }
  }

  /// Changes a setting until the user quits or saves the settings file.
  mutating func set(_ setting: ScreenSetting, isOn: Bool) {
    switch setting {
    case .viKeys: usesVi = isOn
    case .reducedMotion: wantsReducedMotion = isOn
    case .screenReader: isScreenReader = isOn
    case .ascii: isASCII = isOn
    case .file, .write: break
    }
  }

  /// Applies settings that were saved while the screen is open.
  mutating func update(_ new: ExplorerSettings) {
    let project = commands.project
    keymap = new.keymap
    usesVi = new.usesVi
    wantsReducedMotion = new.wantsReducedMotion
    isScreenReader = new.isScreenReader
    isASCII = new.isASCII
    commands = new.commands
    // If the project's file has not changed, the user's permission for its commands stays.
    if let project, new.commands.project?.has(sameTextAs: project) == true {
      commands.project = project
    }
  }
}
