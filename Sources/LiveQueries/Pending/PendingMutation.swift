package import Triples

/// A local change that is staged, or that the server's answers do not include yet.
package struct PendingMutation: Hashable, Sendable {
  package enum State: Hashable, Sendable {
    /// The server has not answered yet. The client's session records whether the mutation was sent.
    case waiting
    /// The server confirmed the mutation as the transaction with this number.
    ///
    /// `at` is the time of the confirmation, in milliseconds of a monotonic clock that starts with
    /// the process. Answers received earlier do not include the transaction.
    case confirmed(transactionID: Int, at: Int64)
  }

  package let id: MutationID
  /// The transaction with the server's attributes; see ``PendingMutations/adopt(_:)``.
  package internal(set) var transaction: Transaction
  /// The position in the order in which all mutations are applied.
  package let order: Int
  /// The creation time in milliseconds since 1970. It is later than the creation time of every
  /// earlier mutation.
  package let created: Int64
  package internal(set) var state: State
  /// Whether another process made the mutation and ended before it knew whether the server had
  /// received it.
  package internal(set) var mayHaveArrived: Bool
  /// Whether the server confirmed the mutation over an earlier connection.
  package internal(set) var isOfEarlierConnection = false
  /// Additional data of a staged mutation; nil for a mutation that waits for a server.
  package let staging: Staging?

  /// The summary of a staged change, and the id of the transaction in which it may have been sent.
  package struct Staging: Hashable, Sendable {
    package let summary: String
    /// The id of the transaction in which the change may have been sent; nil if it was never sent.
    package let batch: MutationID?

    package init(summary: String, batch: MutationID? = nil) {
      (self.summary, self.batch) = (summary, batch)
    }
  }

  package init(
    _ transaction: Transaction, id: MutationID, order: Int, created: Int64,
    state: State = .waiting, mayHaveArrived: Bool = false, staging: Staging? = nil
  ) {
    self.transaction = transaction
    self.id = id
    self.order = order
    self.created = created
    self.state = state
    self.mayHaveArrived = mayHaveArrived
    self.staging = staging
  }

  /// The server's transaction number; nil while the mutation is not confirmed.
  package var transactionID: Int? {
    if case .confirmed(let id, _) = state { return id }
    return nil
  }

  package var isWaiting: Bool { state == .waiting }

  /// Returns whether an answer already includes the mutation.
  package func isShown(by answer: AnswerMoment) -> Bool {
    guard let transactionID else { return false }
    return transactionID <= answer.processed ?? 0 || (isOfEarlierConnection && answer.isCurrent)
  }

  /// The transaction to send.
  ///
  /// If an earlier attempt may have reached the server, the steps are adapted so that they succeed
  /// a second time. Servers do not remember earlier attempts, and would refuse to create an entity
  /// that exists.
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

/// When a server's answer was current: after which transaction, and over which connection. It
/// determines which changes the answer includes.
package struct AnswerMoment: Hashable, Sendable {
  /// The newest transaction that the answer includes; nil if the server had no transactions.
  package var processed: Int?
  /// Whether the answer arrived over the current connection.
  ///
  /// If so, it includes every mutation confirmed over earlier connections, even one with a higher
  /// transaction number. An in-memory server restarts its numbering, so numbers of different
  /// connections cannot be compared.
  package var isCurrent: Bool

  package init(processed: Int? = nil, isCurrent: Bool = false) {
    (self.processed, self.isCurrent) = (processed, isCurrent)
  }
}
