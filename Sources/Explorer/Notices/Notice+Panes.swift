package import TerminalUI

// Notices about panes, tabs and dividers, and about keys without effect.
extension Notice {
  // MARK: Keys

  /// Returns the notice that a key has no effect in a pane, with a key that helps there.
  package static func unusedKey(_ key: Key, in title: String, _ hint: KeyHint) -> Notice {
    Notice("\(key.name) does nothing in \(title).", hint)
  }
  package static func notAvailable(in title: String) -> Notice {
    Notice("This command is not available in \(title).", .key(.help))
  }
  package static func keysQueued(_ count: Int) -> Notice {
    Notice(
      "\(NumberText.count(count, "keystroke")) queued until the rows load.",
      .key(.cancel, "discard"))
  }
  package static let queueFull = Notice(
    "This key was ignored: too many keystrokes are queued until the rows load.",
    .key(.cancel, "discard them"))
  package static let queuedKeysDiscarded = Notice("Queued keystrokes discarded.")

  // MARK: Panes

  package static func alreadyOpen(_ title: String) -> Notice {
    Notice("\(title) is already open.", .key(.cancel))
  }
  package static let noMatch = Notice("No match.")
  package static func farMatch(_ text: String) -> Notice {
    Notice("No word begins with “\(text)”.", .key(.open, "run the first match"))
  }
  package static let alreadyWritable = Notice("This store can be changed.", .key(.edit))
  package static let nothingToOpen = Notice("Nothing to open here.", .key(.cancel))
  package static let unsavedInput = Notice(
    "Your input is not saved yet.", .key(.open, "save"), .key(.cancel, "discard"))

  // MARK: Tabs

  package static func tooManyTabs(limit: Int) -> Notice {
    Notice("Too many tabs (limit \(limit)).", .key(.closeTab))
  }
  package static func tabOpened(_ number: Int) -> Notice {
    Notice("Opened tab \(number).", .key(.previousTab), .key(.nextTab), .key(.closeTab))
  }
  package static let onlyTab = Notice("This is the only tab.", .key(.newTab))

  // MARK: Dividers

  package static func noDivider(behind title: String) -> Notice {
    Notice("\(title) covers the divider.", .key(.cancel, "close \(title)"))
  }
  package static let onePane = Notice(
    "No divider: one pane fills the screen.", .key(.zoom, "restore"))
  package static let windowTooNarrow = Notice(
    "No divider: the window is too narrow for panes side by side.")
  package static let dividerAtEnd = Notice(
    "Cannot move the divider further.", .key(.evenSplits, "reset"))
  package static let paneSizesReset = Notice("Pane sizes reset.")
  package static func zoomed(_ title: String) -> Notice {
    Notice("\(title) fills the screen.", .key(.zoom, "restore"))
  }

  // MARK: Themes

  package static let noOtherTheme = Notice("There is no other theme.")
  package static let noThemes = Notice("No theme files found (see 'sonde doctor').")
  package static func themeShown(_ name: String, lasting: String?) -> Notice {
    Notice("Theme \(name)\(lasting.map { ": \($0)" } ?? "").", .key(.themes, "all themes"))
  }
  package static func themeReloaded(_ name: String) -> Notice {
    Notice("Theme \(name) reloaded.", .key(.themes, "all themes"))
  }
  package static func themeBroken(_ reason: String) -> Notice {
    Notice(
      "\(reason.asSentence) Keeping the previous version until the file is fixed.",
      .key(.themes, "choose another"))
  }
  package static func themeUnavailable(_ reason: String) -> Notice {
    Notice(reason, .key(.themes, "choose another"))
  }

  // MARK: Mouse

  package static let mouseCaptured = Notice(
    "Mouse captured: it controls this program.", .key(.mouse, "release"))
  package static let mouseReleased = Notice(
    "Mouse released: it selects text in the terminal.", .key(.mouse, "capture"))
}
