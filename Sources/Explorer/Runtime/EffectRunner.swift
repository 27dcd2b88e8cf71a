import DataSources
import InstaQL
package import LiveQueries
package import Notebooks
package import TerminalUI
import Triples

/// Performs effects and turns what comes of them into events.
package struct EffectRunner {
  private let manager: QueryManager
  private var sessionWriter: SessionWriter
  private let themes: ThemeChoice
  private var look: Look
  private let callServer: @Sendable () async -> Void
  private var requests: RequestRunner
  private let programs: (any OutsidePrograms)?
  private(set) var changes: ChangeQueue
  private var watches: [WatchToken: Task<Void, Never>] = [:]
  /// Tells which queries are watched, while the screen wishes to know.
  private var listing: Task<Void, Never>?

  /// - Parameters:
  ///   - notebook: What is remembered from one run to the next, when it is open.
  ///   - address: The store's, as the notebook knows it.
  ///   - identity: What tells the store from all others; nil of one that ends with the program.
  ///   - exporter: What writes files; nil writes none.
  ///   - programs: The pager and the editor; nil when there are none.
  ///   - callServer: Calls the server behind the store at once, if there is one.
  ///   - theme: The one to begin with.
  ///   - themes: Where others come from.
  package init(
    manager: QueryManager, notebook: @escaping @Sendable () async -> Notebook = { .inMemory() },
    address: String = "", identity: String? = nil, exporter: (any Exporter)? = nil,
    programs: (any OutsidePrograms)? = nil, callServer: @escaping @Sendable () async -> Void = {},
    theme: Theme, themes: ThemeChoice = ThemeChoice()
  ) {
    self.manager = manager
    changes = ChangeQueue(manager)
    sessionWriter = SessionWriter(notebook, address: address, identity: identity)
    requests = RequestRunner(
      manager: manager, exporter: exporter, programs: programs, themes: themes)
    self.programs = programs
    self.callServer = callServer
    look = Look(theme)
    self.themes = themes
  }

  /// The last write into the notebook, which waits for those before it.
  var writing: Task<Void, Never>? { sessionWriter.writing }

  /// The theme that is shown.
  var theme: Theme { look.theme }

  mutating func perform(_ effect: Effect, terminal: any Terminal, mailbox: Mailbox) {
    switch effect {
    case .watch(let document, let token, let stretch):
      watch(document, token, stretch, mailbox: mailbox)
    case .stopWatching(let token): watches.removeValue(forKey: token)?.cancel()
    case .copy(let text): copy(text, terminal: terminal, mailbox: mailbox)
    case .save(let update): sessionWriter.save(update, mailbox: mailbox)
    case .request(let id, let request):
      requests.begin(
        id, request, sessionWriter: sessionWriter, keptTheme: look.kept.name, terminal: terminal,
        mailbox: mailbox)
    case .cancel(let id): requests.cancel(id)
    case .page(let text):
      if let trouble = programs?.page(text, on: terminal) {
        mailbox.post(.notice(.pagerFailed(trouble)))
      }
    case .giveUpChanges: changes.giveUp()
    case .listWatched(let isOn):
      listing?.cancel()
      listing = nil
      if isOn { listWatched(mailbox: mailbox) }
    case .toggleMouse: toggleMouse(of: terminal, mailbox: mailbox)
    case .transact(let transaction, let deed):
      changes.add(transaction, deed, mailbox: mailbox)
    case .theme(let change): show(change, mailbox: mailbox)
    case .mouse(let isOn): terminal.isMouseOn = isOn
    case .callServer:
      let callServer = callServer
      Task { await callServer() }
    case .suspend: terminal.suspend()
    case .redraw: terminal.redraw()
    case .quit, .fail: break
    }
  }

  private mutating func show(_ change: ThemeChange, mailbox: Mailbox) {
    switch change {
    case .next:
      if let next = themes.after(theme) { keep(next, mailbox: mailbox) }
    case .preview(let theme): look.preview(theme)
    case .keep(let theme): keep(theme, mailbox: mailbox)
    case .named(let name):
      if let trouble = look.choose(name, from: themes) {
        mailbox.post(.notice(.themeUnavailable(trouble)))
      }
    case .reread:
      if let notice = look.reread(themes) { mailbox.post(.notice(notice)) }
    }
  }

  private mutating func keep(_ theme: Theme, mailbox: Mailbox) {
    look.show(theme)
    mailbox.post(.notice(.themeShown(theme.name, lasting: themes.lasting)))
    sessionWriter.keep(theme: theme.name, mailbox: mailbox)
  }

  /// Forgets what a request that is answered needed.
  mutating func end(_ id: RequestID) { requests.end(id) }

  private func toggleMouse(of terminal: any Terminal, mailbox: Mailbox) {
    terminal.isMouseOn.toggle()
    mailbox.post(.notice(terminal.isMouseOn ? .mouseCaptured : .mouseReleased))
  }

  private mutating func listWatched(mailbox: Mailbox) {
    listing = Task { [manager] in
      var times = WatchedTimes()
      for await queries in await manager.watchedQueryLists() {
        guard !Task.isCancelled else { return }
        let now = LocalTime.text(of: WallClock().now)
        mailbox.post(.watched(times.lines(of: queries, at: now)))
      }
    }
  }

  private func copy(_ text: String, terminal: any Terminal, mailbox: Mailbox) {
    mailbox.post(
      .notice(
        terminal.copy(text)
          ? .copied(bytes: text.utf8.count)
          : .tooLongToCopy(limit: TerminalLimits.clipboardBytes)))
  }

  private mutating func watch(
    _ document: QueryDocument, _ token: WatchToken, _ stretch: AnswerView.Stretch,
    mailbox: Mailbox
  ) {
    let manager = manager
    watches[token] = Task {
      let subscription = await manager.subscribe(
        to: document, reach: .neighbours, stretch: stretch)
      for await result in subscription.results {
        guard !Task.isCancelled else { break }
        mailbox.post(.live(token, result))
      }
      await manager.unsubscribe(subscription.id)
    }
  }
}
