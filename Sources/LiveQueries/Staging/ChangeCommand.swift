package import Triples

/// A user's command that makes, sends, discards or undoes changes of data.
package enum ChangeCommand: Sendable, Equatable {
  /// Makes a change. The change is staged if staging has begun; otherwise it is sent.
  case make(Transaction, Submission)
  case beginStaging
  case endStaging
  /// Sends all staged changes as one transaction.
  case send
  /// Sends all staged changes, although the values that they replace are newer than when the changes
  /// were made. The user saw the newer values in these snapshots.
  case sendOver([StoreSnapshot])
  /// Discards all staged changes.
  case discard
  /// Undoes the newest change, whether it is staged, being sent or stored.
  case undo
  /// Redoes the change that was undone last, unless another change was made after the undo.
  case redo
  /// Retries the undo that the store rejected.
  case retryUndo
  /// Skips the undo that the store rejected, and undoes the change before it.
  case skipUndo
  /// Drops a change that an earlier process queued and that was not sent yet.
  case drop(MutationID)
  /// Cancels the changes that the store has not made yet. Each of them is then reported as
  /// rejected, or as done if the store made it in the meantime.
  case cancelSending
}

/// A report on what happened to one or more changes.
package enum ChangeReport: Sendable, Equatable {
  /// One more change is staged; `count` is the number of all staged changes.
  case staged(count: Int)
  case unstaged(summary: String)
  /// All staged changes were discarded, except changes that are being sent.
  case discarded(count: Int, isSending: Bool)
  /// The command is not possible while staged changes are being sent.
  case stillSending
  /// A change that is being sent will be undone as soon as the store has it.
  case undoQueued(summary: String)
  /// A stored change will be undone after all later changes have been undone.
  case undoQueuedAfterLater
  case nothingToUndo
  case nothingToRedo
  /// The store has made a change.
  case done(EndedChange, undo: Undo)
  /// A change was undone; `isWhole` is false if some of its previous values were unknown.
  case undone(EndedChange, isWhole: Bool)
  /// A queued change was undone by not sending it.
  case dequeued(EndedChange)
  /// The store rejected a change.
  case rejected(EndedChange, reason: String)
  /// The store rejected an undo. The next undo command retries it.
  case undoRejected(EndedChange, reason: String)
  /// A server rejected changes that were queued earlier. They need no undo.
  case rejectedLater(count: Int, reason: String, newest: Int)
  /// Changes that an earlier process staged are staged again, except `unreadable` ones, which
  /// cannot be read.
  case restored(count: Int, unreadable: Int)
  /// An earlier process staged changes. They remain on disk, because this process is read-only and
  /// cannot send them.
  case keptForWriter(count: Int)
  case notRestored(String)
  /// Staged changes could not be stored on disk.
  case notStored(String)

  /// Whether a stored change can be undone, and how.
  package enum Undo: Sendable, Equatable {
    case possible
    /// The change is queued. It can be undone only by not sending it.
    case whileQueued
    /// The change had no effect, so there is nothing to undo.
    case needless
    case impossible
  }

  /// The reason why the store did not make the change; nil for other reports.
  package var rejection: String? {
    switch self {
    case .rejected(_, let reason), .undoRejected(_, let reason): reason
    default: nil
    }
  }
}

/// The change that a report is about.
package struct EndedChange: Sendable, Equatable {
  package let number: Int
  package let submission: Submission
  /// The number of staged changes that the change combines; 0 if it was never staged.
  package var stagedParts = 0
  /// Whether the user asked to undo the change before the store made it.
  package var wasUnwanted = false
  /// The values that the store holds instead of those of the change.
  package var differing: [StoredValue] = []
  /// The entities that the store created, up to a limit.
  package var created: [CreatedEntity] = []
  /// The number of the newest change at the time of the report.
  package let newest: Int
}
