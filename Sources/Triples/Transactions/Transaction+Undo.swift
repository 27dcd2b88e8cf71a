extension Transaction {
  /// What takes back the values that a transaction changed, the last first.
  ///
  /// Of what was changed again since, only what is still there is taken back. Triples that come back
  /// are as old as the undoing; attributes that were added or changed stay as they are.
  ///
  /// - Parameter store: Knows the entities that the changes speak of: the store that was changed, or
  ///   a later state of it.
  public init(undoing changes: ChangeSet, in store: TripleStore) {
    var steps: [TransactionStep] = []
    for change in changes.changes.reversed() {
      let entity = EntityReference.id(store.id(of: change.entity))
      if let old = change.old {
        steps.append(.addTriple(entity, change.attribute, old))
      } else if let new = change.new {
        steps.append(.retractTriple(entity, change.attribute, new))
      }
    }
    self.init(steps)
  }
}
