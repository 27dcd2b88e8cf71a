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

/// The explorer in a terminal: what it is called, how it looks, and the loop that runs it.
struct Screen {
  private let address: String
  private let name: String
  /// What tells the store from all others; nil of one that ends with the program.
  private let identity: String?
  private let query: String
  private let options: ScreenOptions
  private let color: ColorDepth?
  private let settings: Settings
  private let themes = Themes()
  /// Of the command line, of the settings, or the one shown last, or the standard one.
  private let chosen: Themes.Pair
  /// Why nothing can be changed; nil when it can.
  private let whyReadOnly: String?
  /// By what it is known that somebody else changed the store; nil where it tells by itself.
  private let howLive: String?
  private let whereChangesAre: String?
  /// Whether the store is a server's, to be hung up.
  private let isOfServer: Bool
  /// What is to be said at once.
  private let notice: String?

  /// - Parameters:
  ///   - address: What one types to open the store again.
  ///   - query: What to show first, as text; empty for the first namespace.
  ///   - identity: What tells the store from all others; nil of one that ends with the program.
  ///   - whyReadOnly: Why nothing can be changed; nil when it can.
  ///   - howLive: By what it is known that somebody else changed the store; nil where it tells.
  ///   - whereChangesAre: Where changes are kept when that is not the store itself.
  ///   - isOfServer: Whether the store is a server's, to be hung up.
  init(
    address: String, name: String, query: String = "", options: ScreenOptions,
    color: ColorDepth?, settings file: SettingsFile, identity: String? = nil,
    whyReadOnly: String? = nil,
    howLive: String? = nil, whereChangesAre: String? = nil, isOfServer: Bool = false
  ) throws(Failure) {
    self.address = address
    self.isOfServer = isOfServer
    self.name = name
    self.identity = identity
    self.query = query
    self.options = options
    self.color = color
    self.whyReadOnly = whyReadOnly
    self.howLive = howLive
    self.whereChangesAre = whereChangesAre
    settings = file.settings
    var warning: String?
    if let theme = options.theme {
      chosen = try themes.pair(theme)
    } else if let theme = file.settings.theme(for: address) {
      do throws(Failure) {
        chosen = try themes.pair(theme)
      } catch {
        // A name in a file does not keep the program from starting.
        (chosen, warning) = (.standard, "\(file.path ?? ""): \(error.message)")
      }
    } else if let remembered = Self.rememberedTheme(), themes.names.contains(remembered) {
      chosen = Themes.Pair(dark: remembered, light: remembered)
    } else {
      chosen = .standard
    }
    notice = file.warning ?? warning
  }

  /// Shows a store until somebody quits.
  ///
  /// - Parameters:
  ///   - opening: How far its opening has come; nil of a store that is open.
  ///   - remarks: What is told about the store while it is opened.
  ///   - isShown: Called when there is something to be seen.
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

  /// Asks which demo to open.
  func chooseDemo() throws(Failure) -> DemoChooser.Outcome {
    try DemoChooser.ask(
      terminalOptions(title: "demos"), isLinear: options.isForScreenReader(settings)
    ) { show($1, on: $0, nil) ?? theme(on: $0, nil) }
  }

  /// How long the opening of a store may take before anybody wonders.
  private static let patience = Duration.milliseconds(200)

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
        if let notice = notice { mailbox.post(.notice(Notice(notice))) }
        let model = Model(
          storeName: name, address: address, size: terminal.size,
          query: query.isEmpty ? nil : query, form: options.view, keymap: settings.keymap,
          whyReadOnly: whyReadOnly, howLive: howLive, whereChangesAre: whereChangesAre,
          reducesMotion: options.reducesMotion(settings),
          isLinear: options.isForScreenReader(settings), usesVi: settings.usesVi == true,
          label: settings.look(of: address)?.label, recalls: true)
        // Before anything else begins: what is loaded takes the cores and the memory of the machine.
        let early = show(model.view(), on: terminal, mailbox)
        // What is remembered comes before the store is opened, which keeps every thread busy: until it
        // is known, nothing that is typed counts.
        let notebook = Task { await Self.notebook(telling: mailbox) }
        recall(from: notebook, to: mailbox)
        isShown()
        let manager = QueryManager(store: store)
        let snapshots = Task { await Self.report(manager, to: mailbox) }
        // What is there in a moment needs no word of how far it has come.
        let telling = Task {
          try await AlarmClock().sleep(for: Self.patience)
          mailbox.post(.opening(nil))
          guard let opening else { return }
          for await progress in opening { mailbox.post(.opening(progress)) }
        }
        let saying = Task {
          guard let remarks else { return }
          for await remark in remarks { mailbox.post(.notice(Notice(remark))) }
        }
        let waiting = Task {
          for await reason in store.writeBlockers { mailbox.post(.obstruction(reason)) }
        }
        let following = Task { [settings, options, address] in
          var following = SettingsFollowing(
            settings, options: options, address: address, telling: mailbox)
          await following.run()
        }
        defer {
          snapshots.cancel()
          telling.cancel()
          saying.cancel()
          waiting.cancel()
          following.cancel()
        }
        let theme = early ?? theme(on: terminal, mailbox)
        var loop = EventLoop(
          model, terminal: terminal, mailbox: mailbox,
          runner: EffectRunner(
            manager: manager, notebook: { await notebook.value }, address: address,
            identity: identity,
            exporter: FileExporter(),
            programs: PersonsPrograms(), callServer: { await store.callServer() }, theme: theme,
            themes: choice(on: terminal)))
        return (loop.run(), loop)
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }

  /// Tells what is remembered of the store and the screen, however late.
  private func recall(from notebook: Task<Notebook, Never>, to mailbox: Mailbox) {
    let (address, identity, isFresh) = (address, identity, options.fresh)
    Task {
      let notebook = await notebook.value
      // What cannot be read was complained of when the notebook was opened.
      let view = isFresh ? nil : try? await notebook.lastView(of: address)
      let splits = try? await notebook.screen().splits
      var unsent: KeptChanges?
      if let identity {
        do throws(DataSourceError) {
          unsent = try await notebook.keptChanges(in: identity)
        } catch {
          mailbox.post(.notice(.stagedUnavailable(error.description)))
        }
      }
      mailbox.post(
        .recalled(
          Recollection(view: view ?? LastView(), splits: splits ?? [:], unsent: unsent)))
    }
  }

  /// How long changes may take to be made when somebody has quit: longer than a store waits for another
  /// program to let go of a file, so that it is the store that says what became of them.
  private static let patienceWithChanges = DispatchTimeInterval.seconds(12)
  /// The same of a server, which gets later what it does not get now.
  private static let patienceWithServer = DispatchTimeInterval.seconds(2)

  /// Lets what was changed and remembered last reach its place, now that the terminal is the shell's
  /// again.
  ///
  /// - Returns: Whether all changes are made.
  private func finish(_ loop: inout EventLoop, _ store: any StoreDataSource) -> Bool {
    let isSettled = loop.settle(
      within: isOfServer ? Self.patienceWithServer : Self.patienceWithChanges
    ) { StandardError.write("sonde: " + $0) }
    if isOfServer {
      _ = Task { await store.hangUp() }.wait(until: .now() + Self.patienceWithServer)
    }
    return isSettled
  }

  /// Shows the first frame. When the theme depends on the terminal's background, which takes time to
  /// be told, it is there to be seen in the terminal's own colours.
  ///
  /// - Returns: The theme; nil when the terminal is to be asked.
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

  /// The theme for the terminal's background.
  private func theme(on terminal: NcursesTerminal, _ mailbox: Mailbox?) -> Theme {
    theme(named: chosen.name(on: terminal.askAppearance()), mailbox)
  }

  /// A theme by its name; a broken file of it is told on the screen.
  private func theme(named name: String, _ mailbox: Mailbox?) -> Theme {
    // Without a file of the standard theme there is the built-in one.
    guard let (theme, warning) = try? themes.theme(name) else { return .plain }
    if let warning { mailbox?.post(.notice(Notice(warning))) }
    return theme
  }

  /// The themes as the folders are when one is asked for.
  private func choice(on terminal: NcursesTerminal) -> ThemeChoice {
    let named = { (name: String) -> ThemeChoice.Reading in
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
        ? nil : "until you quit, since your settings name the one to begin with")
  }

  /// The theme that somebody chose last on the screen.
  private static func rememberedTheme() -> String? {
    guard let folders = Folders() else { return nil }
    // What could fail is told when the notebook is opened.
    return try? waiting { () async throws(Failure) in
      await NotebookFile(path: folders.state + "/notebook").screen().theme
    }
  }

  /// What is remembered from one run to the next; without a home, what is done in this one.
  private static func notebook(telling mailbox: Mailbox) async -> Notebook {
    guard let folders = Folders() else { return .inMemory() }
    let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
    if let trouble { mailbox.post(.notice(Notice(trouble.description))) }
    return notebook
  }

  /// Passes the store's snapshots on to the screen, until there are no more.
  private static func report(_ manager: QueryManager, to mailbox: Mailbox) async {
    do throws(DataSourceError) {
      for try await snapshot in manager.snapshots() {
        mailbox.post(.serverAway(ServerAbsence(snapshot.freshness)))
        mailbox.post(.snapshot(snapshot))
      }
    } catch {
      mailbox.post(.storeFailed(error.description))
    }
  }
}
