import LiveQueries
import TerminalUI
import Triples

// Sends changes to the store, and shows notices about them.
extension Workspace {
  /// Submits a change to the store, or stages it.
  ///
  /// - Parameter summary: The effect of the change in words.
  mutating func submit(
    _ transaction: Transaction, _ summary: String, isKnownWhole: Bool = true,
    _ change: SubmittedChange
  ) -> [Effect] {
    lastSubmitted += 1
    if !changes.isStaging {
      submitted[lastSubmitted] = change
      if isPartial { sideQueries.kept += panesInView }
    }
    return [
      .change(
        .make(
          transaction,
          Submission(summary: summary, isKnownWhole: isKnownWhole, tag: lastSubmitted)))
    ]
  }

  /// Whether a change is being sent to the store.
  var isSending: Bool { !submitted.isEmpty || changes.isSending }

  /// Stores the new state of all changes and shows a notice for the report, if there is one.
  mutating func updateChanges(_ report: ChangeReport?, _ state: ChangesState) -> [Effect] {
    if state.version >= changes.version { changes = state }
    if let report { showReport(report) }
    return []
  }

  private mutating func showReport(_ report: ChangeReport) {
    switch report {
    case .done(let change, let undo): reportDone(change, undo)
    case .undone(let change, let isWhole):
      let summary = isWhole ? ChangeSummary.undone : ChangeSummary.partlyUndone
      show(doneNotice(summary, hints: [hintAfterUndo]), of: change)
    case .dequeued(let change):
      show(.done(ChangeSummary.dequeued, hints: [hintAfterUndo]), of: change)
    case .rejected(let change, let reason): reportRejected(change, reason)
    case .undoRejected(let change, let reason):
      notice = .undoRejected(named(reason)).keptUntil(after: change.newest)
    case .rejectedLater(let count, let reason, let newest):
      notice = .rejectedLater(count, reason).keptUntil(after: newest)
    case .undoQueued(let summary): notice = .undoQueued(summary)
    case .undoQueuedAfterLater: notice = .undoQueuedAfterLater
    case .nothingToUndo: notice = .nothingToUndo
    case .nothingToRedo: notice = .nothingToRedoInData
    case .staged, .unstaged, .discarded, .stillSending, .restored, .keptForWriter, .notRestored,
      .notStored:
      reportStaging(report)
    }
  }

  private mutating func reportDone(_ change: EndedChange, _ undo: ChangeReport.Undo) {
    let own = submitted.removeValue(forKey: change.submission.tag)
    var (summary, hints) = (change.submission.summary, own?.hints ?? [])
    if change.stagedParts > 0 {
      summary = ChangeSummary.sent(change.stagedParts)
      hints = [.key(.undoTransaction, "undo all of it")]
    }
    switch undo {
    // The usual notice would promise an undo, which is impossible here.
    case .impossible: return show(.doneForGood(summary), of: change)
    case .whileQueued: hints = [.key(.undoTransaction, "undo before it is sent")]
    case .possible, .needless: break
    }
    show(doneNotice(summary, hints: hints), of: change)
  }

  /// Returns the notice of a completed change.
  ///
  /// If updates are paused, the notice says so, since the rows do not show the change yet.
  private func doneNotice(_ summary: String, hints: [KeyHint]) -> Notice {
    tab.held == nil ? .done(summary, hints: hints) : .doneWhilePaused(summary)
  }

  private var hintAfterUndo: KeyHint {
    changes.nextUndo == .nothing
      ? .key(.changes) : .key(.undoTransaction, "undo the one before")
  }

  /// Shows the notice about a completed change, unless that would hide a newer rejection.
  private mutating func show(_ news: Notice, of change: EndedChange) {
    if let refusedBy = notice?.refusedBy, change.number <= refusedBy { return }
    notice = news
  }

  private mutating func reportRejected(_ change: EndedChange, _ reason: String) {
    let own = submitted.removeValue(forKey: change.submission.tag)
    let reason = named(reason)
    notice = .rejected(reason).keptUntil(after: change.newest)
    if change.stagedParts > 0 {
      notice = .stagedRejected(reason).keptUntil(after: change.newest)
    } else if let typed = own?.typed, !change.wasUnwanted {
      let news = Notice.rejected(reason, typed: typed.command).keptUntil(after: change.newest)
      rejectedEdit = RejectedEdit(typed: typed, reason: reason, notice: news)
      notice = news
    }
  }

  /// Returns a rejection reason in which each entity's id is followed by its label.
  private func named(_ reason: String) -> String {
    (tab.results.table?.catalog ?? catalog)?.naming(entitiesIn: reason) ?? reason
  }
}

// Undoes and redoes changes of data.
extension Workspace {
  /// Undoes the newest change, even while it is being sent to the store.
  mutating func undoChange() -> [Effect] {
    switch changes.nextUndo {
    case .change: return [.change(.undo)]
    case .failed(let reason, let isLast): open(failedUndoMenu(reason, isLast: isLast))
    case .nothing:
      if let carriedOver { open(carriedOver.menu) } else { notice = .nothingToUndo }
    }
    return []
  }

  /// Makes the last undone change again.
  mutating func redoChange() -> [Effect] {
    guard changes.canRedo else {
      notice = .nothingToRedoInData
      return []
    }
    return [.change(.redo)]
  }

  /// Returns a menu of remedies for an undo that the store rejected.
  ///
  /// - Parameter isLast: Whether no earlier change can be undone.
  private func failedUndoMenu(_ reason: String, isLast: Bool) -> MenuPane {
    let heading = "Not undone: \(reason)"
    // The reason was already shown as a notice. The hints must stay visible.
    return MenuPane(
      TextWidth.columns(of: heading) + 8 <= size.columns ? heading : "Not undone",
      [
        .init(key: "t", label: "try again", actions: [.effect(.change(.retryUndo))]),
        .init(
          key: "l", label: "skip it",
          detail: isLast
            ? "there is no earlier change" : "and undo the change before it",
          actions: [.effect(.change(.skipUndo))]),
        .init(key: "s", label: "close", detail: "and decide later", actions: []),
      ])
  }

  /// The newest queued change of an earlier session; nil if there is none or its server is
  /// reachable.
  var carriedOver: CarriedOverChange? {
    guard isServerSilent, !isSending, let pending = catalog?.snapshot.pending,
      let newest = pending.left
    else { return nil }
    return CarriedOverChange(newest: newest, count: pending.count)
  }
}

/// Queued changes of an earlier session that wait for an unreachable server.
struct CarriedOverChange: Sendable, Equatable {
  let newest: MutationID
  let count: Int

  fileprivate var menu: MenuPane {
    MenuPane(
      "\(StagingWords.changes(count)) from an earlier session \(count == 1 ? "is" : "are") queued",
      [
        .init(key: "k", label: "keep", detail: "sent when the server is back", actions: []),
        .init(
          key: "d", label: count == 1 ? "discard it" : "discard the last",
          detail: "the server may already have it", actions: [.effect(.change(.drop(newest)))]),
      ])
  }
}

// Reports and cancels changes that the store cannot make because of an obstacle.
extension Workspace {
  /// The reason why the store cannot accept changes, as the start of a sentence; nil if it can.
  var blocker: String? { catalog?.snapshot.pending.blocker }

  var blockedCount: Int {
    catalog?.snapshot.pending.changes.count { $0.state == .blocked } ?? 0
  }

  /// The notice that changes are blocked, with the key that cancels them; nil if none are blocked.
  var blockedOutlook: Notice? {
    blocker != nil && blockedCount > 0 ? .blocked(changes: blockedCount) : nil
  }

  /// Cancels the blocked changes. Returns nil when there are none.
  mutating func cancelBlocked() -> [Effect]? {
    guard blockedOutlook != nil else { return nil }
    notice = .cancelingChanges
    return [.change(.cancelSending)]
  }
}

extension ChangesState {
  /// Whether any of the changes is being sent.
  var isSending: Bool { changes.contains { $0.state != .staged } }

  /// Returns whether one of the changes modifies an entity.
  func contains(_ entity: EntityID) -> Bool {
    changes.contains { change in
      change.transaction.steps.contains { $0.entity == .id(entity) }
    }
  }

  /// Returns whether an entity is staged for deletion.
  func deletes(_ entity: EntityID) -> Bool {
    changes.contains { change in
      change.isShown
        && change.transaction.steps.contains { step in
          if case .deleteEntity(.id(entity), _) = step { true } else { false }
        }
    }
  }
}
