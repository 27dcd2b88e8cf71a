package import InstaQL
package import LiveQueries
package import Notebooks
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
  /// How the columns of a namespace were shown the last time.
  case columns(ColumnSettings, namespace: String)
  /// What time it is: asked for by `Model.deadline`, and after every frame that begins to fade.
  case tick(ContinuousClock.Instant)
  /// A change that was sent is done, and what takes it back where the store tells.
  case transacted(Deed, undo: Transaction?)
  /// What was to be taken back was never sent, and is not any more.
  case dropped(Deed)
  /// A change that was sent is refused, in words.
  case refused(String, Deed? = nil)
  /// The queries that were kept and asked in this store.
  case queries(saved: [SavedQuery], asked: [HistoryEntry])
  /// How a query was answered, and why an entity is in or out, in lines.
  case explained([TextLine], of: ExplainOrder)
  /// What came of the preparation with this number.
  case prepared(Int, Prepared)
  /// How many rows are done of it.
  case preparing(Int, rows: Int)
  /// The values of a column in the rows of a query.
  case counted(Facets, of: QueryPlan)
  /// All rows of an answer, and where they were read.
  case completed(Answer, StoreSnapshot, for: CompletionPurpose)
  /// What is different between two states of the store.
  case compared(StoreDifference)
  /// Which row of a query's page an entity is, if it is one.
  case located(EntityID, row: Int?, in: QueryPlan)
  /// What the search with this number found, if anything.
  case found(Int, RowHit?)
  /// How many rows the search with this number has looked through.
  case searched(Int, count: Int)
  /// What the editor made of a text.
  case edited(EditedText)
  /// How far the file that is being written has come.
  case exporting(LoadingProgress)
  case exported(ExportOutcome)
  /// What was remembered of this store and this screen, once, for a model that waits for it.
  case recalled(Recollection)
  /// The queries that are watched, while the screen wishes to know.
  case watched([WatchedLine])
  /// An id that was drawn for a new entity.
  case drawn(EntityID)
  /// The person's settings were saved and say something else.
  case habits(Habits)
  /// The themes that there are, and the name of the one that is shown unless another is tried.
  case themes([ThemeListing], kept: String)
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
