import ArgumentParser
import DataSources
import Explorer
import InstaQL
import LiveQueries
import Ncurses
import Notebooks
import Stores
import TerminalUI
import Triples

/// `sonde [STORE] [QUERY]`: opens a store, a theme and the terminal, and runs the loop.
struct Browse: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse", abstract: "Look around in a store (the default).")

  @Argument(help: ArgumentHelp(StoreLocation.help))
  var store: String?

  @Argument(help: "The query to begin with; several words are joined by blanks.")
  var query: [String] = []

  @OptionGroup var access: AccessOptions

  @Option(help: "The theme's name, as `sonde themes` lists them; else one for the background.")
  var theme: String?

  @Option(help: "never, 8, 16, 256 or truecolor; else what the terminal can.")
  var color: ColorDepth?

  @Flag(help: "Draw lines and signs with ASCII.")
  var ascii = false

  @Flag(name: .customLong("no-mouse"), help: "Leave the mouse to the terminal.")
  var noMouse = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let file = SettingsFile()
    let settings = file.settings
    let address = store ?? settings.storePath ?? StoreLocation.standard
    let location = try StoreLocation(address)
    let query = query.joined(separator: " ")
    if !query.isEmpty { try checkSpelling(of: query) }
    let themes = Themes()
    var warnings = [file.warning].compactMap { $0 }
    let theme = try chosenTheme(settings, themes, &warnings)
    let access = access.access
    // The data is read while the terminal is being opened.
    let store = OpeningStore { try await location.open(access: access, progress: $0) }
    let view = View(
      address: address, name: location.name, query: query, theme: theme, themes: themes,
      settings: settings, notice: warnings.first)
    switch try show(store, view) {
    case .quit(ExitStatus.fine): break
    case .quit(let status): ExitStatus.end(status)
    case .failed(let reason): throw Failure(message: reason, status: ExitStatus.store)
    }
  }

  /// How the screen is opened.
  private struct View {
    let address: String
    let name: String
    let query: String
    let theme: Theme?
    let themes: Themes
    let settings: Settings
    /// What is to be said at once.
    let notice: String?
  }

  /// The theme of the command line or of the settings; nil leaves it to the terminal's background.
  private func chosenTheme(
    _ settings: Settings, _ themes: Themes, _ warnings: inout [String]
  ) throws(Failure) -> Theme? {
    if let theme {
      let (chosen, warning) = try themes.theme(theme)
      if let warning { warnings.append(warning) }
      return chosen
    }
    guard let name = settings.theme else { return nil }
    do throws(Failure) {
      let (chosen, warning) = try themes.theme(name)
      if let warning { warnings.append(warning) }
      return chosen
    } catch {
      // A name in a file does not keep the program from starting.
      warnings.append("config.toml: " + error.message)
      return nil
    }
  }

  /// Names are checked when the store is there; what is no query at all is told before anything opens.
  private func checkSpelling(of query: String) throws(Failure) {
    do throws(QueryError) {
      _ = try QueryDocument(text: query)
    } catch {
      throw Failure(error)
    }
  }

  private func show(
    _ store: any StoreDataSource, _ view: View
  ) throws(Failure) -> EventLoop.End {
    do {
      let settings = view.settings
      let options = NcursesTerminal.Options(
        colors: color ?? settings.color, isMouseOn: !noMouse && settings.isMouseOn != false,
        usesPlainDrawings: ascii || settings.isASCII == true, title: "sonde " + view.name,
        asksBackground: view.theme == nil)
      return try NcursesTerminal.open(options) { terminal in
        let mailbox = Mailbox(waker: terminal.waker)
        if let notice = view.notice { mailbox.post(.notice(notice)) }
        let theme = view.theme ?? Self.theme(for: terminal.appearance, in: view.themes, mailbox)
        let manager = QueryManager(store: store)
        let snapshots = Task { await Self.report(manager, to: mailbox) }
        defer { snapshots.cancel() }
        let notebook = Task { await Self.notebook(telling: mailbox) }
        var loop = EventLoop(
          terminal: terminal, mailbox: mailbox,
          runner: EffectRunner(
            manager: manager, notebook: { await notebook.value }, address: view.address,
            theme: theme
          ) { view.themes.theme(after: $0.name) })
        return loop.run(
          Model(
            storeName: view.name, address: view.address, size: terminal.size,
            query: view.query.isEmpty ? nil : view.query, keymap: settings.keymap))
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
  }

  /// The standard theme for a background; a broken file of that name is told on the screen.
  private static func theme(
    for appearance: Theme.Appearance?, in themes: Themes, _ mailbox: Mailbox
  ) -> Theme {
    let name = appearance == .light ? Themes.light : Themes.standard
    // Without such a file there is the built-in theme.
    guard let (theme, warning) = try? themes.theme(name) else { return .plain }
    if let warning { mailbox.post(.notice(warning)) }
    return theme
  }

  /// What is remembered from one run to the next; without a home, what is done in this one.
  private static func notebook(telling mailbox: Mailbox) async -> Notebook {
    guard let folders = Folders() else { return .inMemory() }
    let (notebook, trouble) = await NotebookFile(path: folders.state + "/notebook").open()
    if let trouble { mailbox.post(.notice(trouble.description)) }
    return notebook
  }

  /// Passes the store's snapshots on to the screen, until there are no more.
  private static func report(_ manager: QueryManager, to mailbox: Mailbox) async {
    do throws(DataSourceError) {
      for try await snapshot in manager.snapshots() { mailbox.post(.snapshot(snapshot)) }
    } catch {
      mailbox.post(.storeFailed(error.description))
    }
  }
}

extension ColorDepth: ExpressibleByArgument {
  public init?(argument: String) {
    self.init(rawValue: argument == "never" ? "none" : argument)
  }
}
