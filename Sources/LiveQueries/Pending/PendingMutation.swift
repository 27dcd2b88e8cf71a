package import Triples

/// A change that was made here and that a server has not yet shown in its answers.
package struct PendingMutation: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The server has not answered for it; whether it is on its way the session knows.
    case waiting
    /// Taken by the server as this transaction, at a moment in milliseconds by a clock that is never
    /// set and begins with the process; answers from before it do not show it yet.
    case confirmed(transactionID: Int, at: Int64)
  }

  package let id: MutationID
  /// With the attributes that the server knows; see ``PendingMutations/adopt(_:)``.
  package internal(set) var transaction: Transaction
  /// Its place among all that were ever made; mutations are applied by it.
  package let order: Int
  /// In milliseconds since 1970, and later than all that was made before it.
  package let created: Int64
  package internal(set) var state: State
  /// Whether it was made by a process that ended without an answer, and may have been sent by it.
  package internal(set) var mayHaveArrived: Bool
  /// Whether it was confirmed over an earlier connection than the present one.
  package internal(set) var isOfEarlierConnection = false

  package init(
    _ transaction: Transaction, id: MutationID, order: Int, created: Int64,
    state: State = .waiting, mayHaveArrived: Bool = false
  ) {
    self.transaction = transaction
    self.id = id
    self.order = order
    self.created = created
    self.state = state
    self.mayHaveArrived = mayHaveArrived
  }

  /// The server's number of it; nil while it is not confirmed.
  package var transactionID: Int? {
    if case .confirmed(let id, _) = state { return id }
    return nil
  }

  package var isWaiting: Bool { state == .waiting }

  /// Whether an answer shows it already.
  package func isShown(by answer: AnswerMoment) -> Bool {
    guard let transactionID else { return false }
    return transactionID <= answer.processed ?? 0 || (isOfEarlierConnection && answer.isCurrent)
  }

  /// What to send. One that may have arrived must not fail because it did: servers do not remember
  /// what they were sent, and would refuse to create what the first arrival created.
  package var sentTransaction: Transaction {
    guard mayHaveArrived else { return transaction }
    return Transaction(
      transaction.steps.map { step in
        switch step {
        case .addTriple(let entity, let attribute, let value, .create):
          .addTriple(entity, attribute, value)
        case .deepMergeTriple(let entity, let attribute, let value, .create):
          .deepMergeTriple(entity, attribute, value)
        case .addTriple, .deepMergeTriple, .retractTriple, .deleteEntity, .ruleParameters,
          .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute:
          step
        }
      })
  }
}

/// When an answer of a server was given, as far as it tells which changes the answer shows.
package struct AnswerMoment: Hashable, Sendable {
  /// The newest transaction that it reflects; nil when the server had seen none.
  package var processed: Int?
  /// Whether it came over the present connection. It then shows all that earlier ones confirmed,
  /// whatever its number is: a server that keeps all in memory counts anew when it is started again.
  package var isCurrent: Bool

  package init(processed: Int? = nil, isCurrent: Bool = false) {
    (self.processed, self.isCurrent) = (processed, isCurrent)
  }
}
