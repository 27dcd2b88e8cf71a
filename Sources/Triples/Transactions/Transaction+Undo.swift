extension Transaction {
  /// What takes back a change, by what the store said when it was put.
  ///
  /// Of a change that waits to be sent it need not be known what it does: it can be dropped for as long
  /// as it waits, and this then has no steps.
  ///
  /// - Parameter made: Shows the change, and what was changed as far as that is known.
  /// - Returns: Nil where nothing takes it back.
  package init?(undoing id: MutationID, madeIn made: StoreSnapshot) {
    if let changes = made.changes {
      self.init(undoing: changes, in: made.store)
      // What changes nothing leaves nothing to take back.
      if steps.isEmpty { return }
    } else if made.freshness == .optimistic {
      self.init()
    } else {
      return nil
    }
    undoing = id
  }

  /// What takes back the values that a transaction changed.
  ///
  /// Of what was changed again since, only what is still there is taken back. An entity that was
  /// deleted is marked as created, so that a store refuses it where there is one of its id again, and
  /// one that is there as updated, so that none is made of a single value where it was deleted since.
  ///
  /// In this process triples come back as old as they were; a server makes them anew, as old as the
  /// undoing. Two things do not come back: attributes that were added or changed stay as they are,
  /// and a value that went from a list of many stands last in it.
  ///
  /// - Parameter store: Knows the entities that the changes speak of: the store that was changed, or
  ///   a later state of it.
  public init(undoing changes: ChangeSet, in store: TripleStore) {
    self.init()
    var retractions: [TransactionStep] = []
    var returning: [(entity: EntityHandle, namespace: String)] = []
    var going: [(entity: EntityHandle, namespace: String)] = []
    var written: Set<ChangedCell> = []
    for change in changes.changes.reversed() {
      let entity = EntityReference.id(store.id(of: change.entity))
      written.insert(ChangedCell(entity: change.entity, attribute: change.attribute))
      if let old = change.old {
        if let createdAt = change.createdAt { moments[steps.count] = createdAt }
        if let new = change.new { seen[steps.count] = new }
        steps.append(.addTriple(entity, change.attribute, old))
        if change.new == nil, let identity = store.schema.attribute(change.attribute),
          identity.isIdentity
        {
          returning.append((change.entity, identity.namespace))
        }
      } else if let new = change.new {
        retractions.append(.retractTriple(entity, change.attribute, new))
        if let identity = store.schema.attribute(change.attribute), identity.isIdentity {
          going.append((change.entity, identity.namespace))
        }
      }
    }
    // An entity that came back otherwise, or another one of its name, is not written over; one that was
    // deleted otherwise is not made anew.
    let new = Set(
      returning.filter { !store.knows($0.entity, in: $0.namespace) }
        .map { Home(id: store.id(of: $0.entity), namespace: $0.namespace) })
    for (place, step) in steps.enumerated() {
      guard case .addTriple(.id(let id), let attribute, let value, _) = step,
        let known = store.schema.attribute(attribute)
      else { continue }
      let namespace = known.namespace
      if new.contains(Home(id: id, namespace: namespace)) {
        steps[place] = .addTriple(.id(id), attribute, value, .create)
      } else if let entity = store.handle(of: id), store.contains(entity, in: namespace) {
        steps[place] = .addTriple(.id(id), attribute, value, .update)
        // Where a value went, nothing is.
        if known.cardinality == .one, seen[place] == nil { seen[place] = .null }
      }
    }
    // A store gives new entities nulls under indexed attributes; those that come back had none, and
    // those that go keep none, of which who asked a server to make them is not told.
    for (entity, namespace) in returning + going {
      for attribute in store.schema.attributes(of: namespace)
      where attribute.isIndexed && !attribute.isIdentity && attribute.cardinality == .one
        && store.value(entity, attribute.id) ?? .null == .null
        && !written.contains(ChangedCell(entity: entity, attribute: attribute.id))
      {
        retractions.append(.retractTriple(.id(store.id(of: entity)), attribute.id, .null))
      }
    }
    for case .retractTriple(let entity, let attribute, let value) in retractions {
      // Another value in its place is not what was made.
      if store.schema.attribute(attribute)?.cardinality == .one { seen[steps.count] = value }
      steps.append(.retractTriple(entity, attribute, value))
    }
  }

  private struct Home: Hashable {
    let id: EntityID
    let namespace: String
  }

  private struct ChangedCell: Hashable {
    let entity: EntityHandle
    let attribute: AttributeID
  }
}
