package import LiveQueries
package import TerminalUI
package import Triples

/// An input to the model: from the terminal, the store or the effect runner.
package enum Event: Sendable, Equatable {
  /// A key, a mouse action or a new size from the terminal.
  case terminal(TerminalEvent)
  /// The store after a new transaction.
  case snapshot(StoreSnapshot)
  /// The server is offline, with times; nil when it is back online.
  case serverAway(ReconnectStatus?)
  /// Progress of loading the store; nil if unknown.
  case opening(LoadingProgress?)
  /// A new result of a subscribed query.
  case live(WatchToken, LiveResult)
  /// The current time, requested by `Model.deadline` and after every frame that starts to fade.
  case tick(ContinuousClock.Instant)
  /// The state of all changes, and the result of one, if any.
  case changes(ChangeReport?, ChangesState)
  /// The response to a request, or its progress.
  case response(RequestID, Response)
  /// The restored session, once, for a model that waits for it.
  case sessionRestored(RestoredSession)
  /// The live queries, while the screen lists them.
  case watched([WatchedLine])
  /// The user's settings changed on disk.
  case liveSettings(LiveSettings)
  /// Theme files changed on disk.
  case themesSaved
  /// A message to show, for example that a copy was too long.
  case notice(Notice)
  /// The store can no longer be read, with a message.
  case storeFailed(String)
}

/// Identifies a subscription of the screen, so that results of older queries are ignored.
package struct WatchToken: Hashable, Sendable {
  /// The number of the subscription: positive for the query of a tab, negative for a side query.
  var number: Int

  package init(number: Int) { self.number = number }

  /// Whether the subscription is of a side query rather than of the user's query.
  var isBeside: Bool { number < 0 }
}
