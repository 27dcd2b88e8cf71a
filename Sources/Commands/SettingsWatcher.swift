import Explorer
import Notebooks
import Stores

/// Watches settings and themes for an open screen.
struct SettingsWatcher {
  let options: ScreenOptions
  /// The address of the store, for settings that apply to certain stores.
  let address: String
  let mailbox: Mailbox
  /// The current settings.
  private var settings: Settings
  /// The error of the settings file when it was last read.
  private var warning: String?

  init(
    _ settings: Settings, options: ScreenOptions, address: String, telling mailbox: Mailbox
  ) {
    (self.settings, self.options, self.address) = (settings, options, address)
    self.mailbox = mailbox
  }

  /// Runs until canceled; sleeps while no file changes.
  mutating func run() async {
    // If the system cannot watch folders, the settings stay as they were at the start.
    guard let folders = Folders(),
      let watcher = try? PathWatcher(folder: folders.config, within: ["themes"])
    else { return }
    for await _ in watcher.changes {
      if let event = liveSettings(in: SettingsFile(folders: folders)) { mailbox.post(event) }
      mailbox.post(.themesSaved)
    }
  }

  /// The changed settings of a file.
  mutating func liveSettings(in file: SettingsFile) -> Event? {
    defer { warning = file.warning }
    if let fault = file.warning {
      // An invalid file may be saved halfway, so the previous settings stay.
      return fault == warning
        ? nil
        : .notice(.settingsBroken(Folders.inShort(fault)))
    }
    let before = settings
    settings = file.settings
    guard settings != before else {
      return warning == nil ? nil : .notice(.settingsValid)
    }
    let theme = settings.theme(for: address)
    let isMouseOn = settings.isMouseOn != false
    return .liveSettings(
      LiveSettings(
        keymap: settings.keymap, usesVi: settings.usesVi == true,
        reducesMotion: options.reducesMotion(settings),
        label: settings.look(of: address)?.label,
        theme: theme == before.theme(for: address) ? nil : theme,
        isMouseOn: isMouseOn == (before.isMouseOn != false) || options.noMouse ? nil : isMouseOn,
        remark: .settingsReloaded(later: settings.laterWords(than: before))))
  }
}

extension Settings {
  /// The theme for a store; nil for none.
  func theme(for address: String) -> String? { look(of: address)?.theme ?? theme }

  /// The changed settings that need a restart, in words.
  fileprivate func laterWords(than before: Settings) -> String {
    let later = [
      (color != before.color, "color"), (isASCII != before.isASCII, "ascii"),
      (isForScreenReader != before.isForScreenReader, "screen-reader"),
    ].filter(\.0).map(\.1)
    guard !later.isEmpty else { return "" }
    return "; \(later.joined(separator: " and ")) after a restart"
  }
}

extension Folders {
  /// The sentence with the file's name without its folder, to save space.
  static func inShort(_ sentence: String) -> String {
    guard let folders = Folders() else { return sentence }
    return sentence.replacing(folders.config + "/", with: "")
  }
}
