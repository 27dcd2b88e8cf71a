import CTerminal
import DataSources
import Dispatch
import Explorer
import InstaQL
import LiveQueries
import Ncurses
import Notebooks
import Stores
import TerminalUI
import Triples

/// A session of the explorer in a terminal: its stores, its appearance and its loop.
struct ExplorerSession {
  private let query: String
  /// The store to open instead if the query is not a namespace of the first store.
  private let named: StoreListing?
  /// The advice if the query is a word that names neither a namespace nor a store.
  private let advice: String?
  private let options: ScreenChoices
  private let color: ColorDepth?
  /// The settings of the user. A store's project may override some of them.
  private let settings: Settings
  private let themes = Themes()
  /// The themes to start with: from the command line, the settings, the last session or the
  /// default.
  private let chosen: Themes.Pair
  /// The path of the settings file; nil if there is none.
  private let settingsPath: String?
  /// A notice to show when the session begins.
  private let notice: Notice?

  /// A function that opens a store from the list of stores.
  typealias Opening = (StoreListing) throws(Failure) -> ExploredStore

  /// Prepares a session.
  ///
  /// - Parameters:
  ///   - query: The initial query of the first store as text; empty for the first namespace.
  ///   - named: The store to open instead if the query is not a namespace of the first store.
  ///   - advice: The advice if the query is a word that names neither.
  init(
    query: String = "", orStore named: StoreListing? = nil, advice: String? = nil,
    options: ScreenChoices, color: ColorDepth?, settings file: SettingsFile
  ) throws(Failure) {
    self.query = query
    self.named = named
    self.advice = advice
    self.options = options
    self.color = color
    settings = file.settings
    settingsPath = file.path
    var warning: String?
    if let theme = options.theme {
      chosen = try themes.pair(theme)
    } else if let theme = file.settings.theme {
      (chosen, warning) = Self.pair(theme, in: themes, file)
    } else if let remembered = Self.rememberedTheme(), themes.names.contains(remembered) {
      chosen = Themes.Pair(dark: remembered, light: remembered)
    } else {
      chosen = .standard
    }
    notice = (file.warnings + [warning].compactMap(\.self)).summary(Settings.list)
      .map { Notice($0) }
  }

  /// Returns the themes for a name in the settings; for an unknown name, the default themes and a
  /// warning.
  private static func pair(
    _ name: String, in themes: Themes, _ file: SettingsFile
  ) -> (Themes.Pair, warning: String?) {
    do throws(Failure) {
      return (try themes.pair(name), nil)
    } catch {
      return (.standard, "\(file.path ?? ""): \(error.message)")
    }
  }

  /// Shows stores until the user quits.
  ///
  /// - Parameters:
  ///   - stores: The stores, at least one; the first is in front.
  ///   - opening: Opens other stores.
  ///   - isShown: Called after the first frame.
  func run(
    _ stores: [ExploredStore], opening: @escaping Opening, isShown: () -> Void = {}
  ) throws(Failure) {
    var (end, loop) = try show(stores, opening, isShown)
    let isSettled = loop.finishChanges(within: StoreConnection.changesTimeout) {
      StandardError.write("sonde: " + $0)
    }
    loop.disconnect(within: StoreConnection.serverTimeout)
    ct_leave_quickly()
    switch end {
    case .quit(ExitStatus.success): if !isSettled { ExitStatus.end(ExitStatus.invalidQuery) }
    case .quit(let status): ExitStatus.end(status)
    case .failed(let reason): throw Failure(message: reason, status: ExitStatus.store)
    }
  }

  /// Asks the user which demo to open.
  func chooseDemo() throws(Failure) -> DemoChooser.Outcome {
    try DemoChooser.ask(
      terminalOptions(title: "demos"), ExplorerSettings(settings, options)
    ) { show($1, in: chosen, on: $0, nil) ?? theme(of: chosen, on: $0, nil) }
  }

  private func terminalOptions(title: String) -> NcursesTerminal.Options {
    NcursesTerminal.Options(
      colors: color ?? settings.color,
      isMouseOn: !options.noMouse && settings.isMouseOn != false
        && !options.isForScreenReader(settings),
      usesPlainDrawings: options.usesASCII(settings), title: "sonde " + title)
  }

  private func show(
    _ stores: [ExploredStore], _ opening: @escaping Opening, _ isShown: () -> Void
  ) throws(Failure) -> (EventLoop.End, EventLoop) {
    let stores = stores.map { ConfiguredStore($0, user: settings) }
    do {
      return try NcursesTerminal.open(terminalOptions(title: stores[0].listing.name)) { terminal in
        let mailboxes = stores.map { _ in Mailbox(waker: terminal.waker) }
        if let notice = notice { mailboxes[0].post(.notice(notice.aboveHints)) }
        let workspaces = stores.enumerated().map { place, store in
          workspace(
            of: store, size: terminal.size,
            startup: place > 0 || query.isEmpty
              ? startup() : startup(query: query, orStore: named))
        }
        let own = ownTheme(of: stores[0], mailboxes[0])
        // The first frame is drawn before loading, which occupies all cores and the memory.
        let early = show(workspaces[0].view(), in: own ?? chosen, on: terminal, mailboxes[0])
        // Sessions are restored before stores are loaded, because loading keeps every thread busy.
        // Keys are queued until the session is restored.
        let notebook = Task { [mailbox = mailboxes[0]] in await Self.notebook(telling: mailbox) }
        let followers = Followers()
        defer { followers.cancelAll() }
        func connect(_ store: ConfiguredStore, _ mailbox: Mailbox, _ theme: Theme?) -> OpenStore {
          StoreConnection(
            store: store, mailbox: mailbox, notebook: store.notebook(notebook), options: options,
            followers: followers
          ).start(theme: theme, themes: choice(for: store, on: terminal))
        }
        for (store, mailbox) in zip(stores, mailboxes) { greet(store, notebook, mailbox) }
        isShown()
        let theme = early ?? theme(of: own ?? chosen, on: terminal, mailboxes[0])
        let starts = stores.indices.map { place in
          let ownTheme =
            place == 0
            ? own.map { _ in theme }
            : self.theme(ownBy: stores[place], on: terminal, mailboxes[place])
          return (workspaces[place], connect(stores[place], mailboxes[place], ownTheme))
        }
        let shared = own == nil ? theme : self.theme(of: chosen, on: terminal, mailboxes[0])
        var loop = EventLoop(starts, terminal: terminal, theme: shared) { listing, size in
          do throws(Failure) {
            let store = ConfiguredStore(try opening(listing), user: settings)
            let mailbox = Mailbox(waker: terminal.waker)
            greet(store, notebook, mailbox)
            let theme = self.theme(ownBy: store, on: terminal, mailbox)
            return .success(
              (workspace(of: store, size: size, startup: startup()), connect(store, mailbox, theme))
            )
          } catch {
            return .failure(OpeningFailure(reason: error.message))
          }
        }
        return (loop.run(), loop)
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }

  /// Returns the initial screen of a store.
  private func workspace(
    of configured: ConfiguredStore, size: Size, startup: StartupView
  ) -> Workspace {
    let (store, settings, listing) = (configured.store, configured.settings, configured.listing)
    return Workspace(
      StoreListing(
        address: StoreLocation.withoutPassword(listing.address), place: listing.place,
        name: listing.name),
      label: settings.label(for: listing.address),
      rules: ChangeRules(
        readOnlyReason: store.readOnlyReason, changeDetection: store.changeDetection,
        writing: store.writing, isSnapshot: store.isSnapshot, losesChanges: store.losesChanges),
      size: size, startup: startup, settings: ExplorerSettings(settings, options))
  }

  private func startup(query: String? = nil, orStore named: StoreListing? = nil) -> StartupView {
    StartupView(
      query: query, orStore: named, advice: advice, form: options.view, recalls: true)
  }

  /// Sends the store's notice and the saved state of its last session to its screen when they are
  /// available.
  private func greet(
    _ store: ConfiguredStore, _ notebook: Task<Notebook, Never>, _ mailbox: Mailbox
  ) {
    if let notice = store.notice { mailbox.post(.notice(notice.aboveHints)) }
    let (address, isFresh, notebook) = (
      StoreLocation.withoutPassword(store.listing.address), options.fresh,
      store.notebook(notebook)
    )
    Task {
      let notebook = await notebook.value
      // Errors of the notebook were already reported when it was opened.
      let view = isFresh ? nil : try? await notebook.lastView(of: address)
      let splits = try? await notebook.screen().splits
      let saved = try? await notebook.savedQueries(in: address)
      mailbox.post(
        .sessionRestored(
          RestoredSession(
            view: view ?? LastView(), splits: splits ?? [:], savedQueries: saved ?? [])))
    }
  }

  // MARK: Themes

  /// Returns the theme that the settings name for a store; nil if the settings name no theme.
  ///
  /// A wrong name is reported on the screen.
  private func ownTheme(of store: ConfiguredStore, _ mailbox: Mailbox) -> Themes.Pair? {
    guard options.theme == nil, let name = store.theme else { return nil }
    do throws(Failure) {
      return try themes.pair(name)
    } catch {
      let path = store.settings.projectTheme == nil ? settingsPath : store.project?.file.path
      mailbox.post(.notice(Notice("\(path ?? ""): \(error.message)").aboveHints))
      return nil
    }
  }

  private func theme(
    ownBy store: ConfiguredStore, on terminal: NcursesTerminal, _ mailbox: Mailbox
  ) -> Theme? {
    ownTheme(of: store, mailbox).map { theme(of: $0, on: terminal, mailbox) }
  }

  /// Draws the first frame, in the terminal's own colors if the theme depends on the terminal's
  /// background.
  ///
  /// - Returns: The theme; nil if it depends on the terminal's background.
  private func show(
    _ frame: Frame, in pair: Themes.Pair, on terminal: NcursesTerminal, _ mailbox: Mailbox?
  ) -> Theme? {
    guard let name = pair.name else {
      terminal.draw(frame, theme: .plain)
      return nil
    }
    let theme = theme(named: name, mailbox)
    terminal.draw(frame, theme: theme)
    return theme
  }

  /// Returns the theme of a pair that fits the terminal's background.
  private func theme(
    of pair: Themes.Pair, on terminal: NcursesTerminal, _ mailbox: Mailbox?
  ) -> Theme {
    theme(named: pair.name ?? pair.name(on: terminal.askAppearance()), mailbox)
  }

  /// Returns the theme with the given name. If its file is invalid, the error is reported on the
  /// screen.
  private func theme(named name: String, _ mailbox: Mailbox?) -> Theme {
    // If there is no theme file at all, a built-in theme is used.
    guard let (theme, warning) = try? themes.theme(name) else { return .plain }
    if let warning { mailbox?.post(.notice(Notice(warning).aboveHints)) }
    return theme
  }

  /// Returns the functions that read themes for a store while the explorer runs.
  private func choice(for store: ConfiguredStore, on terminal: NcursesTerminal) -> ThemeChoice {
    let named = { (name: String) -> ThemeReading in
      do throws(Failure) {
        let themes = Themes()
        let pair = try themes.pair(name)
        let (theme, warning) = try themes.theme(
          pair.name ?? pair.name(on: terminal.askAppearance()))
        return warning.map { .broken(Folders.inShort($0)) } ?? .theme(theme)
      } catch {
        return .broken(error.message)
      }
    }
    return ThemeChoice(
      named: named, all: { Themes().listings },
      lasting: store.settings.theme(for: store.listing.address) == nil
        ? nil : "it is kept only until you quit, because your settings name a theme")
  }

  /// Returns the theme that the user chose last; nil if there is none.
  private static func rememberedTheme() -> String? {
    guard let folders = Folders() else { return nil }
    // Errors of the notebook are reported when it is opened.
    return try? waiting { () async throws(Failure) in
      await NotebookFile(path: folders.state + "/notebook").screen().theme
    }
  }

  /// Returns the persisted user state. Without a home folder, the state is in memory.
  private static func notebook(telling mailbox: Mailbox) async -> Notebook {
    guard let folders = Folders() else { return .inMemory() }
    let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
    if let trouble { mailbox.post(.notice(Notice(trouble.description).aboveHints)) }
    return notebook
  }
}
