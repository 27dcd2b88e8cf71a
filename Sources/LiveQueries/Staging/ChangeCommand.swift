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
  /// Undoes the newest change, regardless of its state.
  case undo
  /// Redoes the change that was undone last, unless another change was made since.
  case redo
  /// Retries the undo that the store rejected.
  case retryUndo
  /// Skips the undo that the store rejected, and undoes the preceding change.
  case skipUndo
  /// Drops a change of an earlier process that is still waiting for the server.
  case drop(MutationID)
  /// Cancels the changes that the store has not made yet. Each is reported as rejected or as done.
  case cancelSending
}

/// A report on the result of changes.
package enum ChangeReport: Sendable, Equatable {
  /// One more change is staged; `count` is the number of all staged changes.
  case staged(count: Int)
  case unstaged(summary: String)
  /// All staged changes were discarded, except those that are being sent.
  case discarded(count: Int, isSending: Bool)
  /// The command is impossible until the staged changes that are being sent are stored.
  case stillSending
  /// A change that is being sent will be undone as soon as it is stored.
  case undoQueued(summary: String)
  /// A stored change will be undone after later ones.
  case undoQueuedAfterLater
  case nothingToUndo
  case nothingToRedo
  /// The store has a change.
  case done(EndedChange, undo: Undo)
  /// A change was undone; `isWhole` is false if some of its previous values were unknown.
  case undone(EndedChange, isWhole: Bool)
  /// A queued change was undone by not sending it.
  case dequeued(EndedChange)
  /// The store rejected a change.
  case rejected(EndedChange, reason: String)
  /// The store rejected an undo, which is still the next one.
  case undoRejected(EndedChange, reason: String)
  /// A server rejected queued changes, which can therefore not be undone.
  case rejectedLater(count: Int, reason: String, newest: Int)
  /// Changes of an earlier process are staged again, except those that cannot be read.
  case restored(count: Int, unreadable: Int)
  /// Changes staged by an earlier process were kept; this process cannot send them.
  case keptForWriter(count: Int)
  case notRestored(String)
  /// Staged changes could not be stored on disk.
  case notStored(String)

  /// The ways in which a stored change can be undone.
  package enum Undo: Sendable, Equatable {
    case possible
    /// The change can be undone only while it is queued, by not sending it.
    case whileQueued
    /// The change had no effect, so there is nothing to undo.
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

/// The change that a report describes.
package struct EndedChange: Sendable, Equatable {
  package let number: Int
  package let submission: Submission
  /// The number of staged changes that the change combines; 0 if it was never staged.
  package var stagedParts = 0
  /// Whether the user requested its undo before the change ended.
  package var wasUnwanted = false
  /// The number of the newest change by then.
  package let newest: Int
}
