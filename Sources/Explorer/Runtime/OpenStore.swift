package import Dispatch
import LiveQueries
package import TerminalUI

/// What the event loop needs for an open store: its event queue, its effect runner and its theme.
package final class OpenStore {
  private(set) var runner: EffectRunner
  /// The store's own theme; nil if it uses the theme shared by all stores without their own.
  private(set) var themeState: ThemeState?
  /// How long to wait for the store's changes when it closes; nil for the default.
  let changesTimeout: DispatchTimeInterval?
  private let closing: @Sendable () async -> Void

  package typealias ThemeState = EffectRunner.ThemeState

  /// Connects a workspace with its store.
  ///
  /// - Parameters:
  ///   - theme: The store's own theme; nil if it has none.
  ///   - changesTimeout: How long to wait for changes when the store closes; nil for the default.
  ///   - closing: Waits for the store's changes and closes it.
  package init(
    runner: EffectRunner, theme: Theme? = nil,
    changesTimeout: DispatchTimeInterval? = nil,
    closing: @escaping @Sendable () async -> Void = {}
  ) {
    self.runner = runner
    themeState = theme.map { ThemeState($0) }
    self.changesTimeout = changesTimeout
    self.closing = closing
    runner.changes.listen { [mailbox = runner.mailbox] in mailbox.post(.changes($0, $1)) }
  }

  var mailbox: Mailbox { runner.mailbox }

  /// Performs an effect that the store's workspace requested.
  ///
  /// - Parameters:
  ///   - shared: The theme of all stores without a theme of their own.
  ///   - isInFront: Whether the store is in front. Only the store in front changes the shared
  ///     theme.
  func perform(
    _ effect: Effect, shared: inout ThemeState, isInFront: Bool, terminal: any Terminal
  ) {
    if var own = themeState {
      runner.perform(effect, themeState: &own, terminal: terminal)
      themeState = own
      return
    }
    if case .theme(let change) = effect, !isInFront, change != .preview(nil) { return }
    runner.perform(effect, themeState: &shared, terminal: terminal)
  }

  /// Removes and returns all events that were posted for the store.
  func drain() -> [Event] {
    let events = mailbox.drain()
    for case .response(let request, let response) in events where !response.isProgress {
      runner.requests[request] = nil
    }
    return events
  }

  /// Ends all requests, including running commands.
  func endRequests() { runner.cancelRequests() }

  /// Ends all work for the store, and closes it once its changes and its session are written.
  func close() -> Task<Void, Never> {
    runner.stop()
    let (writing, closing) = (runner.writing, closing)
    return Task {
      await writing?.value
      await closing()
    }
  }
}
