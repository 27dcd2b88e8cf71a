package import Triples

/// A change of this process, from its creation until it can no longer be undone.
package struct StagedChange: Sendable, Equatable {
  package enum State: Sendable, Equatable {
    /// Collected until it is sent.
    case staged
    /// On its way to the store.
    case sending
    /// The store has it since a transaction; `undo` undoes it.
    case done(undo: Transaction, at: Int)
    /// Its undo is on its way.
    case undoing(undo: Transaction)
  }

  /// One change of the user. Those that are sent together remain separate, in case the
  /// store rejects them.
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

  /// Its position among all changes of the process.
  package let number: Int
  /// Identifies its transaction permanently.
  package let id: MutationID
  /// The changes of the user that are sent together.
  package let parts: [Part]
  package let submission: Submission
  package internal(set) var state: State
  /// Whether it was staged before it was sent.
  package let wasStaged: Bool
  /// Whether an earlier process may have sent it.
  package let mayHaveArrived: Bool
  /// Whether it must be undone as soon as the store has it.
  var isUnwanted = false
  /// Whether something kept the store from making it; from then on snapshots contain it.
  var wasBlocked = false
  /// The number under which reports name it: that of its undo once that is sent.
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

  /// All parts as one transaction.
  var transaction: Transaction {
    var all = Transaction()
    for part in parts {
      for (place, value) in part.transaction.seen { all.seen[all.steps.count + place] = value }
      all.steps += part.transaction.steps
    }
    return all
  }

  var isStaged: Bool { state == .staged }
  var isSending: Bool { state == .sending }

  /// Whether the store has it, and nothing undoes it yet.
  var isDone: Bool { undo != nil && !isUnwanted }

  /// The transaction that undoes it, before that is sent.
  var undo: Transaction? {
    if case .done(let undo, _) = state { return undo }
    return nil
  }

  /// What snapshots contain of it while the store has not sent a state after `transactionID`.
  func overlay(on transactionID: Int) -> Transaction? {
    switch state {
    case .staged: transaction
    case .sending: wasStaged || wasBlocked ? transaction : nil
    // Until a snapshot of the store itself contains it, so that the old value is not shown again.
    case .done(_, let made): (wasStaged || wasBlocked) && made > transactionID ? transaction : nil
    case .undoing(let undo): wasBlocked ? undo : nil
    }
  }
}

/// The caller's description of a change.
package struct Submission: Sendable, Equatable {
  /// What the change does, in words.
  package let summary: String
  /// Whether everything that it changes was known, so that all of it can be undone.
  package let isKnownWhole: Bool
  /// The caller's own number, which the reports repeat.
  package let tag: Int

  package init(summary: String, isKnownWhole: Bool = true, tag: Int = 0) {
    self.summary = summary
    self.isKnownWhole = isKnownWhole
    self.tag = tag
  }
}
