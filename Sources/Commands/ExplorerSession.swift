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

/// A session of the explorer in a terminal: its store, its appearance and its loop.
struct ExplorerSession {
  private let address: String
  private let name: String
  /// The identity of the store; nil for a store that ends with the program.
  private let identity: String?
  private let query: String
  private let options: ScreenOptions
  private let color: ColorDepth?
  /// The settings of the user and of the project.
  private let settings: Settings
  private let project: ProjectSettings?
  private let themes = Themes()
  /// The theme from the command line, the settings, the last session or the default.
  private let chosen: Themes.Pair
  /// The reason why the store is read-only; nil if it is writable.
  private let readOnlyReason: String?
  /// The method by which changes of other programs are detected; nil if the store reports them.
  private let changeDetection: String?
  private let changeTarget: String?
  /// Whether to disconnect from a server when the session ends.
  private let isOfServer: Bool
  /// Whether the store is a copy that never changes.
  private let isSnapshot: Bool
  /// A notice to show when the session begins.
  private let notice: Notice?

  /// Prepares a session.
  ///
  /// - Parameters:
  ///   - address: The argument that opens the store again.
  ///   - project: The settings beside the data, which win over the user's.
  ///   - query: The initial query as text; empty for the first namespace.
  ///   - identity: The identity of the store; nil for a store that ends with the program.
  ///   - readOnlyReason: The reason why the store is read-only; nil if it is writable.
  ///   - changeDetection: How changes of other programs are detected; nil if the store reports
  ///     them.
  ///   - changeTarget: Where changes are kept if not in the store itself.
  ///   - isOfServer: Whether to disconnect from a server when the session ends.
  ///   - isSnapshot: Whether the store is a copy that never changes.
  init(
    address: String, name: String, query: String = "", options: ScreenOptions,
    color: ColorDepth?, settings file: SettingsFile, project: ProjectSettings? = nil,
    identity: String? = nil,
    readOnlyReason: String? = nil,
    changeDetection: String? = nil, changeTarget: String? = nil, isOfServer: Bool = false,
    isSnapshot: Bool = false
  ) throws(Failure) {
    self.address = address
    self.isOfServer = isOfServer
    self.isSnapshot = isSnapshot
    self.name = name
    self.identity = identity
    self.query = query
    self.options = options
    self.color = color
    self.readOnlyReason = readOnlyReason
    self.changeDetection = changeDetection
    self.changeTarget = changeTarget
    self.project = project
    settings = file.settings.overridden(by: project)
    var warning: String?
    if let theme = options.theme {
      chosen = try themes.pair(theme)
    } else if let theme = settings.theme(for: address) {
      do throws(Failure) {
        chosen = try themes.pair(theme)
      } catch {
        // An unknown theme in a settings file must not keep the program from starting.
        let path = settings.projectTheme == nil ? file.path : project?.file.path
        (chosen, warning) = (.standard, "\(path ?? ""): \(error.message)")
      }
    } else if let remembered = Self.rememberedTheme(), themes.names.contains(remembered) {
      chosen = Themes.Pair(dark: remembered, light: remembered)
    } else {
      chosen = .standard
    }
    notice = (file.warning ?? project?.warning ?? warning).map { Notice($0) } ?? project?.notice
  }

  /// Shows a store until the user quits.
  ///
  /// - Parameters:
  ///   - opening: The loading progress; nil for a store that is open already.
  ///   - remarks: Messages that arrive while the store is loading.
  ///   - isShown: Is called after the first frame.
  func run(
    _ store: any StoreDataSource, opening: AsyncStream<LoadingProgress>? = nil,
    saying remarks: AsyncStream<String>? = nil, isShown: () -> Void = {}
  ) throws(Failure) {
    var (end, loop) = try show(store, opening, remarks, isShown)
    let isSettled = finish(&loop, store)
    ct_leave_quickly()
    switch end {
    case .quit(ExitStatus.fine): if !isSettled { ExitStatus.end(ExitStatus.question) }
    case .quit(let status): ExitStatus.end(status)
    case .failed(let reason): throw Failure(message: reason, status: ExitStatus.store)
    }
  }

  /// Asks the user which demo to open.
  func chooseDemo() throws(Failure) -> DemoChooser.Outcome {
    try DemoChooser.ask(
      terminalOptions(title: "demos"), isScreenReader: options.isForScreenReader(settings)
    ) { show($1, on: $0, nil) ?? theme(on: $0, nil) }
  }

  /// The delay before the loading progress is shown.
  private static let timeout = Duration.milliseconds(200)

  private func terminalOptions(title: String) -> NcursesTerminal.Options {
    NcursesTerminal.Options(
      colors: color ?? settings.color,
      isMouseOn: !options.noMouse && settings.isMouseOn != false
        && !options.isForScreenReader(settings),
      usesPlainDrawings: options.usesASCII(settings), title: "sonde " + title)
  }

  private func show(
    _ store: any StoreDataSource, _ opening: AsyncStream<LoadingProgress>?,
    _ remarks: AsyncStream<String>?, _ isShown: () -> Void
  ) throws(Failure) -> (EventLoop.End, EventLoop) {
    do {
      return try NcursesTerminal.open(terminalOptions(title: name)) { terminal in
        let mailbox = Mailbox(waker: terminal.waker)
        if let notice = notice { mailbox.post(.notice(notice)) }
        let model = Model(
          storeName: name, address: address, size: terminal.size,
          query: query.isEmpty ? nil : query, form: options.view, keymap: settings.keymap,
          readOnlyReason: readOnlyReason, changeDetection: changeDetection,
          changeTarget: changeTarget,
          reducesMotion: options.reducesMotion(settings),
          isScreenReader: options.isForScreenReader(settings), usesVi: settings.usesVi == true,
          label: settings.label(for: address), isSnapshot: isSnapshot,
          commands: settings.customCommands, recalls: true)
        // The first frame is drawn before loading, which occupies all cores and the memory.
        let early = show(model.view(), on: terminal, mailbox)
        // The session is restored before the store is loaded, because loading keeps every thread
        // busy. Keys are queued until then.
        let notebook = Task { [defaults = settings.projectDefaults] in
          var notebook = await Self.notebook(telling: mailbox)
          notebook.project = defaults
          return notebook
        }
        recall(from: notebook, to: mailbox)
        isShown()
        let changes = StagedStore(
          store, archive: archive, isReadOnly: readOnlyReason != nil)
        let manager = QueryManager(store: changes)
        let snapshots = Task { await Self.report(manager, to: mailbox) }
        // The progress is not shown for a store that loads quickly.
        let telling = Task {
          try await TimerClock().sleep(for: Self.timeout)
          mailbox.post(.opening(nil))
          guard let opening else { return }
          for await progress in opening { mailbox.post(.opening(progress)) }
        }
        let saying = Task {
          guard let remarks else { return }
          for await remark in remarks { mailbox.post(.notice(Notice(remark))) }
        }
        let following = Task { [settings, project, options, address] in
          var following = SettingsWatcher(
            settings, project: project, options: options, address: address, telling: mailbox)
          await following.run()
        }
        defer {
          snapshots.cancel()
          telling.cancel()
          saying.cancel()
          following.cancel()
        }
        let theme = early ?? theme(on: terminal, mailbox)
        var loop = EventLoop(
          model, terminal: terminal, mailbox: mailbox,
          runner: EffectRunner(
            manager: manager, changes: changes, notebook: { await notebook.value },
            address: address,
            exporter: FileExporter(),
            programs: PagerAndEditor(), callServer: { await store.reconnect() }, theme: theme,
            themes: choice(on: terminal)))
        return (loop.run(), loop)
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }

  /// The archive of staged changes; nil for a store that ends with the program.
  private var archive: StagedArchive? {
    guard let identity, let folders = Folders() else { return nil }
    return StagedArchive(folder: folders.state, store: identity)
  }

  /// Sends the restored session to the screen, even if it arrives late.
  private func recall(from notebook: Task<Notebook, Never>, to mailbox: Mailbox) {
    let (address, isFresh) = (address, options.fresh)
    Task {
      let notebook = await notebook.value
      // Errors of the notebook were already reported when it was opened.
      let view = isFresh ? nil : try? await notebook.lastView(of: address)
      let splits = try? await notebook.screen().splits
      mailbox.post(
        .sessionRestored(RestoredSession(view: view ?? LastView(), splits: splits ?? [:])))
    }
  }

  /// The maximum time that pending changes delay the exit.
  ///
  /// It is longer than a store waits for a lock, so that the store still reports the result.
  private static let changesTimeout = DispatchTimeInterval.seconds(12)
  /// The maximum time that pending changes delay the exit with a server. The rest is sent in a
  /// later session.
  private static let serverTimeout = DispatchTimeInterval.seconds(2)

  /// Waits for changes and writes of the session. The terminal is already restored.
  ///
  /// - Returns: Whether all changes are committed.
  private func finish(_ loop: inout EventLoop, _ store: any StoreDataSource) -> Bool {
    let isSettled = loop.finishChanges(
      within: isOfServer ? Self.serverTimeout : Self.changesTimeout
    ) { StandardError.write("sonde: " + $0) }
    if isOfServer {
      _ = Task { await store.disconnect() }.wait(until: .now() + Self.serverTimeout)
    }
    return isSettled
  }

  /// Draws the first frame. If the theme depends on the terminal's background, the frame has the
  /// terminal's own colors.
  ///
  /// - Returns: The theme; nil if it depends on the terminal's background.
  private func show(
    _ frame: Frame, on terminal: NcursesTerminal, _ mailbox: Mailbox?
  ) -> Theme? {
    guard let name = chosen.name else {
      terminal.draw(frame, theme: .plain)
      return nil
    }
    let theme = theme(named: name, mailbox)
    terminal.draw(frame, theme: theme)
    return theme
  }

  /// Returns the theme that fits the terminal's background.
  private func theme(on terminal: NcursesTerminal, _ mailbox: Mailbox?) -> Theme {
    theme(named: chosen.name(on: terminal.askAppearance()), mailbox)
  }

  /// Returns the theme with the given name. If its file is invalid, the error is reported on the
  /// screen.
  private func theme(named name: String, _ mailbox: Mailbox?) -> Theme {
    // If there is no theme file at all, a built-in theme is used.
    guard let (theme, warning) = try? themes.theme(name) else { return .plain }
    if let warning { mailbox?.post(.notice(Notice(warning))) }
    return theme
  }

  /// Returns the source of themes. It reads their folders on demand.
  private func choice(on terminal: NcursesTerminal) -> ThemeChoice {
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
      after: { Themes().theme(after: $0.name) }, named: named, all: { Themes().listings },
      lasting: settings.theme(for: address) == nil
        ? nil : "until you quit, because your settings name a theme")
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
    if let trouble { mailbox.post(.notice(Notice(trouble.description))) }
    return notebook
  }

  /// Posts the store's snapshots to the screen.
  private static func report(_ manager: QueryManager, to mailbox: Mailbox) async {
    do throws(DataSourceError) {
      for try await snapshot in manager.snapshots() {
        mailbox.post(.serverAway(ReconnectStatus(snapshot.freshness)))
        mailbox.post(.snapshot(snapshot))
      }
    } catch {
      mailbox.post(.storeFailed(error.description))
    }
  }
}
