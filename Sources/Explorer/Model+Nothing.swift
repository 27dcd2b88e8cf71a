import InstaQL
import Triples

// Where there is nothing to work on: why, and what to press next.
extension Model {
  /// Why nothing can be asked; nil when something is.
  var whyNoQuery: String? {
    if tab.composer != nil { return nil }
    guard let catalog else { return store.failure ?? Self.loading }
    if catalog.snapshot.isUnanswered {
      if store.absence == nil, let staleness { return staleness }
      return "The server has not told what it has: \(key(.callServer)) calls it at once"
    }
    return catalog.schema.namespaces.isEmpty ? Self.noNamespaces : Self.loading
  }

  static let loading = "The store is still loading: again in a moment"
  static let noNamespaces =
    "This store has no namespaces yet: sonde import … --into NAME.sonde makes one"

  /// Why there is no answer; nil when there is one.
  var whyNoAnswer: String? {
    if tab.results.table != nil { return nil }
    if let whyNoQuery { return whyNoQuery }
    return tab.results.whyNoAnswer(keys.filling(wayOut))
  }

  /// Why the cursor of the results is on no row.
  var whyNoRow: String {
    if let whyNoAnswer { return whyNoAnswer }
    guard let table = tab.results.table, table.lineCount == 0 else {
      return "Go to a row of the results first: \(key(.up)) and \(key(.down)) lead there"
    }
    if tab.composer?.plan.condition == nil, table.answer.total == 0, whyReadOnly == nil {
      return "There is no row here: \(key(.add)) adds one"
    }
    return "There is no row here: " + keys.filling(wayOut)
  }

  /// What leads on from an answer that has no rows, or from none.
  var wayOut: String {
    if tab.composer?.past.isEmpty == false {
      return "\(Intent.undo.key) takes the last change of the query back"
    }
    if !tab.trail.behind.isEmpty { return "\(Intent.back.key) goes back" }
    let isBehindPage = tab.results.table.map { $0.answer.total > 0 } ?? false
    return tab.composer?.plan.condition == nil || isBehindPage
      ? "\(Intent.queryText.key) asks something else"
      : "\(Intent.filterText.key) changes the filter"
  }
}
