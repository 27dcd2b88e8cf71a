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
    let number = changes.submit(change)
    if !changes.state.isStaging, store.isPartial { store.sideQueries.undoQueries += panesInView }
    return [
      .change(
        .make(transaction, Submission(summary: summary, isKnownWhole: isKnownWhole, tag: number)))
    ]
  }

  mutating func showReport(_ report: ChangeReport) {
    switch report {
    case .done(let change, let undo): reportDone(change, undo)
    case .undone(let change, let isWhole):
      goToCreated(by: change)
      let summary = isWhole ? ChangeSummary.undone : ChangeSummary.partlyUndone
      show(doneNotice(summary, hints: [hintAfterUndo]), of: change)
    case .dequeued(let change):
      show(.done(ChangeSummary.dequeued, hints: [hintAfterUndo]), of: change)
    case .rejected(let change, let reason): notice = changes.reject(change, named(reason))
    case .undoRejected(let change, let reason):
      notice = .undoRejected(named(reason)).keptUntil(after: change.newest)
    case .rejectedLater(let count, let reason, let newest):
      notice = .rejectedLater(count, reason).keptUntil(after: newest)
    case .undoQueued(let summary): notice = .undoQueued(summary)
    case .undoQueuedAfterLater: notice = .undoQueuedAfterLater
    case .nothingToUndo: notice = .nothingToUndo
    case .nothingToRedo: notice = .nothingToRedoInData
    case .staged(let count): notice = .staged(count)
    case .unstaged(let summary): notice = .unstaged(summary)
    case .discarded(let count, let isSending): notice = .discarded(count, isSending: isSending)
    case .stillSending: notice = .sending(changes.state.unsent ?? "")
    case .restored(let count, let unreadable):
      remind(unreadable > 0 ? .unreadableStaged(unreadable) : .restoredStaged(count))
    case .keptForWriter(let count): remind(.stagedButReadOnly(count, store.readOnlyReason ?? ""))
    case .notRestored(let reason): notice = .stagedUnavailable(reason)
    case .notStored(let reason): notice = .notSaved(reason)
    }
  }

  private mutating func reportDone(_ change: EndedChange, _ undo: ChangeReport.Undo) {
    var (summary, hints) = changes.finish(change)
    awaitCreated(by: change)
    switch undo {
    // The usual notice would promise an undo, which is impossible here.
    case .impossible: return show(.doneForGood(summary), of: change)
    case .whileQueued: hints = [.key(.undoTransaction, "undo before it is sent")]
    case .possible, .needless: break
    }
    if store.rules.losesChanges {
      summary = ChangeSummary.inMemory(summary)
      hints.append(.key(.export))
    }
    show(doneNotice(summary, hints: hints), of: change)
  }

  /// If the results wait for a new row, waits for it with the id that the store gave it.
  private mutating func awaitCreated(by change: EndedChange) {
    if tab.results.awaited != nil { goToCreated(by: change) }
  }

  /// Moves the cursor to the row that a change created, for example by undoing a deletion.
  private mutating func goToCreated(by change: EndedChange) {
    let created = change.created.filter { $0.namespace == shownNamespace }
    guard created.count == 1, let row = created.first else { return }
    tab.results.awaited = row.id
    tab.results.follow(page: layout.resultRows)
  }

  /// Returns the notice of a completed change.
  ///
  /// If updates are paused, the notice says so, since the rows do not show the change yet.
  private func doneNotice(_ summary: String, hints: [KeyHint]) -> Notice {
    tab.held == nil ? .done(summary, hints: hints) : .doneWhilePaused(summary)
  }

  private var hintAfterUndo: KeyHint {
    changes.state.nextUndo == .nothing
      ? .key(.changes) : .key(.undoTransaction, "undo the change before")
  }

  /// Shows the notice about a completed change, unless that would hide a newer rejection.
  private mutating func show(_ news: Notice, of change: EndedChange) {
    if let rejectedAfterChange = notice?.rejectedAfterChange, change.number <= rejectedAfterChange {
      return
    }
    notice = news
  }

  /// Returns the reason for a rejection, with the label of each entity added after its id.
  private func named(_ reason: String) -> String {
    (tab.results.table?.catalog ?? catalog)?.addingLabels(toIDsIn: reason) ?? reason
  }

  /// Opens the rejected input again, together with the reason for the rejection.
  mutating func reopenRejectedEdit() {
    guard let rejectedEdit = changes.rejectedEdit.take() else { return }
    notice = nil
    switch rejectedEdit.typed {
    case .draft(let draft):
      open(NewEntityPane(draft, refusal: Rejection(text: rejectedEdit.reason)))
    case .line(var line):
      line.complaint = rejectedEdit.reason
      if case .value(let target, _) = line.purpose, let catalog = catalog(knowing: target.entity),
        let handle = catalog.store.handle(of: target.entity)
      {
        // The cursor may be on another row by now, so the prompt names the entity that it edits.
        line.subject = catalog.label(of: handle, in: target.namespace)
      }
      prompt = line
    }
  }

  /// Returns whether a key reopens the rejected edit. This requires that the notice about it was
  /// shown, and that the key is bound to its command.
  func reopens(_ key: Key, saidLast said: Notice?) -> Bool {
    guard let rejectedEdit = changes.rejectedEdit, said == rejectedEdit.notice, prompt == nil else {
      return false
    }
    let command = settings.keymap.command(for: key, in: focusedPane)
    return command == rejectedEdit.typed.command && focusedPane.speaking([key]) == [key]
  }

  /// Restores the notice about a rejection that a key cleared, unless the key was meant to dismiss
  /// it.
  ///
  /// The user may have pressed the key before seeing the notice.
  ///
  /// - Parameters:
  ///   - said: The notice before the key was handled.
  ///   - offered: The edit that could be reopened before the key was handled.
  mutating func retainError(
    _ said: Notice?, offering offered: RejectedEdit?, after key: Key, typing isTyping: Bool
  ) {
    guard notice == nil, let said, said.rejectedAfterChange != nil,
      offered?.notice != said || changes.rejectedEdit?.notice == said
    else { return }
    let isAnswer = !isTyping && settings.keymap.command(for: key, in: focusedPane) == .cancel
    if !isAnswer { notice = said }
  }

  /// Clears the notice, unless it reports a rejection that the user may not have read.
  mutating func clearRetainedError() {
    if notice?.rejectedAfterChange == nil { notice = nil }
  }

  // MARK: Undo and redo

  /// Undoes the newest change, even while it is being sent to the store.
  mutating func undoChange() -> [Effect] {
    switch changes.state.nextUndo {
    case .change: return [.change(.undo)]
    case .failed(let reason, let isLast): open(failedUndoMenu(reason, isLast: isLast))
    case .nothing:
      guard let carriedOver else { return notify(.nothingToUndo) }
      open(Self.menu(ofQueued: carriedOver.count, newest: carriedOver.newest))
    }
    return []
  }

  /// Makes the last undone change again.
  mutating func redoChange() -> [Effect] {
    guard changes.state.canRedo else { return notify(.nothingToRedoInData) }
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
          key: "l", label: "skip this undo",
          detail: isLast
            ? "there is no earlier change" : "and undo the change before it",
          actions: [.effect(.change(.skipUndo))]),
        .init(key: "s", label: "close", detail: "and decide later", actions: []),
      ])
  }

  /// The newest change that an earlier session made and that still waits for an unreachable server;
  /// nil while a change of this session is being sent.
  var carriedOver: (newest: MutationID, count: Int)? {
    changes.isSending ? nil : store.carriedOver
  }

  private static func menu(ofQueued count: Int, newest: MutationID) -> MenuPane {
    MenuPane(
      "\(NumberText.count(count, "change")) from an earlier session \(count == 1 ? "is" : "are") queued",
      [
        .init(key: "k", label: "keep", detail: "sent when the server is back", actions: []),
        .init(
          key: "d", label: count == 1 ? "discard it" : "discard the last",
          detail: "the server may already have it",
          actions: [.effect(.change(.drop(newest)))]),
      ])
  }

  /// Cancels the changes that the store cannot make because of an obstacle. Returns nil if there are
  /// none.
  mutating func cancelBlocked() -> [Effect]? {
    guard store.blockedOutlook != nil else { return nil }
    notice = .cancelingChanges
    return [.change(.cancelSending)]
  }
}
