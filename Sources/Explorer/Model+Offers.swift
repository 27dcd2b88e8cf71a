import InstaQL
import Triples

// What is worth being offered in the footer: nothing that would only be answered by why it cannot be.
extension Model {
  /// Whether the key of an intent does something here and now.
  func offers(_ intent: Intent) -> Bool {
    switch intent {
    case .edit, .add, .delete, .undoTransaction, .deleteMarked, .hold: return offersChange(intent)
    case .undo: return tab.composer?.past.isEmpty == false
    case .redo: return tab.composer?.undone.isEmpty == false
    case .back: return !tab.overlays.isEmpty || !tab.trail.behind.isEmpty
    case .forward: return !tab.trail.ahead.isEmpty
    default: return tab.overlays.isEmpty && tab.focus == .results ? offersInResults(intent) : true
    }
  }

  private func offersChange(_ intent: Intent) -> Bool {
    // What a list forgets is not in the store.
    if listening == .saved { return true }
    guard whyReadOnly == nil else { return false }
    if intent == .undoTransaction {
      return !undoable.isEmpty || underWay.canBeTakenBack || leftWaiting != nil
    }
    guard tab.overlays.isEmpty, tab.focus == .results else { return true }
    switch intent {
    case .edit: return tab.results.chosenEntity != nil
    // Where there are rows, other keys matter more.
    case .add:
      guard let table = tab.results.table, table.grid == nil, table.answer.count == nil else {
        return false
      }
      return table.answer.rows.isEmpty && table.answer.plan.condition == nil
    default: return true
    }
  }

  /// Whether there is what the keys of the results work on: rows, values, links.
  private func offersInResults(_ intent: Intent) -> Bool {
    guard let table = tab.results.table else { return !intent.needsRow }
    switch intent {
    case .open:
      return tab.results.chosenEntity != nil || tab.results.chosenMembers != nil
        || tab.results.blockHere != nil
    case .peek: return tab.results.chosenEntity != nil && tab.results.chosenLink != nil
    case .filterByCell: return tab.results.chosenEntity != nil
    case .order where table.answer.count != nil: return false
    case .order: return tab.results.chosenSummaryColumn != nil || tab.results.chosenAttribute != nil
    case .expand:
      guard tab.results.form == .table, let (_, namespace) = tab.results.chosenEntity else {
        return false
      }
      return table.catalog.lines(of: namespace).contains { $0.isLink }
    default: return true
    }
  }
}

extension Intent {
  /// Whether it does nothing in the results before there are rows.
  fileprivate var needsRow: Bool {
    switch self {
    case .open, .peek, .filterByCell, .order, .expand, .explain, .form: true
    default: false
    }
  }
}
