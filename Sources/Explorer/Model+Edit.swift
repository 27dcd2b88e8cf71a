import InstaQL
import LiveQueries
import TerminalUI
import Triples

/// The thing that an edit is about: an entity, and which of its attributes or links.
struct EditTarget: Sendable, Equatable {
  let entity: EntityID
  let namespace: String
  /// Nil for the entity as a whole.
  let source: TableColumn.Source?
}

/// What a sent transaction was for, to be said when it is done.
package struct Deed: Sendable, Equatable {
  /// What it did, in words without a full stop.
  let summary: String
  /// Keys that help when it is done.
  var hints: [KeyHint] = []
  /// What took something back, where this was itself an undoing.
  var undoing: WayBack?
  /// Whether all was known of what it changed, so that all of it can be taken back.
  var isKnownWhole = true
  /// Whether it was kept back before.
  var wasKeptBack = false
  /// Which of the changes that were ever sent it is, from 1.
  var number = 0
  /// What was typed for it; nil when it was chosen.
  var typed: TypedChange?

  var notice: Notice { .done(summary, hints: hints) }
}

// Changing the store.
extension Model {
  /// What the cursor of the standing panes is on.
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

  /// Why nothing can be changed, and what would help; nil when it can.
  var whyReadOnly: String? { catalog?.snapshot.whyReadOnly ?? store.whyReadOnly }

  /// Says why nothing can be changed; false when it can.
  mutating func refuseToChange() -> Bool {
    guard let reason = whyReadOnly else { return false }
    notice = .error(reason)
    return true
  }

  mutating func edit(_ intent: Intent) -> [Effect] {
    if refuseToChange() { return [] }
    if intent == .undoTransaction { return undoTransaction() }
    if intent == .hold { return holdChanges() }
    let added = tab.focus == .namespaces || tab.focus == .schema ? chosenNamespace : shownNamespace
    if intent == .add, target == nil, let namespace = added {
      openDraft(of: namespace)
      return []
    }
    guard let target else {
      let isInResults = tab.overlays.isEmpty && tab.focus == .results
      notice = isInResults || whyNoAnswer != nil ? whyNoRow : .selectCell
      return []
    }
    return edit(intent, target)
  }

  /// Does what one of the editing keys asks for to `target`.
  mutating func edit(_ intent: Intent, _ target: EditTarget) -> [Effect] {
    if refuseToChange() { return [] }
    if intent == .edit, refused?.isOf(target) == true {
      bringBackRefused()
      return []
    }
    guard let catalog = catalog(knowing: target.entity),
      let handle = catalog.store.handle(of: target.entity),
      isThere(target.entity, in: target.namespace)
    else {
      notice = .rowGone
      return []
    }
    if unsent?.deleted.contains(target.entity) == true {
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
      prompt = PromptPane(
        .value(target, attribute),
        TypedValue.proposal(
          for: value, shownAs: catalog.text(of: handle, .attribute(attribute)), of: attribute))
      // What is on its way from here is soon there, and no news.
      if !underWay.entities.contains(target.entity) { prompt?.replaced = .known(value) }
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

  /// Sends a transaction; one that this store would refuse is not sent.
  ///
  /// - Parameters:
  ///   - summary: What will have been done then, in words.
  /// - Returns: The refusal, or what to do.
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
      // Who knows a part cannot tell what is missing: that is for the store to say.
      let isWhole = catalog.snapshot.served == nil
      // What was seen is what the store holds, and not what is kept back here.
      try copy.transact(Transaction(steps), rules: isWhole ? .store : .optimistic)
    } catch {
      return .failure(error.refusal)
    }
    return .success(
      carryOut(transaction, Deed(summary: summary, hints: [.undoData], typed: typed)))
  }

  /// Deletes what it was told of; the store refuses what has become wrong since.
  mutating func carryOut(_ deletion: AnnouncedDeletion) -> [Effect] {
    guard let catalog = known else { return [] }
    guard deletion.isKnownWhole || isServerSilent else {
      notice = .exactPreviewAvailable
      return []
    }
    let deed = Deed(
      summary: deletion.summary, hints: deletion.canBeUndone ? [.undoData] : [],
      isKnownWhole: deletion.isKnownWhole)
    return carryOut(transaction(deletion.steps, in: catalog), deed)
  }

  /// Where others write as well, what was not seen here is not overwritten.
  private func transaction(_ steps: [TransactionStep], in catalog: Catalog) -> Transaction {
    store.howLive == nil ? Transaction(steps) : Transaction(steps, seenIn: told ?? catalog.store)
  }

  private mutating func carryOut(_ transaction: Transaction, _ deed: Deed) -> [Effect] {
    guard unsent == nil else {
      keepBack(transaction, deed.summary)
      return []
    }
    if isElsewhere { beside.kept += panesInView }
    return [underWay.send(transaction, deed)]
  }

  /// What the store says by itself, without what is kept back.
  private var told: TripleStore? {
    (isElsewhere ? tab.results.shown?.snapshot : catalog?.snapshot)?.store
  }

  /// The same steps, with the demand that what they change is there when the store carries them out:
  /// otherwise the change of something that was deleted would make it anew, with one value alone.
  ///
  /// - Returns: Nil where something is known to be gone already.
  private func expectingWhatIsThere(_ steps: [TransactionStep]) -> [TransactionStep]? {
    // What is made says its own id, here or among what is kept back.
    let made = Set(
      ((unsent?.changes.flatMap(\.steps) ?? []) + steps).compactMap { step -> EntityID? in
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

  /// Whether an entity is there. Who knows a part cannot tell: that is for the store to say.
  func isThere(_ entity: EntityID, in namespace: String) -> Bool {
    guard let known, known.snapshot.served == nil else { return true }
    return known.store.handle(of: entity).map { known.store.contains($0, in: namespace) } ?? false
  }

  /// The entities that a link leads to, each with the way to let it go.
  private func unlinkMenu(
    _ link: Link, of entity: EntityID, from all: [EntityHandle], in catalog: Catalog
  ) -> MenuPane {
    let targets = all.prefix(Self.mostUnlinked)
    let rest =
      all.count > targets.count
      ? ": the first \(NumberText.grouped(targets.count)) of \(NumberText.grouped(all.count))" : ""
    return MenuPane(
      "Unlink from \(link.label)" + rest,
      targets.enumerated().map { place, other in
        let name = catalog.label(of: other, in: link.target)
        return MenuPane.Entry(
          // Letters move the cursor: one that unlinked as well would do so by mistake.
          key: place < 9 ? Character("\(place + 1)") : nil, label: name,
          wishes: [
            .send(
              [
                link.step(from: entity, to: catalog.store.id(of: other), adding: false)
              ],
              ChangeSummary.unlinked(name))
          ])
      })
  }

  /// More entities of one link are not offered: a filter finds the others.
  private static let mostUnlinked = 1_000
}

extension Link {
  /// The step that makes this link between two entities, or takes it away.
  func step(from: EntityID, to: EntityID, adding: Bool) -> TransactionStep {
    let (holder, value) = direction == .forward ? (from, to) : (to, from)
    return adding
      ? .addTriple(.id(holder), attribute.id, .text(value.text))
      : .retractTriple(.id(holder), attribute.id, .text(value.text))
  }
}
