package import Notebooks
package import TerminalUI

/// Something that the next session is to know.
package enum SessionUpdate: Sendable, Equatable {
  /// A query under a name.
  case savedQuery(name: String, text: String)
  case deletedQuery(SavedQuery)
  /// A query that was asked.
  case history(String)
  /// Where one is, to begin there.
  case view(LastView)
  /// The staged changes of the store, and no others.
  case stagedChanges([KeptChanges.Change])
  /// How large the panes were made.
  case splits([String: Int])
  /// How the columns of a namespace are shown.
  case columns(ColumnSettings, namespace: String)
}

/// Which theme is shown from now on.
package enum ThemeChange: Sendable, Equatable {
  /// The one after the present one.
  case next
  /// One that is only tried; nil shows the one before again.
  case preview(Theme?)
  /// One that is kept for the next session.
  case keep(Theme)
  case named(String)
  /// The present one as its file is now.
  case reread
}
