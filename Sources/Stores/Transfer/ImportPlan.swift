public import Triples

/// The effect of an import on a store: its transaction, and the numbers of new and changed
/// entities.
///
/// Attributes match by name. Unmatched attributes are added. They get a new id if the store already
/// uses their id. Entities keep their ids, and an entity that is in both stores gets the imported
/// values. An entity whose id is derived from its row's content does not change if the store
/// already has it, because the same row was imported before. Added triples keep their times.
public struct ImportPlan: Sendable {
  /// The number of imported entities of a namespace, by their effect.
  public struct Tally: Sendable, Hashable {
    /// The number of entities to create.
    public fileprivate(set) var new = 0
    /// The number of entities whose values change.
    public fileprivate(set) var changed = 0
    /// The number of entities without changes.
    public fileprivate(set) var unchanged = 0
    /// The number of skipped entities, which `remarks` explain.
    public fileprivate(set) var leftOut = 0

    /// The number of entities that are not skipped.
    public var total: Int { new + changed + unchanged }
  }

  /// The transaction that makes the changes.
  public private(set) var transaction = Transaction()
  /// The numbers of imported entities, keyed by namespace.
  public private(set) var tallies: [String: Tally] = [:]
  /// Remarks for the user, each as a sentence.
  public private(set) var remarks: [String] = []

  private let content: TripleStore
  private let store: TripleStore
  private let contentRows: RowSet
  /// The effect on each imported entity, keyed by the entity's row number in `content`.
  private var fates: [UInt32: Fate] = [:]
  /// For each imported entity, the existing or earlier imported entity with the same value in the
  /// matching column.
  private var matches: [EntityID: EntityID] = [:]
  /// The changes that existing attributes need so that imported values fit.
  private var loosened: [AttributeID: JSONObject] = [:]

  private enum Fate {
    case new, known(EntityHandle), leftOut
    case updated(EntityHandle)
    /// The row overwrites an earlier imported row with the same value in the matching column.
    case repeated
  }

  /// Plans an import.
  ///
  /// - Parameters:
  ///   - contentRows: The entities of `content` whose ids are derived from their rows' content.
  ///   - column: The label of the attribute that matches entities, in every namespace that has it.
  ///     An imported entity without a value is new. An entity is skipped if its value occurs in
  ///     several entities of the store. If several entities of the content have the same value, the
  ///     last one is imported.
  /// - Throws: ``ImportError`` if an attribute has different kinds in the two stores.
  /// - Complexity: O(triples of `content`).
  public init(
    _ content: TripleStore, into store: TripleStore, updateBy column: String? = nil
  ) throws(ImportError) {
    try self.init(content, contentRows: RowSet(), into: store, updateBy: column)
  }

  package init(
    _ content: TripleStore, contentRows: RowSet, into store: TripleStore, updateBy column: String?
  ) throws(ImportError) {
    (self.content, self.store, self.contentRows) = (content, store, contentRows)
    for namespace in content.schema.namespaces {
      tallies[namespace] = Tally()
      decide(namespace, updateBy: column)
    }
    if let column, !content.schema.namespaces.contains(where: { matched($0, by: column) != nil }) {
      throw ImportError(
        name: column,
        reason:
          "No imported row has the column \(column), which should identify existing entities. "
          + "Choose another column.")
    }
    var changed: Set<UInt32> = []
    for (theirs, ours) in try pairs() { add(theirs, ours, &changed) }
    count(changed)
    loosen()
  }

  /// Plans an import into a new store. All entities are new, and the content can be written without
  /// a transaction.
  package init(ofNew content: TripleStore) {
    (self.content, store, contentRows) = (content, TripleStore(), RowSet())
    for namespace in content.schema.namespaces {
      tallies[namespace] = Tally(new: content.count(of: namespace))
    }
  }

  // MARK: Matching entities

  private func matched(_ namespace: String, by column: String?) -> Attribute? {
    guard let column, let attribute = content.schema.attribute(namespace, column),
      attribute.valueType == .blob, !attribute.isIdentity
    else { return nil }
    return attribute
  }

  private mutating func decide(_ namespace: String, updateBy column: String?) {
    let attribute = matched(namespace, by: column)
    var known = attribute.map { entitiesByValue(namespace, $0.label) } ?? [:]
    var (without, ambiguous) = (0, 0)
    for entity in content.rows(of: namespace).handles {
      if fates[entity.row] != nil { continue }
      let id = content.id(of: entity)
      if let attribute {
        let value = content.value(entity, attribute.id) ?? .null
        if value == .null {
          without += 1
        } else if let targets = known[value] {
          guard targets.count == 1 else {
            ambiguous += 1
            fates[entity.row] = .leftOut
            continue
          }
          if targets[0] != id { matches[id] = targets[0] }
          fates[entity.row] = store.handle(of: targets[0]).map { .updated($0) } ?? .repeated
          continue
        } else {
          known[value] = [id]
        }
      }
      guard let handle = store.handle(of: id), store.contains(handle, in: namespace) else {
        fates[entity.row] = .new
        continue
      }
      fates[entity.row] = .known(handle)
    }
    let label = column ?? ""
    if without > 0 {
      let isOne = without == 1
      let rows = isOne ? "1 row" : "\(without) rows"
      remarks.append(
        "\(namespace): \(rows) without \(label) \(isOne ? "was" : "were") imported as "
          + (isOne ? "a new entity." : "new entities."))
    }
    if ambiguous > 0 {
      let rows = ambiguous == 1 ? "1 row was" : "\(ambiguous) rows were"
      remarks.append(
        "\(namespace): \(rows) skipped because several entities in the store have the same "
          + "\(label).")
    }
  }

  private func entitiesByValue(_ namespace: String, _ label: String) -> [Value: [EntityID]] {
    guard let attribute = store.schema.attribute(namespace, label) else { return [:] }
    var known: [Value: [EntityID]] = [:]
    for entity in store.rows(of: namespace).handles {
      guard let value = store.value(entity, attribute.id), value != .null else { continue }
      known[value, default: []].append(store.id(of: entity))
    }
    return known
  }

  // MARK: Attributes

  private mutating func pairs() throws(ImportError) -> [(theirs: Attribute, ours: Attribute)] {
    var pairs: [(theirs: Attribute, ours: Attribute)] = []
    for theirs in content.schema.attributes {
      if let known = store.schema.attribute(theirs.namespace, theirs.label) {
        guard known.valueType == theirs.valueType, known.cardinality == theirs.cardinality else {
          throw ImportError(name: "\(theirs.namespace).\(theirs.label)")
        }
        pairs.append((theirs, known))
      } else {
        var added = theirs
        if store.attributeOrHidden(theirs.id) != nil { added.id = AttributeID(.random()) }
        transaction.steps.append(.addAttribute(added))
        pairs.append((theirs, added))
      }
    }
    return pairs
  }

  /// Relaxes an existing attribute so that it accepts a value of another type or size. No value is
  /// dropped.
  private mutating func acceptValue(_ value: Value, for ours: Attribute) {
    if let type = ours.checkedType, !value.fits(type) {
      loosened[ours.id, default: JSONObject()]["checked-data-type"] = .null
    }
    if ours.isIndexed, !ours.isUnique, value.size > Self.maxIndexedBytes {
      loosened[ours.id, default: JSONObject()]["index?"] = false
    }
  }

  /// The maximum size of an indexed value in bytes.
  private static let maxIndexedBytes = 1_024

  /// Inserts the steps that relax attributes before all other steps of the transaction.
  private mutating func loosen() {
    guard !loosened.isEmpty else { return }
    var steps: [TransactionStep] = []
    for (id, changes) in loosened.sorted(by: { $0.key.text < $1.key.text }) {
      let added = transaction.steps.firstIndex { $0.adds(id) }
      if let added, case .addAttribute(var attribute) = transaction.steps[added] {
        if changes["checked-data-type"] != nil { attribute.checkedType = nil }
        if changes["index?"] != nil { attribute.isIndexed = false }
        transaction.steps[added] = .addAttribute(attribute)
        continue
      }
      steps.append(.updateAttribute(id, changes))
      if let known = store.schema.attribute(id), let type = known.checkedType,
        changes["checked-data-type"] != nil
      {
        remarks.append(
          "The field \(known.namespace).\(known.label) had the type \(type.rawValue). It now accepts any "
            + "value, because some imported values have another type.")
      }
    }
    let moments = transaction.moments
    transaction.moments = [:]
    for (place, time) in moments { transaction.moments[place + steps.count] = time }
    transaction.steps = steps + transaction.steps
  }

  // MARK: Triples

  private mutating func add(_ theirs: Attribute, _ ours: Attribute, _ changed: inout Set<UInt32>) {
    let isLink = theirs.valueType == .ref
    for entity in content.rows(theirs.id, .stored).handles {
      var known: EntityHandle?
      switch fates[entity.row] {
      case .leftOut: continue
      case .known(let handle):
        if contentRows.contains(entity) { continue }
        known = handle
      case .updated(let handle): known = handle
      case .repeated, .new, nil: break
      }
      let isUpdate = matches[content.id(of: entity)] != nil
      if theirs.isIdentity, known != nil || isUpdate { continue }
      let id = content.id(of: entity)
      let reference = EntityReference.id(matches[id] ?? id)
      for (value, time) in zip(
        content.values(entity, theirs.id), content.createdTimes(entity, theirs.id))
      {
        let value = isLink ? target(value) : value
        if let known, store.values(known, ours.id).contains(value) { continue }
        if known != nil { changed.insert(entity.row) }
        if !isLink, !theirs.isIdentity { acceptValue(value, for: ours) }
        transaction.moments[transaction.steps.count] = time
        transaction.steps.append(.addTriple(reference, ours.id, value))
      }
    }
  }

  /// Returns the id of a link's target, or of the existing entity that matches the target.
  private func target(_ value: Value) -> Value {
    guard !matches.isEmpty, let text = value.textValue, let other = matches[EntityID(text)] else {
      return value
    }
    return .text(other.text)
  }

  private mutating func count(_ changed: Set<UInt32>) {
    for namespace in content.schema.namespaces {
      for entity in content.rows(of: namespace).handles {
        switch fates[entity.row] {
        case .new, nil: tallies[namespace]?.new += 1
        case .leftOut: tallies[namespace]?.leftOut += 1
        case .repeated: tallies[namespace]?.changed += 1
        case .known, .updated:
          if changed.contains(entity.row) {
            tallies[namespace]?.changed += 1
          } else {
            tallies[namespace]?.unchanged += 1
          }
        }
      }
    }
  }
}

extension TransactionStep {
  fileprivate func adds(_ id: AttributeID) -> Bool {
    if case .addAttribute(let attribute) = self { attribute.id == id } else { false }
  }
}

extension Value {
  fileprivate func fits(_ type: CheckedType) -> Bool {
    guard type.accepts(self) else { return false }
    guard type == .date else { return true }
    return switch self {
    case .text(let text): Instant(text) != nil
    case .integer(let number): Instant(milliseconds: number) != nil
    case .double(let number): Instant(milliseconds: number) != nil
    case .null, .bool, .array, .object: true
    }
  }

  /// The size of the value in bytes, as an index counts it.
  fileprivate var size: Int {
    switch self {
    case .null, .bool, .integer, .double: 8
    case .text(let text): text.utf8.count
    case .array, .object: JSONWriter.bytes(self).count
    }
  }
}

extension AttributeID {
  fileprivate init(_ id: EntityID) { self.init(id.text) }
}
