extension TripleStore {
  /// Applies a transaction atomically.
  ///
  /// - Parameters:
  ///   - time: The creation time of new triples, in milliseconds since 1970. Existing triples keep
  ///     their times. If the value of an attribute with cardinality one is replaced, it also keeps
  ///     its time.
  ///   - rules: The rules of the authoritative store, or of an optimistic client.
  /// - Returns: The changes. Values that were changed and then restored are not included.
  /// - Throws: The error of the first invalid step, or of the first constraint that the result
  ///   violates. The store is then unchanged.
  /// - Complexity: O(steps), plus the time to build an index for each unique attribute that is
  ///   written.
  @discardableResult
  public mutating func transact(
    _ transaction: Transaction, at time: Int64 = Instant.nowInMilliseconds,
    rules: TransactionRules = .store
  ) throws(TransactionError) -> ChangeSet {
    let transaction = rules.refuses ? transaction.adoptingAttributes(of: schema) : transaction
    var draft = TransactionDraft(self, transaction.steps, rules: rules, time: time)
    draft.isUndo = transaction.undoing != nil
    switch rules {
    case .store:
      try transaction.checkDepth(schema)
      try draft.checkThere(transaction)
      try draft.checkModes(transaction.steps)
      let now = draft.time
      for place in transaction.steps.placesByKind {
        draft.time = transaction.moments[place] ?? now
        if let seen = transaction.seen[place] {
          try draft.check(transaction.steps[place], against: seen)
        }
        try draft.apply(transaction.steps[place])
      }
      draft.time = now
      draft.fillIndexes()
      try draft.checkResult()
      draft.store.transactionID += 1
    case .optimistic:
      for step in transaction.steps { try draft.apply(step) }
    }
    self = draft.store
    return draft.changes
  }
}

extension [TransactionStep] {
  /// The indexes of the steps grouped by type, in the order in which the types first occur.
  fileprivate var placesByKind: [Int] {
    if let first, dropFirst().allSatisfy({ $0.name == first.name }) { return indices.map { $0 } }
    var kinds: [String] = []
    var groups: [String: [Int]] = [:]
    for (place, step) in enumerated() {
      if groups[step.name] == nil { kinds.append(step.name) }
      groups[step.name, default: []].append(place)
    }
    return kinds.flatMap { groups[$0] ?? [] }
  }
}
