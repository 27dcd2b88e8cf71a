package import InstaQL
package import LiveQueries
package import Notebooks
package import Triples

/// Identifies a request, so that a response to an older one is ignored.
package struct RequestID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}

/// A request that is answered once by `Event.response` with its id.
package enum Request: Sendable, Equatable {
  /// The saved column settings of a namespace.
  case columns(namespace: String)
  /// The saved and the recent queries.
  case savedQueries
  /// The evaluation of a query, and the reason why an entity matches it.
  case explain(ExplainRequest)
  /// Work that may take longer than a key press, with progress in rows.
  case prepare(Preparation)
  /// The values of a column over an answer, and over time along a date column.
  case countValues(Attribute, Answer, along: Attribute?)
  /// All rows of an answer that is partly loaded.
  case complete(Answer)
  /// The differences of two states of the store; comparisons run one after the other.
  case compare(StoreDiff)
  /// The number of rows that a query finds.
  case countRows(QueryPlan)
  /// The row of an entity on a query's page.
  case locate(EntityID, QueryPlan)
  /// The next match among the other rows, with progress in rows.
  case search(RowSearch)
  /// A text to edit in the editor.
  case edit(String, ending: String)
  /// A file to write, with progress.
  case export(ExportOrder)
  /// An id for a new entity.
  case entityID
  /// All themes.
  case themes
}

/// A response: any number of progress reports, then one result.
package enum Response: Sendable, Equatable {
  case rowsDone(Int)
  case progress(LoadingProgress)

  case columns(ColumnSettings)
  case savedQueries([SavedQuery], history: [HistoryEntry])
  case explanation([TextLine])
  case prepared(Prepared)
  case values(Facets)
  /// All rows of an answer, and the snapshot they were read from.
  case rows(Answer, StoreSnapshot)
  case difference(StoreDiffResult)
  /// The number of rows that a query finds; nil if it is unknown.
  case rowCount(Int?)
  /// The row of an entity; nil if the entity is not among the rows.
  case row(Int?)
  case found(RowHit?)
  case edited(EditedText)
  case exported(ExportOutcome)
  case entityID(EntityID)
  /// All themes.
  ///
  /// - Parameter kept: The name of the theme that is shown outside of previews.
  case themes([ThemeListing], kept: String)
  /// A failure, with a notice if one is necessary.
  case failed(Notice?)

  /// Whether more responses follow.
  package var isProgress: Bool {
    switch self {
    case .rowsDone, .progress: true
    case .columns, .savedQueries, .explanation, .prepared, .values, .rows, .difference,
      .rowCount, .row, .found, .edited, .exported, .entityID, .themes, .failed:
      false
    }
  }
}
