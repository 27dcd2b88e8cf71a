import DataSources
import InstaQL
package import LiveQueries
import TerminalUI

/// Performs effects and posts their results as events.
package struct EffectRunner {
  let manager: QueryManager
  let mailbox: Mailbox
  private(set) var sessionWriter: SessionWriter
  let themes: ThemeChoice
  let surroundings: Surroundings
  let changes: StagedStore
  /// The tasks of the requests without a final response.
  var requests: [RequestID: Task<Void, Never>] = [:]
  /// The task of the last requested comparison. The next comparison starts when this task ends.
  var comparison: Task<Void, Never>?
  private var watches: [WatchToken: Task<Void, Never>] = [:]
  /// The task that reports the live queries while the screen lists them.
  private var listing: Task<Void, Never>?

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - changes: The store of `manager`, which applies and stages changes.
  ///   - mailbox: The queue to which the events are posted.
  ///   - session: Persists the user state.
  ///   - themes: The source of other themes.
  package init(
    manager: QueryManager, changes: StagedStore, mailbox: Mailbox,
    session: SessionWriter = SessionWriter(), surroundings: Surroundings = Surroundings(),
    themes: ThemeChoice = ThemeChoice()
  ) {
    self.manager = manager
    self.changes = changes
    self.mailbox = mailbox
    sessionWriter = session
    self.surroundings = surroundings
    self.themes = themes
  }

  /// The task of the last write to the notebook. It waits for earlier writes.
  var writing: Task<Void, Never>? { sessionWriter.writing }

  /// Performs an effect.
  ///
  /// - Parameter themeState: The theme on the screen.
  mutating func perform(
    _ effect: Effect, themeState: inout ThemeState, terminal: any Terminal
  ) {
    switch effect {
    case .watch(let document, let token, let window):
      watch(document, token, window)
    case .stopWatching(let token): watches.removeValue(forKey: token)?.cancel()
    case .copy(let text): copy(text, terminal: terminal)
    case .save(let update): sessionWriter.save(update, mailbox: mailbox)
    case .request(let id, let request):
      begin(id, request, keptTheme: themeState.kept.name, terminal: terminal)
    case .cancel(let id): requests.removeValue(forKey: id)?.cancel()
    case .page(let text):
      if let trouble = surroundings.programs?.page(text, on: terminal) {
        mailbox.post(.notice(.pagerFailed(trouble)))
      }
    case .run(let command, let file):
      if let notice = surroundings.programs?.run(command, reading: file, on: terminal) {
        mailbox.post(.notice(notice))
      }
    case .listWatched(let isOn):
      listing?.cancel()
      listing = nil
      if isOn { listWatched() }
    case .change(let command): mailbox.post(.changes(nil, changes.perform(command)))
    case .theme(let change): show(change, on: &themeState)
    case .mouse(let isOn?): terminal.isMouseOn = isOn
    case .mouse(nil): toggleMouse(of: terminal)
    case .callServer:
      Task { [surroundings] in await surroundings.callServer() }
    case .suspend: terminal.suspend()
    case .redraw: terminal.redraw()
    case .workspace, .quit, .fail: break
    }
  }

  private mutating func show(_ change: ThemeChange, on themeState: inout ThemeState) {
    switch change {
    case .next:
      let all = themes.all()
      if let place = all.firstIndex(where: { $0.name == themeState.theme.name }),
        let next = (all[(place + 1)...] + all[...place]).lazy.compactMap(\.theme).first
      {
        showAndPersist(next, on: &themeState)
      }
    case .preview(let theme): themeState.preview(theme)
    case .keep(let theme): showAndPersist(theme, on: &themeState)
    case .named(let name):
      if let trouble = themeState.choose(name, from: themes) {
        mailbox.post(.notice(.themeUnavailable(trouble)))
      }
    case .reread:
      if let notice = themeState.reread(themes) { mailbox.post(.notice(notice)) }
    }
  }

  private mutating func showAndPersist(_ theme: Theme, on themeState: inout ThemeState) {
    themeState.show(theme)
    mailbox.post(.notice(.themeShown(theme.name, lasting: themes.lasting)))
    sessionWriter.save(.theme(theme.name), mailbox: mailbox)
  }

  /// Ends all subscriptions and requests, since the store closes.
  mutating func stop() {
    for watch in watches.values { watch.cancel() }
    watches = [:]
    listing?.cancel()
    listing = nil
    cancelRequests()
  }

  private func toggleMouse(of terminal: any Terminal) {
    terminal.isMouseOn.toggle()
    mailbox.post(.notice(terminal.isMouseOn ? .mouseCaptured : .mouseReleased))
  }

  private mutating func listWatched() {
    listing = Task { [manager, mailbox] in
      var times = WatchedTimes()
      for await queries in await manager.watchedQueryLists() {
        guard !Task.isCancelled else { return }
        let now = LocalTime.text(of: WallClock().now)
        mailbox.post(.watched(times.lines(of: queries, at: now)))
      }
    }
  }

  private func copy(_ text: String, terminal: any Terminal) {
    mailbox.post(
      .notice(
        terminal.copy(text)
          ? .copied(bytes: text.utf8.count)
          : .tooLongToCopy(limit: TerminalLimits.clipboardBytes)))
  }

  private mutating func watch(
    _ document: QueryDocument, _ token: WatchToken, _ window: AnswerView.Window
  ) {
    watches[token] = Task { [manager, mailbox] in
      let subscription = await manager.subscribe(to: document, reach: .neighbors, window: window)
      for await result in subscription.results {
        guard !Task.isCancelled else { break }
        mailbox.post(.live(token, result))
      }
      await manager.unsubscribe(subscription.id)
    }
  }
}
