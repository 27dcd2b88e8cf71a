package import LiveQueries
package import TerminalUI
package import Triples

/// An input to the workspace: from the terminal, the store or the effect runner.
package enum Event: Sendable, Equatable {
  /// A key, a mouse action or a new size of the terminal.
  case terminal(TerminalEvent)
  /// A snapshot of the store after a new transaction.
  case snapshot(StoreSnapshot)
  /// The server went offline, with the status to show. Nil when the server is online again.
  case serverAway(ReconnectStatus?)
  /// The progress of loading the store; nil if it is unknown.
  case loading(LoadingProgress?)
  /// A new result of a subscribed query.
  case live(WatchToken, LiveResult)
  /// The current time. It is sent at `Workspace.deadline` and after a frame that starts a
  /// highlight.
  case tick(ContinuousClock.Instant)
  /// The new state of all changes, and a report on one of them if there is something to report.
  case changes(ChangeReport?, ChangesState)
  /// The response to a request, or a report on its progress.
  case response(RequestID, Response)
  /// The restored session. This event is sent once, if the workspace waits for the session.
  case sessionRestored(RestoredSession)
  /// The current live queries, sent only while the screen lists them.
  case watched([WatchedLine])
  /// The user's settings changed on disk.
  case liveSettings(LiveSettings)
  /// Theme files changed on disk.
  case themesSaved
  /// A message to show, for example that a copied text was too long.
  case notice(Notice)
  /// The store can no longer be read, for the given reason.
  case storeFailed(String)
}

/// Identifies a subscription, so that the screen can ignore results of older subscriptions.
package struct WatchToken: Hashable, Sendable {
  /// The number of the subscription: positive for the query of a tab, negative for a side query.
  var number: Int

  /// Whether the subscription is for a side query rather than for the user's query.
  var isBeside: Bool { number < 0 }
}
