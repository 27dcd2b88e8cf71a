extension TripleStore {
  /// Carries out a transaction: all of it, or nothing.
  ///
  /// - Parameters:
  ///   - time: The created-at of new triples, in milliseconds since 1970. A triple that is there
  ///     keeps its own, and so does the attribute of an entity when its one value is replaced.
  ///   - rules: Whether this store is the truth, or runs ahead of it.
  /// - Returns: What is different now; what was changed and changed back is not in it.
  /// - Throws: What the first unsound step or the result breaks; the store is then as it was.
  /// - Complexity: O(steps), and an index for each unique attribute that is written to.
  @discardableResult
  public mutating func transact(
    _ transaction: Transaction, at time: Int64 = Instant.nowInMilliseconds,
    rules: TransactionRules = .store
  ) throws(TransactionError) -> ChangeSet {
    let transaction = rules.refuses ? transaction.adoptingAttributes(of: schema) : transaction
    var draft = TransactionDraft(self, transaction.steps, rules: rules, time: time)
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
  /// The places of the steps of each kind together, kinds in the order in which they first appear.
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
