import LiveQueries
import Triples

// Stages changes, which the user reviews and sends together.
extension Model {
  /// Begins to stage changes. If changes are already staged, opens a menu for sending or discarding
  /// them.
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

  /// Asks what to do with staged changes before the program ends; nil when there are none.
  mutating func askBeforeQuitting() -> [Effect]? {
    guard changes.stagedCount + changes.sendingCount > 0 else { return nil }
    let isSending = changes.sendingCount > 0
    let send = MenuPane.Entry(key: "s", label: "send", actions: [.effect(.change(.send))])
    let fate = changes.isStored ? "they stay staged" : "nothing is sent"
    open(
      MenuPane(
        changes.words,
        [.init(key: "k", label: "stay", actions: [])] + (isSending ? [] : [send]) + [
          .init(
            key: "q", label: "quit",
            detail: isSending ? "their result will not be shown" : fate,
            actions: [.effect(.quit(status: 0))])
        ]))
    return []
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

  /// Shows a notice about the changes of an earlier session as soon as the store is loaded.
  private mutating func remind(_ reminder: Notice) {
    stagingReminder = reminder
    if catalog != nil, !startup.isAwaited { showStagingReminder() }
  }

  mutating func showStagingReminder() {
    guard let reminder = stagingReminder else { return }
    stagingReminder = nil
    notice = reminder
  }

  /// Lists the differences that the staged changes make to the newest data.
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

  /// The numbers of changes being sent and staged, in words, such as `3 changes staged`.
  fileprivate var words: String {
    let parts = [
      sendingCount > 0 ? StagingWords.changes(sendingCount) + " being sent" : nil,
      stagedCount > 0 ? StagingWords.changes(stagedCount) + " staged" : nil,
    ]
    return parts.compactMap { $0 }.joined(separator: ", ")
  }
}
