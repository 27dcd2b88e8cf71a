package import InstaQL
package import LiveQueries
package import Notebooks
package import TerminalUI
package import Triples

/// What the world shall do; `Model.update` wishes it, the effect runner carries it out.
package enum Effect: Sendable, Equatable {
  /// Subscribe to a query, of whose rows these are looked at; its results come as `Event.live` with this
  /// token.
  case watch(QueryDocument, WatchToken, AnswerView.Stretch)
  case stopWatching(WatchToken)
  /// Put text into the clipboard.
  case copy(String)
  /// Find out how the columns of a namespace were shown the last time: `Event.columns` tells.
  case recallColumns(namespace: String)
  /// Keep a query under a name.
  case saveQuery(name: String, text: String)
  case forgetQuery(SavedQuery)
  /// Remember that a query was asked.
  case recordQuery(String)
  /// Find out what was kept and asked: `Event.queries` tells.
  case recallQueries
  /// Say how a query is answered, and why an entity is in or out: `Event.explained` tells.
  case explain(ExplainOrder)
  /// Make this aside: `Event.prepared` with the same number tells what came of it,
  /// `Event.preparing` how far it is.
  case prepare(Preparation, Int)
  case stopPreparing
  /// Count the values of a column over an answer, and over the time that another one tells:
  /// `Event.counted` tells.
  case countValues(Attribute, Answer, along: Attribute?)
  /// Nobody waits for the counted values any more.
  case stopCounting
  /// Ask for all rows of an answer of which the screen holds a part: `Event.completed` tells them.
  case complete(Answer, for: CompletionPurpose)
  /// Find out what is different between two states of the store: `Event.compared` tells it, of one
  /// comparison after the other.
  case compare(StoreComparison)
  /// Ask which row of a query's page an entity is: `Event.located` tells it.
  case locate(EntityID, QueryPlan)
  /// Look through the rest of the rows: `Event.found` tells what was found.
  case search(RowSearch)
  case stopSearching
  /// Show a text in the pager.
  case page(String)
  /// Let a text be changed in the editor: `Event.edited` tells what became of it.
  case editText(String, ending: String)
  /// Write a file: `Event.exporting` tells how far it has come, `Event.exported` how it ended.
  case export(ExportOrder)
  /// Give up the file that is being written.
  case stopExport
  /// Give up the changes that no store has taken yet: each is told as refused, or as done after all.
  case giveUpChanges
  /// Tell which queries are watched, now and whenever that changes, as `Event.watched`.
  case listWatched
  case stopListingWatched
  /// Remember where one is, to begin there the next time.
  case keepView(LastView)
  /// Remember the changes of the store that are kept back, and no others.
  case keepUnsent([KeptChanges.Change])
  /// Remember how large the panes were made.
  case keepSplits([String: Int])
  /// Draw an id for a new entity: `Event.drawn` tells it.
  case drawID
  /// Let go of the mouse, so that the terminal selects text, or take it again.
  case toggleMouse
  /// Change the store: `Event.transacted` or `Event.refused` tells what came of it.
  case transact(Transaction, Deed)
  /// Remember how the columns of a namespace are shown.
  case keepColumns(ColumnSettings, namespace: String)
  /// Show with the theme after the present one.
  case nextTheme
  /// Read all themes: `Event.themes` tells them.
  case listThemes
  /// Show with a theme that is only tried; nil shows the one before again.
  case previewTheme(Theme?)
  /// Show with a theme from now on, and the next time.
  case keepTheme(Theme)
  /// Show with the theme of that name.
  case theme(String)
  /// Show the present theme as its file is now.
  case rereadTheme
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
