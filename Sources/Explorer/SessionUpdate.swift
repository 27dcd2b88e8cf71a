package import Notebooks
package import TerminalUI

/// A change of the session's state that is persisted for the next session.
package enum SessionUpdate: Sendable, Equatable {
  /// Saves a query under a name.
  case savedQuery(name: String, text: String)
  case deletedQuery(SavedQuery)
  /// Saves a deleted query again.
  case restoredQuery(SavedQuery)
  /// Adds a query that was run to the history.
  case history(String)
  /// Stores the current view, to restore it in the next session.
  case view(LastView)
  /// Stores the sizes of panes.
  case splits([String: Int])
  /// Stores the column settings of a namespace.
  case columns(ColumnSettings, namespace: String)
  /// A settings file of a project whose commands the user allowed.
  case trustedFile(path: String, text: String)
}

/// A change of the theme.
package enum ThemeChange: Sendable, Equatable {
  /// Switches to the next theme.
  case next
  /// Previews a theme; nil returns to the selected theme.
  case preview(Theme?)
  /// Selects a theme, also for the next session.
  case keep(Theme)
  case named(String)
  /// Reads the current theme again from its file.
  case reread
}

/// The state of an earlier session, which a new session restores.
package struct RestoredSession: Sendable, Equatable {
  let view: LastView
  let splits: [String: Int]

  package init(view: LastView = LastView(), splits: [String: Int] = [:]) {
    self.view = view
    self.splits = splits
  }
}
