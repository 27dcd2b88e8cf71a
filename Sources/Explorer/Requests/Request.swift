package import InstaQL
package import LiveQueries
package import Notebooks
package import Triples

/// Names one request, so that the response to an older one is not taken for the present one.
package struct RequestID: Hashable, Sendable {
  package let number: Int

  package init(number: Int) { self.number = number }
}

/// Something that is asked once: `Event.response` with the request's id answers it.
package enum Request: Sendable, Equatable {
  /// How the columns of a namespace were shown the last time.
  case columns(namespace: String)
  /// The saved queries and those asked lately.
  case savedQueries
  /// How a query is evaluated, and why an entity is in or out.
  case explain(ExplainOrder)
  /// Work that may take longer than a key, with progress in rows.
  case prepare(Preparation)
  /// The values of a column over an answer, and over the time that another column tells.
  case countValues(Attribute, Answer, along: Attribute?)
  /// All rows of an answer of which the screen holds a part.
  case complete(Answer)
  /// What is different between two states of the store; one comparison runs after the other.
  case compare(StoreComparison)
  /// Which row of a query's page an entity is.
  case locate(EntityID, QueryPlan)
  /// The next match among the rest of the rows, with progress in rows.
  case search(RowSearch)
  /// A text as it is changed in the editor.
  case edit(String, ending: String)
  /// Writes a file, with progress.
  case export(ExportOrder)
  /// An id for a new entity.
  case entityID
  /// All themes.
  case themes
}

/// What a request is answered with: any number of times how far it is, then once what came of it.
package enum Response: Sendable, Equatable {
  case rowsDone(Int)
  case progress(LoadingProgress)

  case columns(ColumnSettings)
  case savedQueries([SavedQuery], history: [HistoryEntry])
  case explanation([TextLine])
  case prepared(Prepared)
  case values(Facets)
  /// All rows of an answer, and where they were read.
  case rows(Answer, StoreSnapshot)
  case difference(StoreDifference)
  /// Nil where the entity is none of the rows.
  case row(Int?)
  case found(RowHit?)
  case edited(EditedText)
  case exported(ExportOutcome)
  case entityID(EntityID)
  /// - Parameter kept: The name of the theme that is shown unless another is tried.
  case themes([ThemeListing], kept: String)
  /// Nil where that needs no notice.
  case failed(Notice?)

  /// Whether more is to come.
  package var isProgress: Bool {
    switch self {
    case .rowsDone, .progress: true
    case .columns, .savedQueries, .explanation, .prepared, .values, .rows, .difference, .row,
      .found, .edited, .exported, .entityID, .themes, .failed:
      false
    }
  }
}
