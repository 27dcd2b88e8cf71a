import LiveQueries
import Triples

/// The differences that the staged changes make, including those of entities that are not loaded.
struct StagedEntries: Sendable, Equatable {
  private(set) var all: [ChangeEntry] = []
  /// The entries by the number of their change, from when its entities were last loaded.
  private var known: [Int: [ChangeEntry]] = [:]
  /// The entities of the changes that are not loaded, by namespace.
  private(set) var missing: [String: [EntityID]] = [:]
  /// The labels of such entities, as far as they were loaded for the list.
  private var names: [EntityID: String] = [:]

  /// Lists the differences between the newest data and the data with the staged changes.
  ///
  /// - Parameter others: Snapshots that can contain entities that `base` lacks.
  mutating func list(
    _ staged: [PendingChange], on base: StoreSnapshot?, naming others: [StoreSnapshot] = []
  ) {
    guard !staged.isEmpty, let base else {
      self = StagedEntries()
      return
    }
    if base.served != nil {
      let catalogs = others.map { Catalog(snapshot: $0) }
      name(staged.map(\.transaction), lackedBy: base.store, in: catalogs)
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
      maxValueLength: ChangeEntryBuilder.maxReviewedLength, names: names)
    let before = known
    known = [:]
    all = []
    for (change, set) in zip(staged, sets) where all.count < ChangeEntryBuilder.maxCount {
      known[change.number] = set.map { builder.entries(of: $0) } ?? before[change.number]
      all += known[change.number] ?? builder.entries(of: change.transaction)
    }
  }

  /// Finds the entities that a store lacks, and their labels in other catalogs or in the transactions
  /// themselves.
  private mutating func name(
    _ transactions: [Transaction], lackedBy store: TripleStore, in others: [Catalog]
  ) {
    let before = names
    (names, missing) = ([:], [:])
    var seen: Set<EntityID> = []
    for (entity, namespace) in transactions.flatMap({ $0.places(in: store.schema) })
    where store.lacks(entity, in: namespace) && seen.insert(entity).inserted {
      missing[namespace, default: []].append(entity)
      let name = others.lazy.compactMap { catalog in
        catalog.store.lacks(entity, in: namespace)
          ? nil : catalog.store.handle(of: entity).map { catalog.label(of: $0, in: namespace) }
      }.first { $0 != entity.text }
      names[entity] = name ?? before[entity]
    }
    for (entity, name) in transactions.flatMap({ $0.labels(in: store.schema) }) {
      names[entity] = name
    }
  }
}

extension Transaction {
  /// Returns the entities that the transaction changes, deletes or links to, with their namespaces.
  fileprivate func places(in schema: Schema) -> [(entity: EntityID, namespace: String)] {
    steps.flatMap { step -> [(entity: EntityID, namespace: String)] in
      switch step {
      case .addTriple(.id(let entity), let id, let value, _),
        .deepMergeTriple(.id(let entity), let id, let value, _),
        .retractTriple(.id(let entity), let id, let value):
        guard let attribute = schema.attribute(id) else { return [] }
        guard attribute.valueType == .ref, case .text(let target) = value else {
          return [(entity, attribute.namespace)]
        }
        return [
          (entity, attribute.namespace), (EntityID(target), Link(attribute, .forward).target),
        ]
      case .deleteEntity(.id(let entity), let namespace?): return [(entity, namespace)]
      default: return []
      }
    }
  }

  /// Returns the labels that the transaction gives to entities.
  fileprivate func labels(in schema: Schema) -> [(entity: EntityID, label: String)] {
    var labelAttributes: [String: AttributeID?] = [:]
    return steps.compactMap { step in
      guard case .addTriple(.id(let entity), let id, .text(let text), _) = step, !text.isEmpty,
        let namespace = schema.attribute(id)?.namespace
      else { return nil }
      if labelAttributes[namespace] == nil {
        labelAttributes[namespace] = .some(schema.labelAttribute(of: namespace)?.id)
      }
      return labelAttributes[namespace] == id ? (entity, text) : nil
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

  fileprivate func lacks(_ entity: EntityID, in namespace: String?) -> Bool {
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
