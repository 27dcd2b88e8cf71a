package import Triples

/// A command of the user for changes.
package enum ChangeCommand: Sendable, Equatable {
  /// Makes a change: stages it, or sends it when nothing is being staged.
  case make(Transaction, Submission)
  case beginStaging
  case endStaging
  /// Sends everything staged as one transaction.
  case send
  /// Discards everything staged.
  case discard
  /// Undoes the newest change, in whatever state it is.
  case undo
  /// Makes the change again that was undone last, unless another one was made since.
  case redo
  /// Tries the undo again that the store rejected.
  case retryUndo
  /// Skips the undo that the store rejected, and undoes the change before.
  case skipUndo
  /// Drops a change of an earlier process that waits for the server.
  case drop(MutationID)
  /// Cancels the changes that the store has not made yet; each is reported as rejected, or done.
  case cancelSending
}

/// A report on the result of changes.
package enum ChangeReport: Sendable, Equatable {
  /// One more change is staged; `count` are.
  case staged(count: Int)
  case unstaged(summary: String)
  /// All that were staged are discarded, or all but those that are being sent.
  case discarded(count: Int, isSending: Bool)
  /// Nothing can be undone or sent until the staged changes are stored.
  case stillSending
  /// A change on its way will be undone as soon as it is stored.
  case undoQueued(summary: String)
  /// A stored change will be undone after later ones.
  case undoQueuedAfterLater
  case nothingToUndo
  case nothingToRedo
  /// The store has a change.
  case done(EndedChange, undo: Undo)
  /// A change is undone; `isWhole` as far as was known when it was made.
  case undone(EndedChange, isWhole: Bool)
  /// A queued change is undone by not sending it.
  case dequeued(EndedChange)
  /// The store rejected a change.
  case rejected(EndedChange, reason: String)
  /// The store rejected an undo, which is still the next one.
  case undoRejected(EndedChange, reason: String)
  /// A server rejected changes that were queued; they cannot be undone.
  case rejectedLater(count: Int, reason: String, newest: Int)
  /// Changes of an earlier process are staged again, except those that cannot be read.
  case restored(count: Int, unreadable: Int)
  /// Changes staged by an earlier process were kept; this process cannot send them.
  case keptForWriter(count: Int)
  case notRestored(String)
  /// Staged changes could not be stored on disk.
  case notStored(String)

  /// How a stored change can be undone.
  package enum Undo: Sendable, Equatable {
    case possible
    /// Only by not sending it, as long as it is queued.
    case whileQueued
    /// It changed nothing that could be undone.
    case needless
    case impossible
  }

  /// The reason why the change was not made; nil for other reports.
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
  /// How many staged changes it consists of; 0 when it was never staged.
  package var stagedParts = 0
  /// Whether the user wanted to undo it before it ended.
  package var wasUnwanted = false
  /// The number of the newest change by then.
  package let newest: Int
}
