package import InstaQL
package import LiveQueries
package import Triples

/// What the world shall do; `Model.update` wishes it, the effect runner carries it out.
package enum Effect: Sendable, Equatable {
  /// Subscribe to a query, of whose rows these are looked at; its results come as `Event.live` with this
  /// token.
  case watch(QueryDocument, WatchToken, AnswerView.Stretch)
  case stopWatching(WatchToken)
  /// Put text into the clipboard.
  case copy(String)
  /// Ask for something once: `Event.response` with the same id answers it.
  case request(RequestID, Request)
  /// Nobody waits for the response any more, or what it is about shall end early.
  case cancel(RequestID)
  /// Write something down for the next session.
  case save(SessionUpdate)
  /// Show a text in the pager.
  case page(String)
  /// Give up the changes that no store has taken yet: each is told as refused, or as done after all.
  case giveUpChanges
  /// Tell which queries are watched, now and whenever that changes, as `Event.watched`.
  case listWatched(isOn: Bool)
  /// Let go of the mouse, so that the terminal selects text, or take it again.
  case toggleMouse
  /// Change the store: `Event.transacted` or `Event.refused` tells what came of it.
  case transact(Transaction, Deed)
  /// Show with another theme.
  case theme(ThemeChange)
  /// Take the mouse, or leave it to the terminal.
  case mouse(isOn: Bool)
  /// Call the store's server at once.
  case callServer
  /// Hand the terminal back to the shell until it returns.
  case suspend
  /// Draw everything anew, whatever is thought to be on the screen.
  case redraw
  /// End the program with this exit status.
  case quit(status: Int32)
  /// End the program and say why: there is nothing to show.
  case fail(reason: String)
}
