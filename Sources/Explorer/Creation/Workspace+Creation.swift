import InstaQL
import Triples

// Creates entities: opens a draft, assigns an id and shows the store's rejections.
extension Workspace {
  /// Opens the form for a new row, unless the rows of the namespace are read-only.
  mutating func addRow(to namespace: String) -> [Effect] {
    guard let catalog = known, !refuseToChange(namespace) else { return [] }
    if case .draft(let draft)? = changes.rejectedEdit?.typed, draft.namespace == namespace {
      reopenRejectedEdit()
    } else {
      open(NewEntityPane(EntityDraft(of: namespace, in: catalog)))
    }
    return []
  }

  /// Creates the drafted entity with the id `id`. Errors are shown at the fields that they concern.
  mutating func make(_ id: EntityID) -> [Effect] {
    guard let catalog = known, let draft = (tab.overlays.last?.pane as? NewEntityPane)?.draft else {
      return []
    }
    let sent = draft.steps(id, in: catalog).flatMap {
      send($0, ChangeSummary.created(draft.name), typed: .draft(draft))
    }
    switch sent {
    case .success(let effects):
      closeOverlay()
      if shownNamespace == draft.namespace { tab.results.awaited = id }
      return effects
    case .failure(let refusal):
      updatePane(NewEntityPane.self) { pane, _ in pane.refuse(refusal) }
      return []
    }
  }

  /// Adds the entity that the user chose as a link target to the form that opened the chooser.
  mutating func fill(_ linked: EntityDraft.Linked) {
    updatePane(NewEntityPane.self) { $0.addTarget(linked, in: $1) }
  }
}

extension TransactionError {
  /// The rejection to show, with a shorter message if the error's own message is too detailed.
  var refusal: Rejection {
    switch self {
    case .missingRequired(let name, _):
      Rejection(text: "\(name.label) is required in \(name.namespace)", label: name.label)
    case .wrongType(let name, let expected, _):
      Rejection(text: "\(name.label) must be \(expected.words)", label: name.label)
    case .notUnique(let name, _, _):
      Rejection(
        text: "Another row of \(name.namespace) has this \(name.label). Choose another value, or "
          + "change that row first.", label: name.label)
    case .notADate(let name, _), .tooLarge(let name, _, _, _), .linkedValueIsNoID(let name),
      .lookupNeedsUnique(let name),
      .lookupFindsNothing(let name, _), .tooDeep(let name?, _),
      .changedMeanwhile(let name, _), .ledToMeanwhile(let name):
      Rejection(text: message, label: name.label)
    case .malformedTransaction, .malformedStep, .invalidEntityID, .createsExisting,
      .updatesMissing, .unknownAttribute, .attributeExists, .mergesLink, .malformedAttribute,
      .nothingToRestore, .tooDeep(nil, _):
      Rejection(text: message)
    }
  }
}

extension Catalog {
  /// Returns whether another known entity has the same value of a unique attribute.
  func isTaken(_ value: Value, under attribute: Attribute) -> Bool {
    guard attribute.isUnique, attribute.valueType == .blob, value != .null else { return false }
    let plan = QueryPlan(attribute.namespace)
      .filter(.compare(AttributePath([attribute.label]), .equal, value))
    do throws(QueryError) {
      return try QueryEngine.answer(plan.limit(1), in: store).total > 0
    } catch {
      // A value that cannot be looked up here is checked by the store.
      return false
    }
  }
}
