import Explorer
import Notebooks
import Stores

/// Watches the settings and theme files, and applies changes while the explorer runs.
struct SettingsWatcher {
  let options: ScreenChoices
  /// The address of the store, since some settings apply only to certain stores.
  let address: String
  let mailbox: Mailbox
  /// The folder of the data, which may contain a project's settings file; nil if the store has no
  /// folder.
  private let projectFolder: String?
  /// The settings of the user, and those of the project, as they were when they were last valid.
  private var user: Settings
  private var project: ProjectSettings?
  /// The current settings.
  private var settings: Settings
  /// The errors in the settings files when they were last read.
  private var warnings: [String]

  init(_ store: ConfiguredStore, options: ScreenChoices, telling mailbox: Mailbox) {
    (settings, user, project) = (store.settings, store.user, store.project)
    (address, projectFolder) = (store.listing.address, store.store.projectFolder)
    (self.options, self.mailbox) = (options, mailbox)
    warnings = store.project?.warnings ?? []
  }

  private enum Source {
    case user, project
  }

  /// Posts an event to the mailbox after each change of a file, until the task is canceled.
  mutating func run() async {
    guard let folders = Folders() else { return }
    // If the system cannot watch a folder, its settings stay as they were when the program started.
    let watchers: [(source: Source, watcher: PathWatcher?)] = [
      (.user, try? PathWatcher(folder: folders.config, within: ["themes"])),
      (.project, projectFolder.flatMap { try? PathWatcher(file: ProjectSettings.path(in: $0)) }),
    ]
    let (changes, report) = AsyncStream.makeStream(of: Source.self)
    let reporting = watchers.compactMap { source, watcher in
      watcher.map { watcher in
        Task { for await _ in watcher.changes { report.yield(source) } }
      }
    }
    defer { for task in reporting { task.cancel() } }
    for await source in changes {
      let file = SettingsFile(folders: folders)
      // The project's commands may not use keys of the user, so the user's settings are needed
      // first.
      let keys = file.warnings.isEmpty ? file.settings : user
      let project = await ProjectSettings.read(folder: projectFolder, user: keys)
      for event in reload(file, project) { mailbox.post(event) }
      if source == .user { mailbox.post(.themesSaved) }
    }
  }

  /// Returns the events for the current contents of the settings files; empty if nothing relevant
  /// changed.
  ///
  /// - Parameter new: The settings of the project; nil if the project has no settings file.
  mutating func reload(_ file: SettingsFile, _ new: ProjectSettings?) -> [Event] {
    let (before, oldWarnings) = (settings, warnings)
    // A file may be invalid because an editor has saved only a part, so its previous settings stay.
    if file.warnings.isEmpty { user = file.settings }
    if new?.warnings.isEmpty != false { project = new }
    warnings = file.warnings + (new?.warnings ?? [])
    settings = user.overridden(by: project)
    var events = settings == before ? [] : [liveSettings(since: before)]
    // A new error comes before those that were already reported.
    let faults = warnings.filter { !oldWarnings.contains($0) }
    if !faults.isEmpty,
      let fault = (faults + warnings.filter(oldWarnings.contains)).summary(Settings.list)
    {
      events.append(.notice(.settingsBroken(inShort(fault))))
    } else if events.isEmpty, warnings.isEmpty, !oldWarnings.isEmpty {
      events.append(.notice(.settingsValid))
    }
    return events
  }

  private func liveSettings(since before: Settings) -> Event {
    let theme = settings.theme(for: address)
    let isMouseOn = settings.isMouseOn != false
    let isSameProject = settings.project == before.project
    return .liveSettings(
      LiveSettings(
        ExplorerSettings(settings, options),
        label: settings.label(for: address),
        theme: theme == before.theme(for: address) ? nil : theme,
        isMouseOn: isMouseOn == (before.isMouseOn != false) || options.noMouse ? nil : isMouseOn,
        remark: (isSameProject ? nil : project?.notice)
          ?? .settingsReloaded(later: settings.laterWords(than: before))))
  }

  /// Returns a sentence with the name of a settings file in place of its path, to save space.
  private func inShort(_ sentence: String) -> String {
    let sentence = Folders.inShort(sentence)
    return projectFolder.map { sentence.replacing($0 + "/", with: "") } ?? sentence
  }
}

extension ExplorerSettings {
  /// Creates the settings of the screen; options take precedence.
  init(_ settings: Settings, _ options: ScreenChoices) {
    self.init(
      keymap: settings.keymap, commands: settings.customCommands,
      usesVi: settings.usesVi == true, reducesMotion: options.reducesMotion(settings),
      isScreenReader: options.isForScreenReader(settings), isASCII: options.usesASCII(settings),
      folder: TypedPaths.currentFolder, file: Folders().map(SettingsFile.path) ?? "")
  }
}

extension Settings {
  /// Returns the theme for a store; nil if none is set.
  func theme(for address: String) -> String? {
    projectTheme ?? look(of: address)?.theme ?? theme
  }

  /// Returns the label of a store in the header; nil if none is set.
  func label(for address: String) -> String? { label ?? look(of: address)?.label }

  /// Returns the end of a notice, with the changed settings that need a restart. Empty if no
  /// changed setting needs a restart.
  fileprivate func laterWords(than before: Settings) -> String {
    let later = [
      (color != before.color, "color"),
      (queries != before.queries, "queries"), (columns != before.columns, "columns"),
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
