import Explorer
import Notebooks
import Stores

/// Tells an open screen what a person saves in the settings and the themes.
struct SettingsFollowing {
  let options: ScreenOptions
  /// The store's address, which the settings may speak of.
  let address: String
  let mailbox: Mailbox
  /// Those that hold.
  private var settings: Settings
  /// What was wrong with the file when it was read last.
  private var warning: String?

  init(
    _ settings: Settings, options: ScreenOptions, address: String, telling mailbox: Mailbox
  ) {
    (self.settings, self.options, self.address) = (settings, options, address)
    self.mailbox = mailbox
  }

  /// Runs until it is cancelled; sleeps while nothing is saved.
  mutating func run() async {
    // Where the system watches nothing, the settings are those of the start.
    guard let folders = Folders(),
      let watcher = try? PathWatcher(folder: folders.config, within: ["themes"])
    else { return }
    for await _ in watcher.changes {
      if let event = habits(in: SettingsFile(folders: folders)) { mailbox.post(event) }
      mailbox.post(.themesSaved)
    }
  }

  /// What a file of settings has new to say.
  mutating func habits(in file: SettingsFile) -> Event? {
    defer { warning = file.warning }
    if let fault = file.warning {
      // Half of a file is not what somebody wants who saves it while looking on.
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
    return .habits(
      Habits(
        keymap: settings.keymap, usesVi: settings.usesVi == true,
        reducesMotion: options.reducesMotion(settings),
        label: settings.look(of: address)?.label,
        theme: theme == before.theme(for: address) ? nil : theme,
        isMouseOn: isMouseOn == (before.isMouseOn != false) || options.noMouse ? nil : isMouseOn,
        remark: .settingsReloaded(later: settings.laterWords(than: before))))
  }
}

extension Settings {
  /// The theme that they name for a store; nil for none.
  func theme(for address: String) -> String? { look(of: address)?.theme ?? theme }

  /// What of them holds from the next start on only, in words.
  fileprivate func laterWords(than before: Settings) -> String {
    let later = [
      (color != before.color, "color"), (isASCII != before.isASCII, "ascii"),
      (isForScreenReader != before.isForScreenReader, "screen-reader"),
    ].filter(\.0).map(\.1)
    guard !later.isEmpty else { return "" }
    return "; \(later.joined(separator: " and ")) from the next start on"
  }
}

extension Folders {
  /// A sentence that names a file of a person's own, without the way to it: whoever has just saved it
  /// knows that, and it shall leave room for the rest.
  static func inShort(_ sentence: String) -> String {
    guard let folders = Folders() else { return sentence }
    return sentence.replacing(folders.config + "/", with: "")
  }
}
