/// A transaction in progress: a copy of the store that is kept only on success.
struct TransactionDraft {
  /// The store before the transaction, used for modes, lookups and cascades.
  let before: TripleStore
  var store: TripleStore
  let rules: TransactionRules
  /// Whether the transaction restores earlier values, which may violate rules for new values.
  var isUndo = false
  /// The creation time of new triples. With optimistic rules, it increases by one with each step.
  var time: Int64
  /// All cells that the steps wrote, in order.
  var touched = TouchedCells()
  var schemaChanged = false
  /// The attributes whose constraints became stricter, so that their values must be checked.
  var tightened: [AttributeID] = []
  /// The entities that lookups found. Later steps find the same entity even if its value has
  /// changed.
  private var found: [EntityReference: EntityHandle] = [:]

  init(_ store: TripleStore, _ steps: [TransactionStep], rules: TransactionRules, time: Int64) {
    var store = store
    for case .lookup(let attribute, _)? in steps.lazy.map(\.entity) {
      if let column = store.column(of: attribute) { store.prepareHolders(column: column) }
    }
    before = store
    self.store = store
    self.rules = rules
    // The time is multiplied by ten, so that it is later than any time of a server.
    self.time = rules == .optimistic ? time * 10 : time
  }

  mutating func apply(_ step: TransactionStep) throws(TransactionError) {
    switch step {
    case .addTriple(let entity, let attribute, let value, let mode):
      if rules == .optimistic, !allows(mode, entity, attribute) { return }
      try add(entity, attribute, value)
    case .deepMergeTriple(let entity, let attribute, let patch, let mode):
      if rules == .optimistic, !allows(mode, entity, attribute) { return }
      try merge(entity, attribute, patch)
    case .retractTriple(let entity, let attribute, let value):
      try retract(entity, attribute, value)
    case .deleteEntity(let entity, let namespace): try delete(entity, namespace)
    case .ruleParameters: break
    case .addAttribute(let attribute): try add(attribute)
    case .updateAttribute(let id, let changes): try update(id, changes)
    case .deleteAttribute(let id): try delete(id)
    case .restoreAttribute(let id): try restore(id)
    }
    if rules == .optimistic { time += 1 }
  }

  // MARK: Finding entities

  enum Missing {
    /// Creates the missing entity in this namespace.
    case created(namespace: String)
    case left
  }

  /// Returns the entity of a reference. `ifMissing` specifies whether a missing entity is created
  /// or the result is nil.
  mutating func resolve(
    _ reference: EntityReference, ifMissing: Missing
  ) throws(TransactionError) -> EntityHandle? {
    switch reference {
    case .id(let id):
      if rules.refuses, !id.isUUID { throw .invalidEntityID(id.text) }
      switch ifMissing {
      case .created(let namespace): return store.makeEntity(id, in: namespace)
      case .left: return store.handle(of: id)
      }
    case .lookup(let attribute, let value):
      if rules.refuses, let handle = found[reference] { return handle }
      guard let attribute = try known(attribute) else { return nil }
      if rules.refuses, !attribute.isUnique { throw .lookupNeedsUnique(.init(attribute)) }
      if let column = store.column(of: attribute.id) { store.prepareHolders(column: column) }
      var handle = store.holder(of: value, attribute)
      if handle == nil, rules.refuses, case .created = ifMissing {
        handle = try make(with: value, under: attribute)
      }
      found[reference] = handle
      return handle
    }
  }

  /// Creates an entity with the value of a lookup.
  private mutating func make(
    with value: Value, under attribute: Attribute
  ) throws(TransactionError) -> EntityHandle {
    let handle = store.makeEntity(.random(), in: attribute.namespace)
    let reference = EntityReference.id(store.id(of: handle))
    if let identity = store.schema.identity(of: attribute.namespace) {
      try add(reference, identity.id, reference.json)
    }
    try add(reference, attribute.id, value)
    return handle
  }

  /// Returns the attribute with an id. For an unknown id, it returns nil under a client's rules,
  /// and throws under a store's.
  func known(_ id: AttributeID) throws(TransactionError) -> Attribute? {
    if let attribute = store.schema.attribute(id) { return attribute }
    if rules.refuses { throw .unknownAttribute(id) }
    return nil
  }

  /// Returns whether a client applies a step with this mode, which depends on whether the entity
  /// existed before the transaction.
  private func allows(
    _ mode: TransactionMode, _ reference: EntityReference, _ attribute: AttributeID
  ) -> Bool {
    if mode == .upsert { return true }
    var exists = false
    // If the attribute is unknown, so is its namespace.
    if let namespace = before.schema.attribute(attribute)?.namespace,
      let handle = before.handle(of: reference)
    {
      exists = before.contains(handle, in: namespace)
    }
    return exists == (mode == .update)
  }
}

extension TripleStore {
  /// Returns the entity of a reference; nil when it does not exist.
  package func handle(of reference: EntityReference) -> EntityHandle? {
    switch reference {
    case .id(let id): handle(of: id)
    case .lookup(let attribute, let value):
      schema.attribute(attribute).flatMap { holder(of: value, $0) }
    }
  }

  /// Returns the entity with this value of an attribute. Null never matches.
  func holder(of value: Value, _ attribute: Attribute) -> EntityHandle? {
    column(of: attribute.id).flatMap { holder(of: value, column: $0) }
  }
}

/// The cells that a transaction changes, in the order in which they were first changed.
struct TouchedCells {
  struct Cell: Hashable {
    let row: UInt32
    let column: Int
  }

  private(set) var cells: [Cell] = []
  private var known: Set<Cell> = []

  mutating func insert(_ entity: EntityHandle, column: Int) {
    let cell = Cell(row: entity.row, column: column)
    if known.insert(cell).inserted { cells.append(cell) }
  }

  func contains(_ entity: EntityHandle, column: Int) -> Bool {
    known.contains(Cell(row: entity.row, column: column))
  }
}
