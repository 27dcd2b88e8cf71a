import Explorer
import Notebooks
import Stores

/// Watches the settings and theme files, and applies changes while the explorer runs.
struct SettingsWatcher {
  let options: ScreenOptions
  /// The address of the store, since some settings apply only to certain stores.
  let address: String
  let mailbox: Mailbox
  /// The settings of the project, as they were at the start.
  let project: ProjectSettings?
  /// The current settings.
  private var settings: Settings
  /// The error in the settings file when it was last read.
  private var warning: String?

  init(_ store: ConfiguredStore, options: ScreenOptions, telling mailbox: Mailbox) {
    (settings, project, address) = (store.settings, store.project, store.listing.address)
    (self.options, self.mailbox) = (options, mailbox)
  }

  /// Posts an event to the mailbox after each change of a file, until the task is canceled.
  mutating func run() async {
    // If the system cannot watch folders, settings stay as they were when the program started.
    guard let folders = Folders(),
      let watcher = try? PathWatcher(folder: folders.config, within: ["themes"])
    else { return }
    for await _ in watcher.changes {
      if let event = liveSettings(in: SettingsFile(folders: folders)) { mailbox.post(event) }
      mailbox.post(.themesSaved)
    }
  }

  /// Returns the event to post after the settings file changed: its new settings, or a notice about
  /// its error. Nil if nothing relevant changed.
  mutating func liveSettings(in file: SettingsFile) -> Event? {
    defer { warning = file.warning }
    if let fault = file.warning {
      // The file may be invalid because an editor has saved only a part, so the previous settings
      // stay.
      return fault == warning
        ? nil
        : .notice(.settingsBroken(Folders.inShort(fault)))
    }
    let before = settings
    settings = file.settings.overridden(by: project)
    guard settings != before else {
      return warning == nil ? nil : .notice(.settingsValid)
    }
    let theme = settings.theme(for: address)
    let isMouseOn = settings.isMouseOn != false
    return .liveSettings(
      LiveSettings(
        ExplorerSettings(settings, options),
        label: settings.label(for: address),
        theme: theme == before.theme(for: address) ? nil : theme,
        isMouseOn: isMouseOn == (before.isMouseOn != false) || options.noMouse ? nil : isMouseOn,
        remark: .settingsReloaded(later: settings.laterWords(than: before))))
  }
}

extension ExplorerSettings {
  /// Creates the settings of the screen; options take precedence.
  init(_ settings: Settings, _ options: ScreenOptions) {
    self.init(
      keymap: settings.keymap, commands: settings.customCommands,
      usesVi: settings.usesVi == true, reducesMotion: options.reducesMotion(settings),
      isScreenReader: options.isForScreenReader(settings))
  }
}

extension Settings {
  /// Returns the theme for a store; nil if none is set.
  func theme(for address: String) -> String? {
    projectTheme ?? look(of: address)?.theme ?? theme
  }

  /// Returns the label of a store in the header; nil if none is set.
  func label(for address: String) -> String? { label ?? look(of: address)?.label }

  /// Returns the end of a notice that names the changed settings that need a restart; empty if none
  /// do.
  fileprivate func laterWords(than before: Settings) -> String {
    let later = [
      (color != before.color, "color"), (isASCII != before.isASCII, "ascii"),
      (isForScreenReader != before.isForScreenReader, "screen-reader"),
    ].filter(\.0).map(\.1)
    guard !later.isEmpty else { return "" }
    return "; \(later.joined(separator: " and ")) will change after a restart"
  }
}

extension Folders {
  /// Returns a sentence with the settings file's name in place of its path, to save space.
  static func inShort(_ sentence: String) -> String {
    guard let folders = Folders() else { return sentence }
    return sentence.replacing(folders.config + "/", with: "")
  }
}
