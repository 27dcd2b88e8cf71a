package import Notebooks
package import TerminalUI

/// A part of the session's state to save for the next session.
package enum SessionUpdate: Sendable, Equatable {
  case savedQuery(name: String, text: String)
  case deletedQuery(SavedQuery)
  /// Saves a query whose deletion was undone.
  case restoredQuery(SavedQuery)
  case history(String)
  /// Stores the current view, to restore it in the next session.
  case view(LastView)
  /// Stores the sizes of panes.
  case splits([String: Int])
  /// Stores the name of the selected theme.
  case theme(String)
  case columns(ColumnSettings, namespace: String)
  /// Stores that the user trusts the commands in this version of a project's settings file.
  case trustedFile(path: String, text: String)
}

/// A change of the theme.
package enum ThemeChange: Sendable, Equatable {
  case next
  /// Previews a theme; nil returns to the selected theme.
  case preview(Theme?)
  /// Selects a theme, also for the next session.
  case keep(Theme)
  case named(String)
  /// Reads the current theme again from its file.
  case reread
}

/// The state of the last session, restored when the program starts.
package struct RestoredSession: Sendable, Equatable {
  let view: LastView
  let splits: [String: Int]
  /// The saved queries of the store, whose names are shown as titles of tabs.
  let savedQueries: [SavedQuery]

  package init(
    view: LastView = LastView(), splits: [String: Int] = [:], savedQueries: [SavedQuery] = []
  ) {
    self.view = view
    self.splits = splits
    self.savedQueries = savedQueries
  }
}
