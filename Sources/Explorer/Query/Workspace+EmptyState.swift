import InstaQL
import Triples

// Messages and hints for panes that have nothing to show.
extension Workspace {
  /// The reason why there is no query yet; nil if there is a query.
  var missingQueryReason: Notice? {
    if tab.queryHistory != nil { return nil }
    guard let catalog else { return store.failure.map { .error($0) } ?? .loading }
    if catalog.snapshot.isUnanswered {
      if store.absence == nil, let staleness { return rejection ?? staleness.notice }
      return .noSchema
    }
    return catalog.schema.namespaces.isEmpty ? .emptyStore : .loading
  }

  /// The notice that the server rejected the session and never answered; nil if it did not.
  var rejection: Notice? {
    guard let staleness, store.isRejected, let snapshot = catalog?.snapshot, snapshot.isUnanswered
    else { return nil }
    return staleness.notice.hinting(Self.tryAgain)
  }

  private static let tryAgain = KeyHint.key(.callServer, "try again")

  /// The reason why there are no results; nil if results are shown.
  var missingResultReason: Notice? {
    if tab.results.table != nil { return nil }
    if let missingQueryReason { return missingQueryReason }
    return tab.results.missingResultReason(recoveryHint)
  }

  /// The reason why a command finds no row at the cursor.
  var missingRowReason: Notice {
    if let missingResultReason { return missingResultReason }
    guard let table = tab.results.table, table.height == 0 else {
      return tab.results.table?.isSummary == true ? .rowIsGroup : .selectRow
    }
    if tab.plan?.condition == nil, table.answer.total == 0, store.readOnlyReason == nil {
      return .noRows.hinting(.key(.add, "add one"))
    }
    return .noRows.hinting(recoveryHint)
  }

  /// Finds out why the result is empty. The filter may have the letters of a flag emoji, a number in
  /// quotes, a name that no linked entity has, or a text in another case.
  mutating func explainEmptyResult() -> [Effect] {
    guard let answer = tab.results.table?.answer, answer.total == 0 else {
      return requests.cancel(.emptyReason)
    }
    if let reason = EmptyReason(lettersOfFlagIn: answer) ?? EmptyReason(quotedNumberIn: answer) {
      tab.results.emptyReason = reason
      return requests.cancel(.emptyReason)
    }
    guard answer.plan.canExplainEmptyAnswer(in: answer.store.schema) else {
      return requests.cancel(.emptyReason)
    }
    return requests.begin(.emptyReason(answer), for: .emptyReason)
  }

  /// The reason why no query change can be undone, with the key that undoes something else.
  var nothingToUndoInQuery: Notice {
    if canUndoChange {
      return .nothingToUndoInQuery.hinting(.key(.undoTransaction, "undo a data change"))
    }
    return tab.history.canGoBack
      ? .nothingToUndoInQuery.hinting(.key(.back)) : .nothingToUndoInQuery
  }

  /// The key that helps when the result is empty or missing.
  var recoveryHint: KeyHint {
    if store.isRejected, tab.results.table == nil { return Self.tryAgain }
    if tab.queryHistory?.earlierPlans.isEmpty == false {
      return .key(.undo, "undo the last query change")
    }
    if !tab.history.behind.isEmpty { return .key(.back) }
    let isBehindPage = tab.results.table.map { $0.answer.total > 0 } ?? false
    return tab.plan?.condition == nil || isBehindPage
      ? .key(.queryText, "edit the query") : .key(.filterText, "edit the filter")
  }
}
