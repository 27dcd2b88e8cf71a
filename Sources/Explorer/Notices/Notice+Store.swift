// Notices about the store as a whole: loading, connection, live data and the session.
extension Notice {
  // MARK: Loading

  package static let loading = Notice("The store is still loading.")
  package static let emptyStore = Notice(
    "No namespaces yet. Import data: sonde import FILE --into NAME.sonde")
  package static let noSchema = Notice(
    "The server has not sent its schema yet.", .key(.callServer, "reconnect now"))
  /// The hints below the loading progress.
  package static let cancelLoading = Notice("", .key(.interrupt, "cancel"))

  // MARK: Several stores

  package static func openingStore(_ name: String) -> Notice { Notice("Opening \(name) …") }
  package static func storeOpened(_ name: String) -> Notice {
    Notice("\(name) is open.", .key(.stores, "go to it"))
  }
  package static func storeNotOpened(_ name: String, _ reason: String) -> Notice {
    .error("\(name) was not opened: \(reason)", .key(.stores, "open another"))
  }
  package static func tooManyStores(limit: Int) -> Notice {
    Notice("Too many open stores (limit \(limit)).", .key(.closeTab))
  }
  package static let storeClosed = Notice("This store was closed.", .key(.stores))
  /// Returns a notice about another open store, preceded by that store's name.
  package static func inOtherStore(_ name: String, _ notice: Notice) -> Notice {
    .error("\(name): \(notice.text)", .key(.stores, "go to it"))
  }

  // MARK: Connection

  package static let alreadyConnected = Notice("Already connected. The data is up to date.")
  /// Returns the notice that the shown data may be out of date, with the reason.
  package static func stale(_ reason: String, _ outlook: Notice?) -> Notice {
    .error(outlook.map { "\(reason): \($0.text)" } ?? reason, hints: outlook?.hints ?? [])
  }
  /// Returns the notice that another program blocks changes.
  package static func blocked(changes count: Int) -> Notice {
    Notice(
      NumberText.count(count, "change") + " blocked",
      .key(.interrupt, count == 1 ? "cancel it" : "cancel them"))
  }

  // MARK: Live data

  package static let paused = Notice("Live updates paused.", .key(.pause, "resume"))
  package static let comparing = Notice("Baseline set. Later results will be compared with it.")
  package static let cannotCompare = Notice(
    "Cannot set a baseline: the result is grouped, is a count or has too many rows.", .key(.limit),
    .key(.filterText))
  package static let moreRowsComing = Notice("More rows are loading.")
  /// Returns the notice that a query is still running.
  package static func running(seconds: Int64) -> Notice {
    Notice(
      seconds == 0 ? "running" : "running for \(NumberText.grouped(seconds)) s",
      .key(.interrupt, "cancel"))
  }
  /// Returns the notice that announces changed data in screen-reader mode.
  package static func change(_ sentence: String) -> Notice { Notice(sentence) }
  package static func changes(_ count: Int, last sentence: String) -> Notice {
    Notice("\(NumberText.grouped(count)) new changes. The last one: \(sentence)")
  }
  package static func changes(_ count: Int, among sentence: String) -> Notice {
    Notice("\(NumberText.grouped(count)) new changes, including: \(sentence)")
  }
  package static let unknownChanges = Notice("The data has changed.", .key(.changes))

  // MARK: Changes pane without lines

  package static func noChanges(inResultsUpTo rows: Int) -> Notice {
    Notice(
      "No changes in the results shown so far. Later changes will appear here with the "
        + "old and the new value if the query returns at most \(NumberText.grouped(rows)) rows.")
  }
  package static let comparingStores = Notice("The store was reloaded. Looking for changes …")
  package static let tooManyChanges = Notice(
    "Too many changes arrived at once to list. Later changes will appear here with the old and the "
      + "new value.")
  package static let noChanges = Notice(
    "No changes since the store was opened. Later changes will appear here with the old and the "
      + "new value.")
  package static let noChangesInNamespace = Notice(
    "No changes in this namespace since the store was opened.", .key(.form, "show more"))
  package static let nothingStaged = Notice(
    "No changes are staged or queued.", .key(.hold, "stage changes"))
  package static let nothingToCompare = Notice("There are no results to compare.")
  package static func resultTooLargeToCompare(maxRows: Int) -> Notice {
    Notice(
      "This result cannot be compared: it is grouped, is a count or has more than "
        + "\(NumberText.grouped(maxRows)) rows.", .key(.limit), .key(.filterText),
      .key(.form, "all changes"))
  }
  package static let noDifferences = Notice(
    "No differences from the baseline yet.", .key(.mark, "set a new baseline"))
  package static let noChangeSelected = Notice("No change selected.", .key(.form, "other changes"))
  package static func noLongerExists(_ name: String) -> Notice {
    Notice("\(name) no longer exists.", .key(.back))
  }

  // MARK: Live queries

  package static let noLiveQueries = Notice("No live queries.", .key(.cancel))
  package static let loadingLiveQueries = Notice("Loading the live queries …")
  package static let severalQueries = Notice(
    "These are several queries. The screen shows one at a time.", .key(.copy, "copy this query"))

  // MARK: Session and settings

  package static let sessionRestored = Notice(
    "The last session was restored. Start with --fresh to avoid this.", .key(.filterText))
  package static let sessionLost = Notice(
    "The last session was not restored: its query no longer matches the schema.",
    .key(.savedQueries))
  package static let settingsValid = Notice("Settings reloaded.", .key(.help))
  /// Returns the notice that the settings were reloaded.
  ///
  /// - Parameter later: The settings that need a restart.
  package static func settingsReloaded(later: String) -> Notice {
    Notice("Settings reloaded\(later).", .key(.help))
  }
  package static func settingsBroken(_ fault: String) -> Notice {
    Notice("\(fault.asSentence) Keeping the previous settings until the file is fixed.")
  }
  package static func settingChanged(_ name: String, isOn: Bool) -> Notice {
    Notice("\(name) = \(isOn) until you quit. Set it in config.toml to keep it.")
  }
  package static let motionAlwaysReduced = Notice("Screen-reader mode always reduces motion.")
  package static let noSettingsFile = Notice("No settings file: the home folder is unknown.")
  package static func notSaved(_ reason: String) -> Notice {
    Notice("Cannot save: \(reason.asSentence) The latest changes are kept only for this session.")
  }
  package static func cannotReadNotebook(_ reason: String) -> Notice {
    Notice("Cannot read the saved queries: \(reason)")
  }
  package static let keysInHelp = Notice("Screen-reader mode is on.", .key(.help, "keys"))
}
