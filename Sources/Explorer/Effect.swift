package import InstaQL
package import LiveQueries

/// A side effect that `Workspace.update` requests and the effect runner performs.
package enum Effect: Sendable, Equatable {
  /// Subscribes to a window of a query's rows. `Event.live` with the same token delivers the
  /// results.
  case watch(QueryDocument, WatchToken, AnswerView.Window)
  case stopWatching(WatchToken)
  /// Copies text to the clipboard.
  case copy(String)
  /// Sends a request; `Event.response` with the same id answers it.
  case request(RequestID, Request)
  /// Cancels a request whose response is no longer needed.
  case cancel(RequestID)
  /// Persists a change of the session's state.
  case save(SessionUpdate)
  /// Shows a text in the pager.
  case page(String)
  /// Runs a shell command, which may take over the terminal. The input file is removed afterward.
  case run(ShellCommand, input: String?)
  /// Starts or stops reporting the live queries as `Event.watched`, now and on every change.
  case listWatched(isOn: Bool)
  /// Makes, stages, sends or undoes changes; `Event.changes` reports the results.
  case change(ChangeCommand)
  /// Changes, previews or rereads the theme.
  case theme(ThemeChange)
  /// Captures the mouse, or leaves it to the terminal; nil toggles between the two.
  case mouse(isOn: Bool?)
  /// Reconnects to the store's server immediately.
  case callServer
  /// Opens, shows or closes a store.
  case workspace(WorkspaceCommand)
  /// Returns the terminal to the shell until the program resumes.
  case suspend
  /// Redraws the whole screen, even the cells that have not changed.
  case redraw
  case quit(status: Int32)
  /// Exits the program with an error, since there is nothing to show.
  case fail(reason: String)
}
