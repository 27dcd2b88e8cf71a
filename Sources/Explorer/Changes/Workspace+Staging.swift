import LiveQueries
import Triples

// Stages changes, which the user reviews and sends together.
extension Workspace {
  /// Turns staging on. If changes are already staged, opens a menu for sending or discarding them.
  mutating func stageOrSend() -> [Effect] {
    guard changes.isStaging else {
      notice = .stagingOn
      return [.change(.beginStaging)]
    }
    guard changes.stagedCount + changes.sendingCount > 0 else {
      notice = .stagingOff
      return [.change(.endStaging)]
    }
    guard changes.stagedCount > 0 else {
      notice = .sending(changes.words)
      return []
    }
    let isSending = changes.sendingCount > 0
    let send = MenuPane.Entry(
      key: "s", label: "send", detail: "as one transaction",
      actions: [.effect(.change(.send))])
    open(
      MenuPane(
        changes.words,
        // Only one group of changes is sent at a time.
        (isSending ? [] : [send]) + [
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

  /// Asks what to do with the unsent changes of all stores before the program ends; nil when there
  /// are none.
  mutating func askBeforeQuitting() -> [Effect]? {
    let own = changes.stagedCount + changes.sendingCount > 0 ? changes.words : nil
    let unsent = others.all.filter { $0.unsent != nil }
    guard own != nil || !unsent.isEmpty else { return nil }
    let parts =
      unsent.isEmpty
      ? [own]
      : [own.map { "\(store.name): \($0)" }]
        + unsent.map { store in store.unsent.map { "\(store.name): \($0)" } }
    askBeforeLeaving(
      parts.compactMap { $0 }.joined(separator: " · "),
      isSending: changes.sendingCount > 0 || unsent.contains { $0.isSending },
      isStored: (own == nil || changes.isStored) && unsent.allSatisfy { $0.keepsStaged },
      MenuPane.Entry(key: "q", label: "quit", actions: [.effect(.quit(status: 0))]))
    return []
  }

  /// Opens a menu about unsent changes before the program or the store is left.
  mutating func askBeforeLeaving(
    _ title: String, isSending: Bool, isStored: Bool, _ leave: MenuPane.Entry
  ) {
    let maySend = changes.stagedCount > 0 && changes.sendingCount == 0
    let send = MenuPane.Entry(
      key: "s", label: "send", detail: others.isEmpty ? "" : "those of \(store.name)",
      actions: [.effect(.change(.send))])
    var leave = leave
    leave.detail =
      isSending
      ? "their result will not be shown" : isStored ? "they stay staged" : "nothing is sent"
    open(
      MenuPane(
        title,
        [.init(key: "k", label: "stay", actions: [])] + (maySend ? [send] : []) + [leave]))
  }

  mutating func reportStaging(_ report: ChangeReport) {
    switch report {
    case .staged(let count): notice = .staged(count)
    case .unstaged(let summary): notice = .unstaged(summary)
    case .discarded(let count, let isSending): notice = .discarded(count, isSending: isSending)
    case .stillSending: notice = .sending(changes.words)
    case .restored(let count, let unreadable):
      remind(unreadable > 0 ? .unreadableStaged(unreadable) : .restoredStaged(count))
    case .keptForWriter(let count): remind(.stagedButReadOnly(count, readOnlyReason ?? ""))
    case .notRestored(let reason): notice = .stagedUnavailable(reason)
    case .notStored(let reason): notice = .notSaved(reason)
    case .done, .undone, .dequeued, .rejected, .undoRejected, .rejectedLater, .undoQueued,
      .undoQueuedAfterLater, .nothingToUndo, .nothingToRedo:
      break
    }
  }

  /// Shows a notice about the staged changes of an earlier session, as soon as the store is loaded.
  private mutating func remind(_ reminder: Notice) {
    stagingReminder = reminder
    if catalog != nil, !startup.isAwaited { showStagingReminder() }
  }

  mutating func showStagingReminder() {
    guard let reminder = stagingReminder else { return }
    stagingReminder = nil
    notice = reminder
  }

  /// Opens a list of the differences that the staged changes make to the stored data.
  mutating func listStagedChanges() {
    let pending = catalog?.snapshot.pending.changes.filter { $0.stagedParts > 0 } ?? []
    let base = isPartial ? tab.results.shown?.snapshot.base : catalog?.snapshot.base
    guard !pending.isEmpty, let base else {
      stagedEntries = []
      return
    }
    let (store, all) = StagedChanges.applying(pending, to: base.store)
    stagedEntries = ChangeLog.entries(
      of: all, from: base, to: StoreSnapshot(store, served: base.served), number: nil)
  }
}

extension ChangesState {
  var stagedCount: Int { count { $0 == .staged } }
  /// The number of staged changes that are being sent.
  var sendingCount: Int { count { $0 != .staged } }

  private func count(_ isCounted: (PendingChange.State) -> Bool) -> Int {
    changes.reduce(0) { $0 + (isCounted($1.state) ? $1.stagedParts : 0) }
  }

  /// The numbers of staged changes and of changes being sent, such as `3 changes staged`.
  var words: String {
    let parts = [
      sendingCount > 0 ? StagingWords.changes(sendingCount) + " being sent" : nil,
      stagedCount > 0 ? StagingWords.changes(stagedCount) + " staged" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}
