/// Checks a transaction as a whole.
extension TransactionDraft {
  /// Rejects a step if the value that the user saw has changed.
  func check(_ step: TransactionStep, against seen: Value) throws(TransactionError) {
    if let conflict = store.conflict(of: step, with: seen) { throw conflict }
  }

  /// Rejects changes of entities that were deleted after the user saw them.
  func checkThere(_ transaction: Transaction) throws(TransactionError) {
    for place in transaction.seen.keys.sorted() {
      guard let seen = transaction.seen[place],
        let conflict = before.conflict(of: transaction.steps[place], with: seen),
        case .changedMeanwhile(_, nil) = conflict
      else { continue }
      throw conflict
    }
    if let conflict = before.conflict(takingBack: transaction) { throw conflict }
  }

  /// Rejects steps whose mode does not match the state before the transaction.
  func checkModes(_ steps: [TransactionStep]) throws(TransactionError) {
    var existing: [EntityReference] = []
    var missing: [EntityReference] = []
    var asked: Set<ModeQuestion> = []
    let added = steps.reduce(into: [AttributeID: String]()) { namespaces, step in
      if case .addAttribute(let attribute) = step { namespaces[attribute.id] = attribute.namespace }
    }
    for step in steps {
      let (entity, attribute, mode): (EntityReference, AttributeID, TransactionMode)
      switch step {
      case .addTriple(let e, let a, _, let m), .deepMergeTriple(let e, let a, _, let m):
        (entity, attribute, mode) = (e, a, m)
      default: continue
      }
      guard mode != .upsert else { continue }
      guard let namespace = before.schema.attribute(attribute)?.namespace ?? added[attribute] else {
        continue
      }
      let question = ModeQuestion(entity: entity, namespace: namespace, mode: mode)
      guard asked.insert(question).inserted else { continue }
      let exists = before.handle(of: entity).map { before.knows($0, in: namespace) } ?? false
      if mode == .create, exists { existing.append(entity) }
      if mode == .update, !exists { missing.append(entity) }
    }
    if !existing.isEmpty { throw .createsExisting(existing) }
    if !missing.isEmpty { throw .updatesMissing(missing) }
  }

  private struct ModeQuestion: Hashable {
    let entity: EntityReference
    let namespace: String
    let mode: TransactionMode
  }

  /// Adds a null to new entities for each indexed attribute without a value, so that the index
  /// contains them. A value that a step removed is not replaced by a null.
  mutating func fillIndexes() {
    var indexed = ByNamespace()
    for cell in touched.cells {
      guard let identity = store.attributes[cell.column], identity.isIdentity else { continue }
      let entity = EntityHandle(row: cell.row)
      guard isNew(entity, in: identity) else { continue }
      let attributes = indexed.value(of: identity.namespace) { namespace in
        store.schema.attributes(of: namespace).filter {
          $0.isIndexed && !$0.isIdentity && $0.cardinality == .one
        }
      }
      for attribute in attributes where store.value(entity, attribute.id) == nil {
        guard let column = store.column(of: attribute.id),
          !touched.contains(entity, column: column)
        else { continue }
        touch(entity, attribute.id)
        store.insert(.null, of: entity, attribute.id, at: time)
      }
    }
  }

  /// Rejects results that violate constraints: duplicate values of unique attributes, and
  /// entities without required values.
  mutating func checkResult() throws(TransactionError) {
    for column in Set(touched.cells.map(\.column)).union(tightened.compactMap(store.column(of:))) {
      if store.attributes[column]?.isUnique == true { store.prepareHolders(column: column) }
    }
    var missing = MissingRequired()
    var required = ByNamespace()
    for cell in touched.cells {
      guard let attribute = store.attributes[cell.column],
        store.schema.attribute(attribute.id) != nil
      else { continue }
      let entity = EntityHandle(row: cell.row)
      if attribute.isIdentity {
        if isNew(entity, in: attribute) {
          let attributes = required.value(of: attribute.namespace) {
            store.schema.allAttributes(of: $0).filter(\.isRequired)
          }
          for attribute in attributes { missing.recordIfMissing(attribute, entity, in: store) }
        }
        continue
      }
      if attribute.isUnique { try checkUnique(entity, attribute) }
      if attribute.isRequired { missing.recordIfMissing(attribute, entity, in: store) }
    }
    try checkTightened(&missing)
    if let (attribute, entities) = missing.first {
      throw .missingRequired(.init(attribute), entities.map { store.id(of: $0) })
    }
  }

  private func checkUnique(
    _ entity: EntityHandle, _ attribute: Attribute
  ) throws(TransactionError) {
    guard let column = store.column(of: attribute.id) else { return }
    for value in store.values(entity, attribute.id)
    where store.holder(of: value, column: column, otherThan: entity) != nil {
      throw .notUnique(.init(attribute), attribute.id, value)
    }
  }

  /// Checks all stored values of attributes whose constraints became stricter.
  private func checkTightened(_ missing: inout MissingRequired) throws(TransactionError) {
    for id in tightened {
      guard let attribute = store.schema.attribute(id) else { continue }
      for entity in store.rows(id, .stored).handles {
        if attribute.isUnique, !attribute.isIdentity { try checkUnique(entity, attribute) }
        guard attribute.valueType == .blob, !attribute.isIdentity else { continue }
        for value in store.values(entity, id) { try check(value, attribute) }
      }
      guard attribute.isRequired else { continue }
      for entity in store.rows(of: attribute.namespace).handles {
        missing.recordIfMissing(attribute, entity, in: store)
      }
    }
  }

  private func isNew(_ entity: EntityHandle, in identity: Attribute) -> Bool {
    store.contains(entity, in: identity.namespace)
      && !before.contains(entity, in: identity.namespace)
  }

  // MARK: Changes

  /// The changes of all written cells from the state before the transaction to the state after it.
  var changes: ChangeSet {
    var changes = ChangeSet(schemaChanged: schemaChanged)
    for cell in touched.cells {
      guard let attribute = store.attributes[cell.column] else { continue }
      changes.append(
        attribute, of: EntityHandle(row: cell.row), from: before, to: store)
    }
    return changes
  }
}

/// A cache of some attributes per namespace, since a transaction may contain many entities of one
/// namespace.
private struct ByNamespace {
  private var found: [String: [Attribute]] = [:]

  mutating func value(of namespace: String, _ find: (String) -> [Attribute]) -> [Attribute] {
    if let attributes = found[namespace] { return attributes }
    let attributes = find(namespace)
    found[namespace] = attributes
    return attributes
  }
}

/// The entities without a required value, by attribute, in order.
private struct MissingRequired {
  private var attributes: [Attribute] = []
  private var entities: [AttributeID: [EntityHandle]] = [:]
  private var recorded: [AttributeID: Set<EntityHandle>] = [:]

  var first: (Attribute, [EntityHandle])? {
    attributes.first.map { ($0, entities[$0.id] ?? []) }
  }

  mutating func recordIfMissing(
    _ attribute: Attribute, _ entity: EntityHandle, in store: TripleStore
  ) {
    guard store.contains(entity, in: attribute.namespace) else { return }
    let value = store.value(entity, attribute.id)
    guard value == nil || value == .null else { return }
    if entities[attribute.id] == nil { attributes.append(attribute) }
    // Several changed cells may belong to one entity.
    guard recorded[attribute.id, default: []].insert(entity).inserted else { return }
    entities[attribute.id, default: []].append(entity)
  }
}

extension TripleStore {
  /// Returns whether an entity belongs to a namespace, or has a value of one of its attributes.
  func knows(_ entity: EntityHandle, in namespace: String) -> Bool {
    contains(entity, in: namespace)
      || schema.ownAttributes(of: namespace).contains { value(entity, $0.id) != nil }
  }
}

extension Schema {
  /// Returns the blobs and forward links of a namespace.
  fileprivate func ownAttributes(of namespace: String) -> [Attribute] {
    allAttributes(of: namespace)
      + links(of: namespace).filter { $0.direction == .forward }.map(\.attribute)
  }
}

extension TripleStore {
  /// Returns a conflict if a transaction undoes the creation of an entity to which another entity
  /// links; otherwise nil.
  package func conflict(takingBack transaction: Transaction) -> TransactionError? {
    guard transaction.undoing != nil else { return nil }
    for case .retractTriple(.id(let id), let attribute, _) in transaction.steps {
      guard let known = schema.attribute(attribute), known.isIdentity, let entity = handle(of: id)
      else { continue }
      for link in schema.links(of: known.namespace) where link.direction == .reverse {
        let goesToo = targets(entity, link).allSatisfy { source in
          transaction.steps.contains(
            .retractTriple(.id(self.id(of: source)), link.attribute.id, .text(id.text)))
        }
        if !goesToo { return .ledToMeanwhile(.init(link.attribute)) }
      }
    }
    return nil
  }

  /// Returns a conflict if a step replaces or removes a value that differs from the value the user
  /// saw. Nil if the values are equal, or if steps of this kind are not checked.
  package func conflict(of step: TransactionStep, with seen: Value) -> TransactionError? {
    let (id, attribute, value): (EntityID, AttributeID, Value)
    switch step {
    case .addTriple(.id(let entity), let its, let new, _):
      (id, attribute, value) = (entity, its, new)
    // If the value was already removed, there is no conflict.
    case .retractTriple(.id(let entity), let its, _): (id, attribute, value) = (entity, its, .null)
    case .addTriple, .retractTriple, .deepMergeTriple, .deleteEntity, .ruleParameters,
      .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute:
      return nil
    }
    guard let known = schema.attribute(attribute), known.cardinality == .one else { return nil }
    let entity = handle(of: id)
    let now = entity.flatMap { self.value($0, attribute) }
    let there = now ?? .null
    if there == seen || there == value { return nil }
    let isThere = entity.map { contains($0, in: known.namespace) } ?? false
    return .changedMeanwhile(.init(known), now: isThere ? there : now)
  }
}
