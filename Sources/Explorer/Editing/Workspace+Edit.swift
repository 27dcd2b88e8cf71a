import LiveQueries
import TerminalUI
import Triples
import Widgets

// Edits the store.
extension Workspace {
  /// The entity and field at the cursor of the main panes; nil if there are none.
  private var target: EditTarget? {
    tab.focus == .results ? tab.results.chosenRow?.target : nil
  }

  /// If the store, or the rows of a namespace, are read-only, shows the reason. Returns false if they
  /// are writable.
  mutating func refuseToChange(_ namespace: String? = nil) -> Bool {
    let ofRows = namespace.flatMap { known?.schema.readOnlyReason(of: $0) }
    guard let reason = store.readOnlyReason ?? ofRows else { return false }
    notice = .error(reason)
    return true
  }

  mutating func edit(_ command: Command) -> [Effect] {
    if store.isReadOnlyWhileLoading { return performWhenLoaded(command) }
    if refuseToChange() { return [] }
    if command == .undoTransaction { return undoChange() }
    if command == .redoTransaction { return redoChange() }
    if command == .hold { return stageOrSend() }
    let added = tab.focus == .namespaces || tab.focus == .schema ? chosenNamespace : shownNamespace
    if command == .add, target == nil, let namespace = added { return addRow(to: namespace) }
    guard let target else {
      let isInResults = tab.overlays.isEmpty && tab.focus == .results
      return notify(isInResults || missingResultReason != nil ? missingRowReason : .selectCell)
    }
    if command == .delete, let namespace = namespaceOfMarks {
      return askBeforeDeletingMarked(of: namespace)
    }
    return edit(command, target)
  }

  /// Performs an editing command, such as editing or deleting, on a target.
  mutating func edit(_ command: Command, _ target: EditTarget) -> [Effect] {
    // A new row does not depend on the row at the cursor, which may be deleted.
    if command == .add, target.source?.isLink != true { return addRow(to: target.namespace) }
    if refuseToChange(target.namespace) { return [] }
    if command == .edit, changes.rejectedEdit?.isOf(target) == true {
      reopenRejectedEdit()
      return []
    }
    guard let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity),
      isThere(target.entity, in: target.namespace)
    else { return notify(.rowGone) }
    if changes.state.deletions.contains(target.entity) { return notify(.stagedForDeletion) }
    switch (command, target.source) {
    case (.edit, .attribute(let attribute)?):
      guard !attribute.isIdentity else { return notify(.idsCannotChange) }
      let value = catalog.store.value(handle, attribute.id)
      if let reason = attribute.readOnlyReason(of: value) { return notify(.error(reason)) }
      if let effects = editByChoice(target, attribute, value, in: catalog) { return effects }
      typeValue(of: target, attribute)
    case (.edit, .link(let link)?), (.add, .link(let link)?):
      open(ChooserPane(link, of: [target.entity]))
    case (.delete, .link(let link)?):
      guard let targets = targets(of: target.entity, link) else {
        return notify(.loadingLink(link.label))
      }
      if targets.entities.isEmpty { return askBeforeDeleting(target, handle, in: catalog) }
      open(unlinkMenu(link, of: target.entity, from: targets))
    case (.delete, _): return askBeforeDeleting(target, handle, in: catalog)
    default:
      notice = .selectValueOrLink
    }
    return []
  }

  /// Opens a prompt for a value of a row, or of all selected rows if there is no target.
  ///
  /// - Parameter text: The text that replaces the present value in the line; nil for none.
  mutating func typeValue(of target: EditTarget?, _ attribute: Attribute, _ text: String? = nil) {
    if let target {
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
      // Own changes that are still being sent are not conflicts.
      if !changes.state.contains(target.entity) { prompt?.replaced = .known(value) }
    } else {
      prompt = PromptPane(purpose(of: attribute, nil), text: "")
    }
    guard let text else { return }
    prompt?.field = TextField(text)
    checkPrompt()
  }

  /// Submits a transaction, unless a local check shows that the store would reject it.
  ///
  /// - Parameter summary: The effect of the transaction in words.
  /// - Returns: The effects to perform, or the rejection.
  mutating func send(
    _ steps: [TransactionStep], _ summary: String, typed: TypedChange? = nil
  ) -> Result<[Effect], Rejection> {
    guard let catalog = known else { return .failure(Rejection(.loading)) }
    guard let steps = expectingWhatIsThere(steps) else { return .failure(Rejection(.rowGone)) }
    let transaction = transaction(steps, in: catalog)
    var copy = catalog.store
    do throws(TransactionError) {
      // A partial store cannot tell which data is missing, so the server checks the transaction.
      let isWhole = !catalog.isServed
      // Preconditions apply to the store's own state, without staged changes.
      try copy.transact(Transaction(steps), rules: isWhole ? .store : .optimistic)
    } catch {
      return .failure(error.refusal)
    }
    return .success(submit(transaction, summary, SubmittedChange(hints: [.undoData], typed: typed)))
  }

  /// Deletes exactly what the user confirmed. The store rejects the deletion if the affected rows
  /// changed in the meantime.
  mutating func carryOut(
    _ deletion: DeletionPreviewRequest, canBeUndone: Bool, isKnownWhole: Bool
  ) -> [Effect] {
    guard let catalog = known else { return [] }
    guard isKnownWhole || store.isServerSilent else {
      return notify(.exactPreviewAvailable)
    }
    session.marks.recordDeletion(of: deletion.entities, in: deletion.namespace)
    return submit(
      transaction(deletion.steps, in: catalog), ChangeSummary.deleted(deletion.name),
      isKnownWhole: isKnownWhole, SubmittedChange(hints: canBeUndone ? [.undoData] : []))
  }

  /// Returns a transaction with the steps. If other programs write to the store, the transaction
  /// has preconditions on the values that the user saw.
  private func transaction(_ steps: [TransactionStep], in catalog: Catalog) -> Transaction {
    guard store.rules.changeDetection != nil else { return Transaction(steps) }
    // Side queries load the links of a partial store. Only the links of the answer stay current
    // when the view moves, so they come first.
    let linked = [catalog.linked].compactMap { $0 } + catalog.loadedLinks.values.map(\.snapshot)
    return Transaction(
      steps, seenIn: storedState ?? catalog.store,
      linksIn: store.isPartial ? linked.map(\.base.store) : nil)
  }

  /// The stored data, without staged changes.
  private var storedState: TripleStore? {
    (store.isPartial ? tab.results.shown?.snapshot : catalog?.snapshot)?.base.store
  }

  /// Returns the steps, with the precondition that the entities to change still exist.
  ///
  /// Otherwise a change to a deleted entity would create the entity again with a single value.
  ///
  /// - Returns: The steps; nil if an entity is known to be deleted.
  private func expectingWhatIsThere(_ steps: [TransactionStep]) -> [TransactionStep]? {
    // A step for a new entity's id creates the entity, so the entity need not exist. The step may
    // be staged.
    let made = Set(
      (changes.state.changes.flatMap(\.transaction.steps) + steps).compactMap { step -> EntityID? in
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

  /// Returns whether an entity exists in a namespace.
  ///
  /// Always returns true for a partial store, which may not have loaded the entity.
  func isThere(_ entity: EntityID, in namespace: String) -> Bool {
    guard let known, !known.isServed else { return true }
    return known.store.handle(of: entity).map { known.store.contains($0, in: namespace) } ?? false
  }

  /// Returns a menu with the targets of a link, in which the user selects the target to unlink.
  private func unlinkMenu(
    _ link: Link, of entity: EntityID, from targets: LinkTargets
  ) -> MenuPane {
    let (all, catalog) = (targets.entities, targets.catalog)
    let listed = Array(all.prefix(Self.maxUnlinked))
    let names = catalog.labels(of: listed, in: link.target)
    let rest =
      targets.isCut || all.count > listed.count
      ? ": the first \(NumberText.grouped(listed.count)) of \(targets.countText)" : ""
    return MenuPane(
      "Unlink from \(link.label)" + rest,
      zip(listed, names).enumerated().map { place, target in
        let (other, name) = target
        return MenuPane.Entry(
          // Targets have no letters as keys, since letters move the cursor and could unlink by
          // mistake.
          key: MenuPane.Entry.key(ofPlace: place), label: name,
          actions: [
            .send(
              [link.step(from: entity, to: catalog.store.id(of: other), adding: false)],
              ChangeSummary.unlinked(name))
          ])
      })
  }

  /// The maximum number of targets to list. For more, the user has to filter first.
  private static let maxUnlinked = 1_000

  /// Submits a typed value of a row, or of all selected rows if there is no target. If the value
  /// violates the schema, the prompt stays open with the reason.
  mutating func submit(_ attribute: Attribute, of target: EditTarget?, _ text: String) -> [Effect] {
    switch TypedValue.read(text, of: attribute) {
    case .failure(let refusal): return keepOpen(refusal.text)
    case .success(let value):
      if let target, let news = conflictNotice(target, attribute) { return keepOpen(news) }
      if target != nil, case .known(let before?)? = prompt?.replaced, before.isSameJSON(as: value) {
        prompt = nil
        return notify(.unchanged(attribute.label))
      }
      return set(attribute, to: value, of: target)
    }
  }

  /// Sets a value of a row, or of all selected rows if there is no target. If the value was typed and
  /// violates the schema, the prompt stays open with the reason.
  mutating func set(
    _ attribute: Attribute, to value: Value, of target: EditTarget?
  ) -> [Effect] {
    let store = tab.results.table?.catalog.store
    let entities = target.map { [$0.entity] } ?? markedEntities.compactMap { store?.id(of: $0) }
    guard !entities.isEmpty else {
      prompt = nil
      return notify(.noneSelected)
    }
    let sent = send(
      entities.map { .addTriple(.id($0), attribute.id, value) },
      ChangeSummary.updated(attribute.label, to: value, rows: entities.count),
      typed: target == nil ? nil : prompt.map { .line($0) })
    switch sent {
    case .failure(let refusal):
      return prompt == nil ? notify(refusal.notice) : keepOpen(refusal.text)
    case .success(let effects):
      prompt = nil
      return effects
    }
  }

  /// Returns the message that another client changed the value meanwhile. It is returned only once,
  /// so that the user can overwrite the value.
  private mutating func conflictNotice(
    _ target: EditTarget, _ attribute: Attribute
  ) -> String? {
    guard case .known(let before)? = prompt?.replaced,
      isThere(target.entity, in: target.namespace),
      let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity)
    else { return nil }
    let now = catalog.store.value(handle, attribute.id)
    guard now != before else { return nil }
    prompt?.replaced = .known(now)
    let text = TextWidth.truncated(
      catalog.text(of: handle, .attribute(attribute)), to: Self.maxValueWidth)
    return Notice.changedMeanwhile(to: now == nil || text.isEmpty ? nil : text).text
  }

  /// The maximum width of a value in that message, in columns.
  private static let maxValueWidth = 30
}

extension Schema {
  /// Returns a sentence that says why the rows of a namespace cannot be changed; nil if they can.
  func readOnlyReason(of namespace: String) -> String? {
    identity(of: namespace)?.readOnlyReason
      .map { "\(namespace) \($0), so Sonde cannot change its rows." }
  }
}

extension Attribute {
  /// Returns a sentence that says why a value cannot be changed; nil if it can.
  func readOnlyReason(of value: Value?) -> String? {
    let name = "\(namespace).\(label)"
    if isGenerated { return "\(name) is a generated column and cannot be edited." }
    let type = column?.type ?? ""
    if type.hasSuffix("[]") { return "\(name) is an array, which Sonde cannot edit." }
    return type == "bytea" || blobSize(of: value) != nil
      ? "\(name) contains binary data, which Sonde cannot edit." : nil
  }
}

extension Link {
  /// Returns the transaction step that links or unlinks two entities.
  func step(from: EntityID, to: EntityID, adding: Bool) -> TransactionStep {
    let (holder, value) = direction == .forward ? (from, to) : (to, from)
    return adding
      ? .addTriple(.id(holder), attribute.id, .text(value.text))
      : .retractTriple(.id(holder), attribute.id, .text(value.text))
  }
}
