import Explorer
import Ncurses
import Notebooks
import TerminalUI

/// The settings of `config.toml`:
///
///     theme = "nord"          # as --theme
///     store = "~/plan.sonde"  # the store to open by default
///     color = "256"           # as --color
///     ascii = true            # as --ascii
///     mouse = false           # as --no-mouse
///     screen-reader = true    # as --screen-reader
///     reduced-motion = true   # as --reduced-motion
///     vi-keys = true          # vi keys for editing lines
///     [stores."wss://*"]      # appearance of the stores at these addresses
///     [keys]                  # a command and its key or keys
///     page-down = ["pagedown", "space"]
///     [[command]]             # a command of the user; see `CommandSettings`
struct Settings: Equatable {
  var theme: String?
  var store: String?
  var color: ColorDepth?
  var isASCII: Bool?
  var isMouseOn: Bool?
  var isForScreenReader: Bool?
  var reducesMotion: Bool?
  var usesVi: Bool?
  var keys: [Command: [Key]] = [:]
  var stores: [StoreAppearance] = []
  var commands: [CustomCommand] = []
  /// The settings file of the project.
  var project: ProjectFile?
  /// The theme that the project sets; nil if the project sets no theme.
  var projectTheme: String?
  /// The label that the project sets for the header; nil if the project sets no label.
  var label: String?
  /// The saved queries of the project.
  var queries: [SavedQuery] = []
  /// The project's column settings, by namespace.
  var columns: [String: ColumnSettings] = [:]

  var keymap: Keymap { keys.isEmpty ? .standard : Keymap.standard.changed(keys) }

  /// The path of the store, with a `~` at the start replaced by the home folder.
  var storePath: String? {
    guard let store, store.hasPrefix("~/"), let home = Folders.variable("HOME") else {
      return store
    }
    return home + store.dropFirst()
  }

  /// What lists all errors in the settings files.
  static let list = "'sonde doctor' lists them"

  static let names = [
    "theme", "store", "color", "ascii", "mouse", "screen-reader", "reduced-motion", "vi-keys",
    "keys", "stores", "command",
  ]
}

/// An error in a settings file. The invalid setting is ignored.
struct SettingsWarning: Equatable {
  let file: String
  let line: Int
  let reason: String

  var message: String { "\(file), line \(line): \(reason)" }

  static func noKey(_ name: String) -> String {
    "'\(name)' is not a key. Keys have names such as x, ctrl-x, alt-x, f5, page-down, space and enter."
  }
}

extension Settings {
  /// Parses a settings file. Returns its valid settings, and warnings about the invalid ones in
  /// the order of their lines.
  ///
  /// - Parameters:
  ///   - file: The name of the file for the warnings.
  ///   - project: The project's folder, if this is a project's file; nil for the user's file.
  ///   - keys: The user's key bindings, which a project's commands must not use.
  static func read(
    _ text: String, file: String, project: String? = nil, keys: [Command: [Key]] = [:]
  ) -> (Settings, [SettingsWarning]) {
    let table: TOMLTable
    do throws(TOMLError) {
      table = try TOMLTable(toml: text)
    } catch {
      let reason = "\(error.reason). The whole file is ignored."
      return (Settings(), [SettingsWarning(file: file, line: error.line, reason: reason)])
    }
    var reader = SettingsReader(table: table, file: file, project: project)
    reader.settings.keys = keys
    for key in table.keys where key != "command" {
      if let value = table[key] { reader.apply(value, under: key) }
    }
    // Commands come last, because their keys are compared with the keys of the keymap.
    if let value = table["command"] { reader.apply(value, under: "command") }
    return (reader.settings, reader.warnings.sorted { $0.line < $1.line })
  }
}

private struct SettingsReader {
  let table: TOMLTable
  let file: String
  /// The project's folder, if this is a project's file; nil for the user's file.
  let project: String?
  var settings = Settings()
  var warnings: [SettingsWarning] = []

  mutating func apply(_ value: TOMLValue, under key: String) {
    if project != nil, !Settings.projectNames.contains(key) { return refuse(key) }
    switch key {
    case "label" where project != nil: settings.label = text(value, key)
    case "queries" where project != nil: parseQueries(value)
    case "columns" where project != nil: parseColumns(value)
    case "theme": settings.theme = text(value, key)
    case "store": settings.store = text(value, key)
    case "color":
      guard let word = text(value, key) else { return }
      settings.color = ColorDepth(argument: word)
      if settings.color == nil {
        warn(key, "'color' must be 'never', '8', '16', '256' or 'truecolor', not '\(word)'.")
      }
    case "ascii": settings.isASCII = flag(value, key)
    case "mouse": settings.isMouseOn = flag(value, key)
    case "screen-reader": settings.isForScreenReader = flag(value, key)
    case "reduced-motion": settings.reducesMotion = flag(value, key)
    case "vi-keys": settings.usesVi = flag(value, key)
    case "command": parseCommands(value)
    case "keys":
      guard let table = value.table else {
        return warn(key, "'keys' must be a TOML table that begins with [keys].")
      }
      for name in table.keys {
        if let value = table[name] { parseKeys(value, of: name) }
      }
    case "stores":
      guard let table = value.table else {
        return warn(key, "'stores' must be a TOML table that begins with [stores.\"ADDRESS\"].")
      }
      for addresses in table.keys.sorted() {
        if let value = table[addresses] { parseAppearance(value, of: addresses) }
      }
    default:
      let hint = NearestWord.find(key, among: Settings.names).map { "Did you mean '\($0)'?" }
      let known = "The settings are \(Settings.names.joined(separator: ", "))."
      warn(key, "unknown setting '\(key)'. " + (hint ?? known))
    }
  }

  /// Reports a setting that a project cannot have.
  private mutating func refuse(_ key: String) {
    if Settings.names.contains(key) {
      return warn(
        key, "'\(key)' is a user setting, not a project setting. Set it in config.toml.")
    }
    let hint = NearestWord.find(key, among: Settings.projectNames).map { "Did you mean '\($0)'?" }
    let known = "The project settings are \(Settings.projectNames.joined(separator: ", "))."
    warn(key, "unknown setting '\(key)'. " + (hint ?? known))
  }

  private mutating func parseQueries(_ value: TOMLValue) {
    guard let table = value.table else {
      return warn("queries", "'queries' must be a TOML table that begins with [queries].")
    }
    for name in table.keys {
      guard let value = table[name], let text = text(value, name, in: ["queries"]) else { continue }
      settings.queries.append(SavedQuery(name: name, store: "", text: text))
    }
  }

  private mutating func parseColumns(_ value: TOMLValue) {
    guard let table = value.table else {
      return warn("columns", "'columns' must be a TOML table that begins with [columns.NAMESPACE].")
    }
    for namespace in table.keys {
      let section = ["columns", namespace]
      guard let lists = table[namespace]?.table else {
        warn(
          namespace, "'\(namespace)' must be a TOML table with the keys \(Self.columnLists).",
          in: ["columns"])
        continue
      }
      var columns = ColumnSettings()
      for key in lists.keys {
        let names = lists[key]?.array.map { $0.compactMap(\.text) }
        guard let names, names.count == lists[key]?.array?.count else {
          warn(key, "'\(key)' must be a list of names in quotes.", in: section)
          continue
        }
        switch key {
        case "order": columns.order = names
        case "hidden": columns.hidden = names
        case "frozen": columns.frozen = names
        default:
          warn(
            key, "unknown setting '\(key)'. The settings for columns are \(Self.columnLists).",
            in: section)
        }
      }
      settings.columns[namespace] = columns
    }
  }

  private static let columnLists = "'order', 'hidden' and 'frozen'"

  private mutating func parseAppearance(_ value: TOMLValue, of addresses: String) {
    guard let table = value.table else {
      return warn(
        addresses, "'\(addresses)' must be a TOML table with the keys 'theme' and 'label'.",
        in: ["stores"])
    }
    var look = StoreAppearance(addresses: addresses)
    let section = ["stores", addresses]
    for key in table.keys {
      guard let value = table[key] else { continue }
      switch key {
      case "theme": look.theme = text(value, key, in: section)
      case "label": look.label = text(value, key, in: section)
      default:
        let hint = NearestWord.find(key, among: StoreAppearance.names).map {
          "Did you mean '\($0)'?"
        }
        let known = "The settings are \(StoreAppearance.names.joined(separator: ", "))."
        warn(key, "unknown setting '\(key)' of a store. " + (hint ?? known), in: section)
      }
    }
    settings.stores.append(look)
  }

  private mutating func parseCommands(_ value: TOMLValue) {
    guard let tables = value.array?.compactMap(\.table), tables.count == value.array?.count else {
      return warn("command", "a command must be a TOML table that begins with [[command]].")
    }
    var lines: [Int] = []
    for table in tables {
      var faults: [CommandSettings.Fault] = []
      let command = CommandSettings(table: table, project: project).command(faults: &faults)
      for fault in faults { warn(line: fault.line, fault.reason) }
      guard var command else { continue }
      if let reason = settings.conflict(of: command, lines: lines) {
        // The command loses its key, but stays in the list of commands.
        command.key = nil
        warn(line: table.line(of: ["key"]), reason)
      }
      settings.commands.append(command)
      lines.append(table.line)
    }
  }

  private mutating func parseKeys(_ value: TOMLValue, of name: String) {
    guard let command = Command(named: name) else {
      let hint = NearestWord.find(name, among: Command.allCases.map(\.name))
        .map { "Did you mean '\($0)'?" }
      return warn(
        name, "unknown command '\(name)'. " + (hint ?? "'sonde keys' lists the commands."),
        in: ["keys"])
    }
    let names = value.text.map { [$0] } ?? value.array.map { $0.compactMap(\.text) }
    guard let names, names.count == value.array?.count ?? 1 else {
      return warn(name, "'\(name)' must be a key in quotes, or a list of such keys.", in: ["keys"])
    }
    var keys: [Key] = []
    for spelling in names {
      guard let key = Key(named: spelling) else {
        return warn(name, SettingsWarning.noKey(spelling), in: ["keys"])
      }
      keys.append(key)
    }
    let free = keys.filter { isFree($0, for: command, called: name) }
    // A command keeps its default keys if other commands use all of its new keys.
    if keys.isEmpty || !free.isEmpty { settings.keys[command] = free }
  }

  /// Returns whether `key` is free: no earlier command in the file uses it in the same panes.
  /// Otherwise records a warning.
  private mutating func isFree(_ key: Key, for command: Command, called name: String) -> Bool {
    let other = settings.keys.first {
      $0.key != command && $0.value.contains(key)
        && Keymap.standard.commandsOverlap($0.key, command)
    }
    guard let other = other?.key.name else { return true }
    warn(
      name,
      "'\(key.name)' is already used for '\(other)' on line \(table.line(of: ["keys", other])). "
        + "Choose another key for '\(name)'.", in: ["keys"])
    return false
  }

  private mutating func text(
    _ value: TOMLValue, _ key: String, in section: [String] = []
  ) -> String? {
    if value.text == nil { warn(key, "'\(key)' must be a string in quotes.", in: section) }
    return value.text
  }

  private mutating func flag(_ value: TOMLValue, _ key: String) -> Bool? {
    if value.boolean == nil { warn(key, "'\(key)' must be true or false.") }
    return value.boolean
  }

  private mutating func warn(_ key: String, _ reason: String, in section: [String] = []) {
    warn(line: table.line(of: section + [key]), reason)
  }

  private mutating func warn(line: Int, _ reason: String) {
    warnings.append(SettingsWarning(file: file, line: line, reason: reason))
  }
}
