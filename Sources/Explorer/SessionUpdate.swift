package import Notebooks
package import TerminalUI

/// A change of the session's state to persist for the next session.
package enum SessionUpdate: Sendable, Equatable {
  /// A query saved under a name.
  case savedQuery(name: String, text: String)
  case deletedQuery(SavedQuery)
  /// A deleted query to save again.
  case restoredQuery(SavedQuery)
  /// A query that was run.
  case history(String)
  /// The current view, to restore it.
  case view(LastView)
  /// The sizes of panes.
  case splits([String: Int])
  /// The column settings of a namespace.
  case columns(ColumnSettings, namespace: String)
}

/// A change of the theme.
package enum ThemeChange: Sendable, Equatable {
  /// The next theme.
  case next
  /// A preview; nil restores the previous theme.
  case preview(Theme?)
  /// A theme to keep for the next session.
  case keep(Theme)
  case named(String)
  /// The current theme, read again from its file.
  case reread
}

/// The state of an earlier session.
package struct RestoredSession: Sendable, Equatable {
  let view: LastView
  let splits: [String: Int]

  package init(view: LastView = LastView(), splits: [String: Int] = [:]) {
    self.view = view
    self.splits = splits
  }
}
