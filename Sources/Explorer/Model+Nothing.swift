import InstaQL
import Triples

// Where there is nothing to work on: why, and what to press next.
extension Model {
  /// Why nothing can be asked; nil when something is.
  var whyNoQuery: Notice? {
    if tab.composer != nil { return nil }
    guard let catalog else { return store.failure.map { .error($0) } ?? .loading }
    if catalog.snapshot.isUnanswered {
      if store.absence == nil, let staleness { return staleness }
      return .noSchema
    }
    return catalog.schema.namespaces.isEmpty ? .emptyStore : .loading
  }

  /// Why there is no answer; nil when there is one.
  var whyNoAnswer: Notice? {
    if tab.results.table != nil { return nil }
    if let whyNoQuery { return whyNoQuery }
    return tab.results.whyNoAnswer(wayOut)
  }

  /// Why the cursor of the results is on no row.
  var whyNoRow: Notice {
    if let whyNoAnswer { return whyNoAnswer }
    guard let table = tab.results.table, table.lineCount == 0 else { return .selectRow }
    if tab.composer?.plan.condition == nil, table.answer.total == 0, whyReadOnly == nil {
      return .noRows.hinting(.key(.add, "add one"))
    }
    return .noRows.hinting(wayOut)
  }

  /// What leads on from an answer that has no rows, or from none.
  var wayOut: KeyHint {
    if tab.composer?.past.isEmpty == false { return .key(.undo, "undo the last query change") }
    if !tab.trail.behind.isEmpty { return .key(.back) }
    let isBehindPage = tab.results.table.map { $0.answer.total > 0 } ?? false
    return tab.composer?.plan.condition == nil || isBehindPage
      ? .key(.queryText, "edit the query") : .key(.filterText, "edit the filter")
  }
}
