import InstaQL
import Triples

// Making a thing: its draft, the id that is drawn for it, and what the store says.
extension Model {
  mutating func openDraft(of namespace: String) {
    guard let catalog else { return }
    if case .draft(let draft)? = refused?.typed, draft.namespace == namespace {
      bringBackRefused()
      return
    }
    open(NewEntityPane(EntityDraft(of: namespace, in: catalog)))
  }

  /// Makes what the form says under an id that was drawn for it; what the store would refuse is said
  /// where it was typed.
  mutating func make(_ id: EntityID) -> [Effect] {
    guard let catalog = known, let index = tab.overlays.indices.last,
      var pane = tab.overlays[index].pane as? NewEntityPane
    else { return [] }
    let draft = pane.draft
    let sent = draft.steps(id, in: catalog).flatMap {
      send(
        $0, ChangeSummary.created(draft.name), typed: .draft(draft))
    }
    switch sent {
    case .success(let effects):
      closeOverlay()
      return effects
    case .failure(let refusal):
      pane.refuse(refusal)
      tab.overlays[index].pane = pane
      return []
    }
  }

  /// Gives what was chosen to the form beneath.
  mutating func fill(_ linked: EntityDraft.Linked) {
    guard let index = tab.overlays.indices.last,
      var pane = tab.overlays[index].pane as? NewEntityPane
    else { return }
    pane.receive(linked, in: context(of: index))
    tab.overlays[index].pane = pane
  }

}

extension TransactionError {
  /// What the screen says: the reason in its own words where these would tell more than one wants.
  var refusal: Rejection {
    switch self {
    case .missingRequired(let name, _):
      Rejection(text: "\(name.label) is required in \(name.namespace)", label: name.label)
    case .wrongType(let name, let expected, _):
      Rejection(text: "\(name.label) takes \(expected.words)", label: name.label)
    case .notUnique(let name, _, _):
      Rejection(
        text: "Another of \(name.namespace) has this \(name.label) already: choose another, or "
          + "change that one first", label: name.label)
    case .notADate(let name, _), .tooLarge(let name, _, _, _), .linkedValueIsNoID(let name),
      .lookupNeedsUnique(let name),
      .lookupFindsNothing(let name, _), .tooDeep(let name?, _),
      .changedMeanwhile(let name, _), .ledToMeanwhile(let name):
      Rejection(text: message, label: name.label)
    case .malformedStep, .invalidEntityID, .createsExisting, .updatesMissing, .unknownAttribute,
      .attributeExists, .mergesLink, .malformedAttribute, .nothingToRestore, .tooDeep(nil, _):
      Rejection(text: message)
    }
  }
}

extension Catalog {
  /// Whether another entity has a value that only one may have, as far as is known here.
  func isTaken(_ value: Value, under attribute: Attribute) -> Bool {
    guard attribute.isUnique, attribute.valueType == .blob, value != .null else { return false }
    let plan = QueryPlan(attribute.namespace)
      .filter(.compare(AttributePath([attribute.label]), .equal, value))
    do throws(QueryError) {
      return try QueryEngine.answer(plan.limit(1), in: store).total > 0
    } catch {
      // What cannot be looked up is for the store to refuse.
      return false
    }
  }
}
