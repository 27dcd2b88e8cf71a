import InstaQL
import LiveQueries
import Triples

// Stages changes, which the user reviews and sends together.
extension Workspace {
  /// Turns staging on. If changes are already staged, opens a menu for sending or discarding them.
  mutating func stageOrSend() -> [Effect] {
    guard changes.state.isStaging else {
      notice = .stagingOn
      return [.change(.beginStaging)]
    }
    guard let unsent = changes.state.unsent else {
      notice = .stagingOff
      return [.change(.endStaging)]
    }
    guard changes.state.stagedCount > 0 else { return notify(.sending(unsent)) }
    let isSending = changes.state.sendingCount > 0
    let send = MenuPane.Entry(
      key: "s", label: "send", detail: "as one transaction",
      actions: [.effect(.change(.send))])
    open(
      MenuPane(
        unsent,
        // Only one group of changes is sent at a time.
        (isSending ? [] : [send] + sendOverEntry) + [
          .init(
            key: "c", label: "see what changes", detail: "old → new",
            actions: [.open(Overlay(ChangesPane(showing: .staged)))]),
          .init(
            key: "t", label: "discard",
            detail: isSending ? "changes being sent are not affected" : "nothing is sent",
            actions: [.effect(.change(.discard))]),
          .init(key: "k", label: "keep staging", actions: []),
        ]))
    return []
  }

  /// The menu entry that sends the staged changes although other programs have changed the values
  /// that they replace; empty if no shown value has changed.
  private var sendOverEntry: [MenuPane.Entry] {
    let snapshots = shownValues
    let stores = snapshots.map(\.base.store)
    var newer: [(attribute: Attribute?, value: Value)] = []
    for change in changes.state.changes where change.state == .staged {
      let transaction = change.transaction.seen(in: stores)
      for (place, value) in transaction.seen.sorted(by: { $0.key < $1.key })
      where value != change.transaction.seen[place] {
        if case .addTriple(_, let id, _, _) = transaction.steps[place] {
          newer.append((known?.schema.attribute(id), value))
        } else {
          newer.append((nil, value))
        }
      }
    }
    guard let first = newer.first else { return [] }
    return [
      .init(
        key: "o", label: "send over newer values",
        detail: newer.count == 1
          ? ChangeSummary.newer(first.value, of: first.attribute)
          : "\(NumberText.count(newer.count, "value")) changed meanwhile",
        actions: [.effect(.change(.sendOver(snapshots)))])
    ]
  }

  /// The loaded snapshots with the values of the entities that staged changes update.
  private var shownValues: [StoreSnapshot] {
    guard store.isPartial else { return [catalog?.snapshot].compactMap { $0 } }
    let queries = known.map { changes.state.queries(in: $0.schema) } ?? []
    return queries.compactMap { store.sideQueries.snapshot(for: $0) }
      + [tab.results.shown?.snapshot].compactMap { $0 }
  }

  /// The number of changes of this session that are lost when the store closes.
  var changesInMemory: Int { store.rules.losesChanges ? changes.state.madeCount : 0 }

  /// The counts of unsent changes and of changes that are only in memory, such as `3 changes
  /// staged`; nil if there are none.
  var unsaved: String? {
    let inMemory = changesInMemory
    let parts = [
      changes.state.unsent,
      inMemory > 0 ? NumberText.count(inMemory, "change") + " only in memory" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Asks what to do with the unsaved changes of all stores before the program ends; nil when there
  /// are none.
  mutating func askBeforeQuitting() -> [Effect]? {
    let own = unsaved
    let asking = others.all.filter { $0.unsaved != nil }
    guard own != nil || !asking.isEmpty else { return nil }
    let parts =
      asking.isEmpty
      ? [own]
      : [own.map { "\(store.identity.name): \($0)" }]
        + asking.map { store in store.unsaved.map { "\(store.listing.name): \($0)" } }
    askBeforeLeaving(
      parts.compactMap { $0 }.joined(separator: " · "),
      isSending: changes.state.sendingCount > 0 || asking.contains { $0.isSending },
      isStored: (own == nil || changes.state.isStored) && asking.allSatisfy { $0.keepsStaged },
      losesChanges: changesInMemory > 0 || asking.contains { $0.losesChanges },
      MenuPane.Entry(key: "q", label: "quit", actions: [.effect(.quit(status: 0))]))
    return []
  }

  /// Opens a menu about unsaved changes before the program or the store is left.
  mutating func askBeforeLeaving(
    _ title: String, isSending: Bool, isStored: Bool, losesChanges: Bool, _ leave: MenuPane.Entry
  ) {
    let maySend = changes.state.stagedCount > 0 && changes.state.sendingCount == 0
    let send = MenuPane.Entry(
      key: "s", label: "send",
      detail: others.isEmpty ? "" : "the changes of \(store.identity.name)",
      actions: [.effect(.change(.send))])
    let export = MenuPane.Entry(
      key: "e", label: "export",
      detail: "rows or all of \(others.isEmpty ? "the store" : store.identity.name)",
      actions: [.perform(.export)])
    var leave = leave
    leave.detail =
      losesChanges
      ? "changes in memory are lost, unless exported"
      : isSending
        ? "you will not see whether they are stored"
        : isStored ? "they stay staged" : "they are lost"
    open(
      MenuPane(
        title,
        [.init(key: "k", label: "stay", actions: [])] + (maySend ? [send] : [])
          + (changesInMemory > 0 ? [export] : []) + [leave]))
  }

  /// Shows a notice about the staged changes of an earlier session, as soon as the store is loaded.
  mutating func remind(_ reminder: Notice) {
    changes.reminder = reminder
    if catalog != nil, !session.startup.isAwaited { showStagingReminder() }
  }

  mutating func showStagingReminder() {
    if let reminder = changes.reminder.take() { notice = reminder }
  }

  /// Opens a list of the differences that the staged changes make to the stored data.
  mutating func listStagedChanges() {
    let loaded = store.isPartial ? tab.results.shown?.snapshot : nil
    let queries = stagedLabelQueries + stagedInView
    changes.listStaged(
      catalog?.snapshot.pending.changes ?? [], on: (loaded ?? catalog?.snapshot)?.base,
      naming: queries.compactMap { store.sideQueries.snapshot(for: $0)?.base })
  }

  /// The queries for the labels of staged rows that are not loaded, while the list of staged changes
  /// is open.
  var stagedLabelQueries: [QueryPlan] {
    guard store.isPartial, let known, !changes.staged.missing.isEmpty,
      tab.overlays.contains(where: { ($0.pane as? ChangesPane)?.view == .staged })
    else { return [] }
    return changes.staged.missing.sorted { $0.key < $1.key }.map { namespace, entities in
      known.addingLabelFields(
        to: known.plan(ofRows: entities.suffix(Self.maxLabels), in: namespace), in: namespace)
    }
  }

  /// The maximum number of rows whose labels are queried, for each namespace.
  private static let maxLabels = 200
}
