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
  var store: String = StoreLocation.standard

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
    let location = try StoreLocation(store)
    let query = query.joined(separator: " ")
    if !query.isEmpty { try checkSpelling(of: query) }
    let themes = Themes()
    let theme = try themes.theme(theme ?? Themes.standard)
    // The data is read while the terminal is being opened.
    let access = access.access
    let store = OpeningStore { try await location.open(access: access, progress: $0) }
    switch try show(store, named: location.name, query: query, theme: theme, themes: themes) {
    case .quit(ExitStatus.fine): break
    case .quit(let status): ExitStatus.end(status)
    case .failed(let reason): throw Failure(message: reason, status: ExitStatus.store)
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
    _ store: any StoreDataSource, named name: String, query: String, theme: Theme,
    themes: Themes
  ) throws(Failure) -> EventLoop.End {
    do {
      let options = NcursesTerminal.Options(
        colors: color, isMouseOn: !noMouse, usesPlainDrawings: ascii, title: "sonde " + name,
        asksBackground: self.theme == nil)
      return try NcursesTerminal.open(options) { terminal in
        var theme = theme
        if self.theme == nil, terminal.appearance == .light {
          // A broken file of that name leaves the standard theme, which can be read as well.
          theme = (try? themes.theme(Themes.light)) ?? theme
        }
        let mailbox = Mailbox(waker: terminal.waker)
        let manager = QueryManager(store: store)
        let snapshots = Task { await Self.report(manager, to: mailbox) }
        defer { snapshots.cancel() }
        let notebook = Task { await Self.notebook(telling: mailbox) }
        var loop = EventLoop(
          terminal: terminal, mailbox: mailbox,
          runner: EffectRunner(
            manager: manager, notebook: { await notebook.value }, address: self.store, theme: theme
          ) { themes.theme(after: $0.name) })
        return loop.run(
          Model(
            storeName: name, address: self.store, size: terminal.size,
            query: query.isEmpty ? nil : query))
      }
    } catch let error as TerminalError {
      throw Failure(message: error.message, status: ExitStatus.usage)
    } catch {
      throw Failure(message: "\(error)", status: ExitStatus.usage)
    }
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
