import InstaQL
package import LiveQueries
package import TerminalUI

/// Performs effects and turns what comes of them into events.
package struct EffectRunner {
  private let manager: QueryManager
  private let themeAfter: (Theme) -> Theme?
  private(set) var theme: Theme
  private var watches: [WatchToken: Task<Void, Never>] = [:]

  /// - Parameter themeAfter: The theme that follows another; nil when there is none.
  package init(
    manager: QueryManager, theme: Theme, themeAfter: @escaping (Theme) -> Theme? = { _ in nil }
  ) {
    self.manager = manager
    self.theme = theme
    self.themeAfter = themeAfter
  }

  mutating func perform(_ effect: Effect, terminal: any Terminal, mailbox: Mailbox) {
    switch effect {
    case .watch(let document, let token): watch(document, token, mailbox: mailbox)
    case .stopWatching(let token): watches.removeValue(forKey: token)?.cancel()
    case .copy(let text): copy(text, terminal: terminal, mailbox: mailbox)
    case .nextTheme: theme = themeAfter(theme) ?? theme
    case .suspend: terminal.suspend()
    case .redraw: terminal.redraw()
    case .quit, .fail: break
    }
  }

  private func copy(_ text: String, terminal: any Terminal, mailbox: Mailbox) {
    let limit = NumberText.grouped(TerminalLimits.clipboardBytes)
    mailbox.post(
      .notice(
        terminal.copy(text)
          ? "Copied" : "Not copied: a terminal takes \(limit) bytes at most, if any"))
  }

  private mutating func watch(_ document: QueryDocument, _ token: WatchToken, mailbox: Mailbox) {
    let manager = manager
    watches[token] = Task {
      let subscription = await manager.subscribe(to: document)
      for await result in subscription.results {
        guard !Task.isCancelled else { break }
        mailbox.post(.live(token, result))
      }
      await manager.unsubscribe(subscription.id)
    }
  }
}
