import InstaQL
import LiveQueries
import TerminalUI
import Triples

// Editing the store.
extension Model {
  /// The target under the cursor of the main panes.
  private var target: EditTarget? {
    guard tab.focus == .results, let table = tab.results.table,
      let chosen = tab.results.chosenEntity
    else {
      return nil
    }
    return EditTarget(
      entity: table.catalog.store.id(of: chosen.entity), namespace: chosen.namespace,
      source: tab.results.chosenColumn?.source)
  }

  /// The reason why the store is read-only, with advice; nil if it is not.
  var readOnlyReason: String? { catalog?.snapshot.readOnlyReason ?? store.readOnlyReason }

  /// Shows why the store is read-only; false if it is not.
  mutating func refuseToChange() -> Bool {
    guard let reason = readOnlyReason else { return false }
    notice = .error(reason)
    return true
  }

  mutating func edit(_ intent: Intent) -> [Effect] {
    if refuseToChange() { return [] }
    if intent == .undoTransaction { return undoChange() }
    if intent == .redoTransaction { return redoChange() }
    if intent == .hold { return stageOrSend() }
    let added = tab.focus == .namespaces || tab.focus == .schema ? chosenNamespace : shownNamespace
    if intent == .add, target == nil, let namespace = added {
      openDraft(of: namespace)
      return []
    }
    guard let target else {
      let isInResults = tab.overlays.isEmpty && tab.focus == .results
      notice = isInResults || missingResultReason != nil ? missingRowReason : .selectCell
      return []
    }
    return edit(intent, target)
  }

  /// Performs an editing intent on `target`.
  mutating func edit(_ intent: Intent, _ target: EditTarget) -> [Effect] {
    if refuseToChange() { return [] }
    if intent == .edit, rejectedEdit?.isOf(target) == true {
      reopenRejectedEdit()
      return []
    }
    guard let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity),
      isThere(target.entity, in: target.namespace)
    else {
      notice = .rowGone
      return []
    }
    if changes.deletes(target.entity) {
      notice = .stagedForDeletion
      return []
    }
    switch (intent, target.source) {
    case (.edit, .attribute(let attribute)?):
      guard attribute.label != "id" else {
        notice = .idsCannotChange
        return []
      }
      let value = catalog.store.value(handle, attribute.id)
      if let effects = editByChoice(target, attribute, value, in: catalog) { return effects }
      typeValue(of: target, attribute)
    case (.edit, .link(let link)?), (.add, .link(let link)?):
      open(ChooserPane(link, of: target.entity))
    case (.add, _): openDraft(of: target.namespace)
    case (.delete, .link(let link)?):
      guard let (targets, there) = targets(of: target.entity, link) else {
        notice = .loadingLink(link.label)
        return []
      }
      if targets.isEmpty { return askBeforeDeleting(target, handle, in: catalog) }
      open(unlinkMenu(link, of: target.entity, from: targets, in: there))
    case (.delete, _): return askBeforeDeleting(target, handle, in: catalog)
    default:
      notice = .selectValueOrLink
    }
    return []
  }

  /// Opens a line for the value of an attribute.
  mutating func typeValue(of target: EditTarget, _ attribute: Attribute) {
    guard let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity)
    else {
      notice = .rowGone
      return
    }
    let value = catalog.store.value(handle, attribute.id)
    prompt = PromptPane(
      .value(target, attribute),
      TypedValue.proposal(
        for: value, shownAs: catalog.text(of: handle, .attribute(attribute)), of: attribute))
    // The user's own changes in flight are not conflicts.
    if !changes.contains(target.entity) { prompt?.replaced = .known(value) }
  }

  /// Submits a transaction unless this store would reject it.
  ///
  /// - Parameters:
  ///   - summary: The effect of the transaction in words.
  /// - Returns: The rejection, or the effects to perform.
  mutating func send(
    _ steps: [TransactionStep], _ summary: String, typed: TypedChange? = nil
  ) -> Result<[Effect], Rejection> {
    guard let catalog = known else {
      return .failure(Rejection(.loading))
    }
    guard let steps = expectingWhatIsThere(steps) else { return .failure(Rejection(.rowGone)) }
    let transaction = transaction(steps, in: catalog)
    var copy = catalog.store
    do throws(TransactionError) {
      // A partial store cannot tell what is missing, so that the server has to check it.
      let isWhole = catalog.snapshot.served == nil
      // Preconditions are about the store's own state, without staged changes.
      try copy.transact(Transaction(steps), rules: isWhole ? .store : .optimistic)
    } catch {
      return .failure(error.refusal)
    }
    return .success(
      submit(transaction, summary, SubmittedChange(hints: [.undoData], typed: typed)))
  }

  /// Deletes exactly what was confirmed; the store rejects what has become wrong since.
  mutating func carryOut(_ deletion: ConfirmedDeletion) -> [Effect] {
    guard let catalog = known else { return [] }
    guard deletion.isKnownWhole || isServerSilent else {
      notice = .exactPreviewAvailable
      return []
    }
    return submit(
      transaction(deletion.steps, in: catalog), deletion.summary,
      isKnownWhole: deletion.isKnownWhole,
      SubmittedChange(hints: deletion.canBeUndone ? [.undoData] : []))
  }

  /// A transaction with preconditions on the values seen here, if other programs write to the
  /// store.
  private func transaction(_ steps: [TransactionStep], in catalog: Catalog) -> Transaction {
    store.changeDetection == nil
      ? Transaction(steps) : Transaction(steps, seenIn: storedState ?? catalog.store)
  }

  /// The store without staged changes.
  private var storedState: TripleStore? {
    (isPartial ? tab.results.shown?.snapshot : catalog?.snapshot)?.base.store
  }

  /// Adds the precondition that the changed entities still exist.
  ///
  /// Otherwise a change to a deleted entity would create it again with a single value.
  ///
  /// - Returns: Nil if an entity is known to be deleted already.
  private func expectingWhatIsThere(_ steps: [TransactionStep]) -> [TransactionStep]? {
    // A new entity defines its own id, here or among the staged changes.
    let made = Set(
      (changes.changes.flatMap(\.transaction.steps) + steps).compactMap { step -> EntityID? in
        guard case .addTriple(.id(let entity), let attribute, _, _) = step,
          known?.schema.attribute(attribute)?.isIdentity == true
        else { return nil }
        return entity
      })
    var expecting: [TransactionStep] = []
    for step in steps {
      guard case .addTriple(.id(let entity), let id, let value, _) = step,
        let attribute = known?.schema.attribute(id)
      else {
        expecting.append(step)
        continue
      }
      let isMade = made.contains(entity)
      guard isMade || isThere(entity, in: attribute.namespace) else { return nil }
      if attribute.valueType == .ref, let other = value.textValue.map({ EntityID($0) }),
        let namespace = attribute.reverse?.namespace, !made.contains(other),
        !isThere(other, in: namespace)
      {
        return nil
      }
      expecting.append(isMade ? step : .addTriple(.id(entity), id, value, .update))
    }
    return expecting
  }

  /// Whether an entity exists.
  ///
  /// True in a partial store, which may not know the entity.
  func isThere(_ entity: EntityID, in namespace: String) -> Bool {
    guard let known, known.snapshot.served == nil else { return true }
    return known.store.handle(of: entity).map { known.store.contains($0, in: namespace) } ?? false
  }

  /// A menu of the targets of a link, each with the action to unlink it.
  private func unlinkMenu(
    _ link: Link, of entity: EntityID, from all: [EntityHandle], in catalog: Catalog
  ) -> MenuPane {
    let targets = all.prefix(Self.maxUnlinked)
    let rest =
      all.count > targets.count
      ? ": the first \(NumberText.grouped(targets.count)) of \(NumberText.grouped(all.count))" : ""
    return MenuPane(
      "Unlink from \(link.label)" + rest,
      targets.enumerated().map { place, other in
        let name = catalog.label(of: other, in: link.target)
        return MenuPane.Entry(
          // Letters move the cursor and must not unlink by mistake.
          key: place < 9 ? Character("\(place + 1)") : nil, label: name,
          actions: [
            .send(
              [
                link.step(from: entity, to: catalog.store.id(of: other), adding: false)
              ],
              ChangeSummary.unlinked(name))
          ])
      })
  }

  /// The maximum number of link targets listed; a filter finds the others.
  private static let maxUnlinked = 1_000
}

extension Link {
  /// The step that links or unlinks two entities.
  func step(from: EntityID, to: EntityID, adding: Bool) -> TransactionStep {
    let (holder, value) = direction == .forward ? (from, to) : (to, from)
    return adding
      ? .addTriple(.id(holder), attribute.id, .text(value.text))
      : .retractTriple(.id(holder), attribute.id, .text(value.text))
  }
}
