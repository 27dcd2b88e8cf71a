import LiveQueries
import Triples

/// The differences that the staged changes make, including those of entities that are not loaded.
struct StagedEntries: Sendable, Equatable {
  private(set) var all: [ChangeEntry] = []
  /// The entries by the number of their change, from when its entities were last loaded.
  private var known: [Int: [ChangeEntry]] = [:]

  /// Lists the differences between the newest data and the data with the staged changes.
  mutating func list(_ staged: [PendingChange], on base: StoreSnapshot?) {
    guard !staged.isEmpty, let base else {
      self = StagedEntries()
      return
    }
    var store = base.store
    // Nil for a change of entities that are not loaded.
    let sets = staged.map { change -> ChangeSet? in
      if base.served != nil, store.lacksEntities(of: change.transaction) { return nil }
      let applied = StagedChanges.applying([change], to: store)
      store = applied.store
      return applied.changes
    }
    let builder = ChangeEntryBuilder(
      from: base, to: StoreSnapshot(store, served: base.served),
      maxValueLength: ChangeEntryBuilder.maxReviewedLength)
    let before = known
    known = [:]
    all = []
    for (change, set) in zip(staged, sets) where all.count < ChangeEntryBuilder.maxCount {
      let entries =
        set.map { builder.entries(of: $0) } ?? before[change.number]
        ?? builder.entries(of: change.transaction)
      known[change.number] = entries
      all += entries
    }
  }
}

extension TripleStore {
  /// Returns whether a transaction changes or deletes entities that the store does not contain.
  fileprivate func lacksEntities(of transaction: Transaction) -> Bool {
    transaction.steps.contains { step in
      switch step {
      case .addTriple(.id(let entity), let attribute, _, .update),
        .deepMergeTriple(.id(let entity), let attribute, _, .update),
        .retractTriple(.id(let entity), let attribute, _):
        return lacks(entity, in: schema.attribute(attribute)?.namespace)
      case .deleteEntity(.id(let entity), let namespace): return lacks(entity, in: namespace)
      default: return false
      }
    }
  }

  private func lacks(_ entity: EntityID, in namespace: String?) -> Bool {
    guard let handle = handle(of: entity) else { return true }
    return namespace.map { !contains(handle, in: $0) } ?? false
  }
}

extension ChangeEntryBuilder {
  /// Returns the entries of a transaction from its steps alone, because its entities are not loaded.
  fileprivate func entries(of transaction: Transaction) -> [ChangeEntry] {
    transaction.steps.indices.compactMap { place in
      switch transaction.steps[place] {
      case .addTriple(.id(let entity), let id, let value, _),
        .deepMergeTriple(.id(let entity), let id, let value, _):
        return entry(of: entity, id, from: transaction.seen[place], to: value)
      case .retractTriple(.id(let entity), let id, let value):
        return entry(of: entity, id, from: value, to: nil)
      case .deleteEntity(.id(let entity), let namespace?):
        return entry(.deleted, entity, namespace)
      default: return nil
      }
    }
  }

  private func entry(
    of entity: EntityID, _ id: AttributeID, from old: Value?, to new: Value?
  ) -> ChangeEntry? {
    guard let attribute = after.schema.attribute(id) else { return nil }
    if attribute.isIdentity { return entry(.inserted, entity, attribute.namespace) }
    let target = attribute.valueType == .ref ? Link(attribute, .forward).target : nil
    return entry(
      target == nil ? .updated : new == nil ? .unlinked : .linked, entity, attribute.namespace,
      attribute.label, old: self.old(old, of: attribute, to: target),
      new: self.new(new, of: attribute, to: target))
  }
}
