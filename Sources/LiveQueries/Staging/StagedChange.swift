package import Triples

/// A change that this process made. It exists until the change can no longer be undone.
package struct StagedChange: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// The change waits until the user sends it.
    case staged
    /// The change is being sent to the store.
    case sending
    /// The store made the change as transaction number `at`. The transaction `undo` reverts it.
    case done(undo: Transaction, at: Int)
    /// The undo of the change is being sent.
    case undoing(undo: Transaction)
  }

  /// One change by the user. Changes that are sent together remain separate parts, because they are
  /// staged again if the store rejects them.
  package struct Part: Sendable, Equatable {
    package let number: Int
    package let id: MutationID
    package let transaction: Transaction
    package let summary: String

    package init(number: Int, id: MutationID, transaction: Transaction, summary: String) {
      self.number = number
      self.id = id
      self.transaction = transaction
      self.summary = summary
    }
  }

  /// The number of the change, counted over all changes of the process.
  package let number: Int
  /// The id of the change's transaction, which never changes.
  package let id: MutationID
  /// The user's changes that are sent together as this change.
  package let parts: [Part]
  package let submission: Submission
  package internal(set) var state: State
  /// Whether the user staged the change before it was sent.
  package let wasStaged: Bool
  /// Whether an earlier process may have sent the change.
  package let mayHaveArrived: Bool
  /// Whether to undo the change as soon as the store has made it.
  var isUnwanted = false
  /// Whether the store was blocked when the change was sent, or later. If so, snapshots show the
  /// change before the store has made it.
  var wasBlocked = false
  /// The number that reports use for the change. After the undo is sent, it is the number of the
  /// undo.
  var reportedAs: Int

  init(
    number: Int, id: MutationID, parts: [Part], submission: Submission, state: State,
    wasStaged: Bool = false, mayHaveArrived: Bool = false
  ) {
    self.number = number
    reportedAs = number
    self.id = id
    self.parts = parts
    self.submission = submission
    self.state = state
    self.wasStaged = wasStaged
    self.mayHaveArrived = mayHaveArrived
  }

  /// All parts combined into one transaction.
  var transaction: Transaction {
    var all = Transaction()
    for part in parts {
      for (place, value) in part.transaction.seen { all.seen[all.steps.count + place] = value }
      all.steps += part.transaction.steps
    }
    return all
  }

  /// Returns the change with the values that the user now sees in displayed stores.
  func seen(in stores: [TripleStore]) -> StagedChange {
    StagedChange(
      number: number, id: id,
      parts: parts.map {
        Part(
          number: $0.number, id: $0.id, transaction: $0.transaction.seen(in: stores),
          summary: $0.summary)
      }, submission: submission, state: state, wasStaged: wasStaged,
      mayHaveArrived: mayHaveArrived)
  }

  var isStaged: Bool { state == .staged }
  var isSending: Bool { state == .sending }

  /// Whether the store has made the change and no undo of it is pending.
  var isDone: Bool { undo != nil && !isUnwanted }

  /// The transaction that reverts the change. Nil before the store has made the change, and after
  /// the undo was sent.
  var undo: Transaction? {
    if case .done(let undo, _) = state { return undo }
    return nil
  }

  /// Returns the transaction that adds the change to a snapshot with transaction number
  /// `transactionID`. Nil when the snapshot already contains the change, or must not show it.
  func overlay(on transactionID: Int) -> Transaction? {
    switch state {
    case .staged: transaction
    case .sending: wasStaged || wasBlocked ? transaction : nil
    // The overlay stays until the store's own snapshot contains the change, so that the old value
    // does not reappear.
    case .done(_, let made): (wasStaged || wasBlocked) && made > transactionID ? transaction : nil
    case .undoing(let undo): wasBlocked ? undo : nil
    }
  }
}

/// The information that a caller gives about a change.
package struct Submission: Sendable, Equatable {
  /// A description of the change for users.
  package let summary: String
  /// Whether all previous values were known, so that an undo restores all of them.
  package let isKnownWhole: Bool
  /// The caller's own number for the change. Reports repeat it.
  package let tag: Int

  package init(summary: String, isKnownWhole: Bool = true, tag: Int = 0) {
    self.summary = summary
    self.isKnownWhole = isKnownWhole
    self.tag = tag
  }
}
