package import LiveQueries
package import TerminalUI
package import Triples

/// What happened, outside the screen or at the keyboard.
package enum Event: Sendable, Equatable {
  /// A key, the mouse, a new size: whatever came from the terminal.
  case terminal(TerminalEvent)
  /// The store as of a new transaction.
  case snapshot(StoreSnapshot)
  /// Since when the store's server is away, and when it is called again; nil when it is not.
  case serverAway(ServerAbsence?)
  /// What keeps changes from being made at this moment, as the first half of a sentence; nil when nothing
  /// does any more.
  case obstruction(String?)
  /// How far the opening of the store has come; nil where nobody tells.
  case opening(LoadingProgress?)
  /// A subscribed query has a new result.
  case live(WatchToken, LiveResult)
  /// What time it is: asked for by `Model.deadline`, and after every frame that begins to fade.
  case tick(ContinuousClock.Instant)
  /// A change that was sent is done, and what takes it back where the store tells.
  case transacted(Deed, undo: Transaction?)
  /// What was to be taken back was never sent, and is not any more.
  case dropped(Deed)
  /// A change that was sent is refused, in words.
  case refused(String, Deed? = nil)
  /// What a request is answered with, or how far it is.
  case response(RequestID, Response)
  /// What was remembered of this store and this screen, once, for a model that waits for it.
  case recalled(Recollection)
  /// The queries that are watched, while the screen wishes to know.
  case watched([WatchedLine])
  /// The person's settings were saved and say something else.
  case habits(Habits)
  /// Files of themes were saved.
  case themesSaved
  /// Something to be said, such as that a copy was too long.
  case notice(Notice)
  /// The store cannot be read any more, in words.
  case storeFailed(String)
}

/// Names one watch of the screen, so that the answer to an older query is not taken for the present one.
package struct WatchToken: Hashable, Sendable {
  /// Above 0 for the query of a tab, below for what is asked beside it.
  var number: Int

  package init(number: Int) { self.number = number }

  /// Whether it is no query of the person's.
  var isBeside: Bool { number < 0 }
}
