package import InstaQL
package import LiveQueries
package import Notebooks
package import Triples

/// Identifies a request, so that a response to an older request is ignored.
package struct RequestID: Hashable, Sendable {
  package let number: Int
}

/// A request for one result. `Event.response` with the request's id delivers the result.
package enum Request: Sendable, Equatable {
  /// Requests the saved column settings of a namespace.
  case columns(namespace: String)
  /// Requests the saved and the recent queries.
  case savedQueries
  /// Requests an explanation of a query, and of whether and why an entity matches it.
  case explain(ExplainRequest)
  /// Requests background work, with reports of its progress.
  case prepare(Preparation)
  /// Requests the number of rows for each value of a column. With a date attribute, also requests
  /// the column over time.
  case countValues(Attribute, Answer, along: Attribute?)
  /// Requests all rows of an answer that is only partly loaded.
  case complete(Answer)
  /// Requests the differences between two states of the store. Such requests run one after the
  /// other.
  case compare(StoreDiff)
  case countRows(QueryPlan)
  /// Requests the reason why an answer is empty.
  case emptyReason(Answer)
  /// Requests the position of an entity's row on the page of a query.
  case locate(EntityID, QueryPlan)
  /// Requests the next search match among the rows that were not searched immediately.
  case search(RowSearch)
  /// Opens a text in the editor and requests the edited text.
  case edit(String, ending: String)
  /// Writes a file, with reports of its progress.
  case export(ExportOrder)
  /// Runs a shell command in the background and requests its result.
  ///
  /// - Parameter input: A temporary file that the command reads, to remove afterward; nil for
  ///   none.
  case runCommand(ShellCommand, input: String?)
  case entityID
  /// Requests all themes that the user can select.
  case themes
  /// Requests the stores that were opened before.
  case knownStores
  /// Looks for a store to open.
  case findStore(StoreListing)
  /// Requests the files and folders whose path begins with a typed text.
  case paths(String)
  /// Requests a path without a file, such as `a-2.csv` if `a.csv` exists.
  case freePath(String)
}

/// A response to a request: any number of progress reports, then one result.
package enum Response: Sendable, Equatable {
  case rowsDone(Int)
  case progress(LoadingProgress)

  case columns(ColumnSettings)
  case savedQueries([SavedQuery], history: [HistoryEntry])
  case explanation([TextLine])
  /// A text to copy or to show outside of the screen.
  case text(String, TextSink)
  /// The effects of a deletion.
  case deletion(DeletionPreview)
  case values(Facets)
  /// All rows of an answer, and the snapshot from which they were read.
  case rows(Answer, StoreSnapshot)
  case difference(StoreDiffResult)
  /// The number of rows that a query finds; nil if it is unknown.
  case rowCount(Int?)
  /// The reason why an answer is empty, as a sentence; nil if it is unknown.
  case emptyReason(String?)
  /// The position of an entity's row; nil if the entity is not among the rows.
  case row(Int?)
  case found(RowHit?)
  case edited(EditedText)
  case exported(ExportOutcome)
  case commandEnded(CommandResult)
  case entityID(EntityID)
  /// All themes.
  ///
  /// - Parameter kept: The name of the selected theme, which is shown while there is no preview.
  case themes([ThemeListing], kept: String)
  /// The stores that were opened before, the newest first.
  case stores([StoreListing])
  /// A store that can be opened.
  case store(StoreListing)
  /// The paths that begin with a typed text. Those of folders end with a slash.
  case paths([String])
  /// The path without a file that is most similar to the requested one.
  case freePath(String)
  /// A failure, with a notice if the user must know about it.
  case failed(Notice?)

  /// Whether this response reports progress, so that more responses follow.
  package var isProgress: Bool {
    switch self {
    case .rowsDone, .progress: true
    case .columns, .savedQueries, .explanation, .text, .deletion, .values, .rows, .difference,
      .rowCount, .emptyReason, .row, .found, .edited, .exported, .commandEnded, .entityID, .themes,
      .stores, .store, .paths, .freePath, .failed:
      false
    }
  }
}
