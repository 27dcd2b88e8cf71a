import InstaQL
import Triples

// What is worth being offered in the footer: nothing that would only be answered by why it cannot be.
extension Model {
  /// Whether the key of an intent does something here and now.
  func offers(_ intent: Intent) -> Bool {
    switch intent {
    case .edit, .add, .delete, .undoTransaction, .deleteMarked, .hold: return offersChange(intent)
    case .undo: return composer?.past.isEmpty == false
    case .redo: return composer?.undone.isEmpty == false
    case .back: return !overlays.isEmpty || !trail.behind.isEmpty
    case .forward: return !trail.ahead.isEmpty
    default: return overlays.isEmpty && focus == .results ? offersInResults(intent) : true
    }
  }

  private func offersChange(_ intent: Intent) -> Bool {
    // What a list forgets is not in the store.
    if listening == .saved { return true }
    guard whyReadOnly == nil else { return false }
    if intent == .undoTransaction { return !undoable.isEmpty }
    guard overlays.isEmpty, focus == .results, intent == .edit else { return true }
    return results.chosenEntity != nil
  }

  /// Whether there is what the keys of the results work on: rows, values, links.
  private func offersInResults(_ intent: Intent) -> Bool {
    guard let table = results.table else { return true }
    switch intent {
    case .open:
      return results.chosenEntity != nil || results.chosenMembers != nil
        || results.blockHere != nil
    case .peek: return results.chosenEntity != nil && results.chosenLink != nil
    case .filterByCell: return results.chosenEntity != nil
    case .order: return results.chosenSummaryColumn != nil || results.chosenAttribute != nil
    case .expand:
      guard results.form == .table, let (_, namespace) = results.chosenEntity else { return false }
      return !table.catalog.schema.links(of: namespace).isEmpty
    default: return true
    }
  }
}
