extension Transaction {
  /// Creates the transaction that undoes a change, from the store's result.
  ///
  /// The content of a change that is still queued may be unknown. In that case, the transaction has
  /// no steps, but it can drop the change from the queue.
  ///
  /// - Parameter made: The snapshot that includes the change; its history contains the known
  ///   changes.
  /// - Returns: Nil when the change cannot be undone.
  package init?(undoing id: MutationID, madeIn made: StoreSnapshot) {
    if let changes = made.changes {
      self.init(undoing: changes, in: made.store)
      // If nothing changed, there is nothing to undo.
      if steps.isEmpty { return }
    } else if made.freshness == .optimistic {
      self.init()
    } else {
      return nil
    }
    undoing = id
  }

  /// Creates the transaction that undoes changes of values.
  ///
  /// Values that were changed again are not restored. A deleted entity is created again, and the
  /// store rejects this if its id is in use. Changes of an existing entity are updates, so that
  /// they do not create it again after a deletion.
  ///
  /// In a local store, restored triples keep their original creation times; on a server, they get
  /// the time of the undo. Two things are not restored: attributes that were added or changed, and
  /// the position of a value in a list. A restored value becomes the last one.
  ///
  /// - Parameter store: The changed store or a later state of it, in which the handles are valid.
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
    let new = Set(
      returning.filter { !store.knows($0.entity, in: $0.namespace) }
        .map { Home(id: store.id(of: $0.entity), namespace: $0.namespace) })
    restrict(to: store, creating: new)
    // A store adds nulls of indexed attributes to new entities, and a server does not report them
    // to the client. The undo must neither restore these nulls nor leave them on a deleted entity.
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
      // If another value has replaced this one in the meantime, the undo does not remove the other
      // value.
      if store.schema.attribute(attribute)?.cardinality == .one { seen[steps.count] = value }
      steps.append(.retractTriple(entity, attribute, value))
    }
  }

  /// Lets each step apply only if nothing has changed since: an entity that was restored or replaced
  /// is not overwritten, and an entity that was deleted is not created again.
  ///
  /// - Parameter new: The entities that the steps create.
  private mutating func restrict(to store: TripleStore, creating new: Set<Home>) {
    for (place, step) in steps.enumerated() {
      guard case .addTriple(.id(let id), let attribute, let value, _) = step,
        let known = store.schema.attribute(attribute)
      else { continue }
      let namespace = known.namespace
      if new.contains(Home(id: id, namespace: namespace)) {
        steps[place] = .addTriple(.id(id), attribute, value, .create)
      } else if let entity = store.handle(of: id), store.contains(entity, in: namespace) {
        steps[place] = .addTriple(.id(id), attribute, value, .update)
        // The change removed the value, so the undo expects that there is no value now.
        if known.cardinality == .one, seen[place] == nil { seen[place] = .null }
      }
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
