/// Primitive changes without any checks, which transactions and loaders make.
extension TripleStore {
  // MARK: Attributes

  /// Adds an attribute, or replaces the attribute with the same id. Existing values that the new
  /// type allows are kept.
  package mutating func addAttribute(_ attribute: Attribute) {
    if let number = numbers[attribute.id] {
      if let old = attributes[number] {
        if old.isIdentity { memberships[old.namespace] = nil }
        // A new type sorts values differently, so the indexes are dropped.
        if old.checkedType != attribute.checkedType { columns[number].content.forgetIndexes() }
      }
      attributes[number] = attribute
      let kind = Column.Kind(attribute)
      if columns[number].content.kind != kind { rebuild(number, as: kind) }
      if attribute.isIdentity { memberships[attribute.namespace] = number }
    } else {
      let number = columns.count
      columns.append(Boxed(Column(Column.Kind(attribute))))
      attributes.append(attribute)
      numbers[attribute.id] = number
      if attribute.isIdentity { memberships[attribute.namespace] = number }
    }
    schema.set(attribute)
  }

  /// Removes an attribute with all its triples. Returns false when it does not exist.
  package mutating func removeAttribute(_ id: AttributeID) -> Bool {
    guard let number = numbers[id] else { return false }
    if let old = attributes[number], old.isIdentity { memberships[old.namespace] = nil }
    columns[number].content = Column(.value)
    attributes[number] = nil
    numbers[id] = nil
    schema.remove(id)
    return true
  }

  /// Sets the namespaces that queries can name but that are not listed.
  package mutating func setPartitions(_ partitions: [String: String]) {
    schema.setPartitions(partitions)
  }

  /// Records the names in an earlier schema of the store.
  package mutating func rememberNames(of earlier: Schema) {
    schema.rememberNames(of: earlier)
  }

  private mutating func rebuild(_ number: Int, as kind: Column.Kind) {
    let old = columns[number].content
    columns[number].content = Column(kind)
    for handle in old.rows(.stored, isDate: false, within: nil).handles {
      let times = createdTimes(handle.row, in: old)
      switch old.kind {
      case .target, .targetList:
        for (target, time) in zip(old.targets(handle.row), times) {
          _ = insert(target: EntityHandle(row: target), of: handle, column: number, at: time)
        }
      case .membership, .value, .valueList:
        for (value, time) in zip(old.values(handle.row), times) {
          _ = insert(value, of: handle, column: number, at: time)
        }
      }
    }
  }

  /// Returns the creation times of an attribute's values, in milliseconds, in the order of
  /// `values`.
  package func createdTimes(_ entity: EntityHandle, _ attribute: AttributeID) -> [Int64] {
    guard let number = numbers[attribute] else { return [] }
    return createdTimes(entity.row, in: columns[number].content)
  }

  private func createdTimes(_ row: UInt32, in column: Column) -> [Int64] {
    let birth = entities.content.birth(row)
    return column.times(row).map { $0 == Chunk.asEntity ? birth : $0 }
  }

  // MARK: Entities

  /// Returns the handle of an id. A new entity gets a row for the namespace, but belongs to the
  /// namespace only when its `id` triple is inserted.
  package mutating func makeEntity(_ id: EntityID, in namespace: String) -> EntityHandle {
    if let row = entities.with({ $0.pointee.row(of: id) }) { return EntityHandle(row: row) }
    return EntityHandle(row: entities.content.makeRow(of: id, home: namespace))
  }

  /// Returns the handle of a UUID, and creates the entity if necessary. The most significant half
  /// comes first.
  package mutating func makeEntity(high: UInt64, low: UInt64, in namespace: String) -> EntityHandle
  {
    if let row = entities.with({ $0.pointee.row(high: high, low: low) }) {
      return EntityHandle(row: row)
    }
    return EntityHandle(row: entities.content.makeRow(high: high, low: low, home: namespace))
  }

  // MARK: Triples

  /// Inserts a triple. It replaces the value of an attribute with cardinality one, and otherwise
  /// adds a value.
  ///
  /// The value of a link is the text of an id, which gets a row if necessary. The value of an `id`
  /// attribute is ignored.
  ///
  /// - Returns: False when nothing changed.
  @discardableResult
  package mutating func insert(
    _ value: Value, of entity: EntityHandle, _ attribute: AttributeID, at time: Int64
  ) -> Bool {
    guard let number = numbers[attribute] else { return false }
    return insert(value, of: entity, column: number, at: time)
  }

  package mutating func insert(
    _ value: Value, of entity: EntityHandle, column: Int, at time: Int64
  ) -> Bool {
    switch columns[column].content.kind {
    case .membership: return join(entity, column: column, at: time)
    case .target, .targetList:
      guard case .text(let id) = value else { return false }
      let home = attributes[column]?.reverse?.namespace ?? ""
      let target = makeEntity(EntityID(id), in: home)
      return insert(target: target, of: entity, column: column, at: time)
    case .valueList:
      let time = relative(time, to: entity.row)
      return columns[column].content.addValue(value, at: entity.row, time: time)
    case .value:
      if self.value(entity.row, column: column) == value { return false }
      let time = relative(time, to: entity.row)
      columns[column].content.set(value, at: entity.row, time: time)
      return true
    }
  }

  /// Inserts a link. Returns false when it exists already.
  @discardableResult
  package mutating func insert(
    target: EntityHandle, of entity: EntityHandle, _ attribute: AttributeID, at time: Int64
  ) -> Bool {
    guard let number = numbers[attribute] else { return false }
    return insert(target: target, of: entity, column: number, at: time)
  }

  package mutating func insert(
    target: EntityHandle, of entity: EntityHandle, column: Int, at time: Int64
  ) -> Bool {
    let time = relative(time, to: entity.row)
    switch columns[column].content.kind {
    case .targetList:
      return columns[column].content.addTarget(target.row, at: entity.row, time: time)
    case .target:
      if case .target(let old) = columns[column].content.cell(entity.row), old == target.row {
        return false
      }
      columns[column].content.setTarget(target.row, at: entity.row, time: time)
      return true
    case .membership, .value, .valueList: return false
    }
  }

  /// Removes exactly this triple. Returns false when it does not exist.
  @discardableResult
  package mutating func retract(
    _ value: Value, of entity: EntityHandle, _ attribute: AttributeID
  ) -> Bool {
    guard let number = numbers[attribute] else { return false }
    switch columns[number].content.kind {
    case .target, .targetList:
      guard case .text(let id) = value, let target = handle(of: EntityID(id)) else { return false }
      return retract(target: target, of: entity, attribute)
    case .valueList:
      return columns[number].content.removeValue(value, at: entity.row)
    case .membership, .value:
      guard self.value(entity.row, column: number) == value else { return false }
      return columns[number].content.clear(entity.row)
    }
  }

  @discardableResult
  package mutating func retract(
    target: EntityHandle, of entity: EntityHandle, _ attribute: AttributeID
  ) -> Bool {
    guard let number = numbers[attribute] else { return false }
    guard columns[number].content.targets(entity.row).contains(target.row) else { return false }
    if columns[number].content.kind == .targetList {
      return columns[number].content.removeTarget(target.row, at: entity.row)
    }
    return columns[number].content.clear(entity.row)
  }

  /// Removes all values of an attribute of an entity. Returns false when there are none.
  @discardableResult
  package mutating func clear(_ entity: EntityHandle, _ attribute: AttributeID) -> Bool {
    guard let number = numbers[attribute] else { return false }
    guard columns[number].content.isPresent(entity.row) else { return false }
    return columns[number].content.clear(entity.row)
  }

  /// Removes an entity from a namespace, or from all namespaces, without cascades. This removes its
  /// triples of the namespace's attributes, and the links to it.
  ///
  /// - Returns: The removed triples: first the entity's triples, then the links to it.
  @discardableResult
  package mutating func removeTriples(
    of entity: EntityHandle, in namespace: String? = nil
  ) -> [RemovedTriple] {
    var removed: [RemovedTriple] = []
    for (number, attribute) in attributes.enumerated() {
      guard let attribute, namespace == nil || attribute.namespace == namespace else { continue }
      let values = values(entity.row, column: number)
      guard !values.isEmpty else { continue }
      _ = columns[number].content.clear(entity.row)
      removed += values.map { RemovedTriple(entity: entity, attribute: attribute.id, value: $0) }
    }
    let text = Value.text(id(of: entity).text)
    for (number, attribute) in attributes.enumerated() {
      guard let attribute, attribute.valueType == .ref else { continue }
      guard namespace == nil || attribute.reverse?.namespace == namespace else { continue }
      for source in columns[number].content.sources(of: entity.row) {
        let source = EntityHandle(row: source)
        if retract(target: entity, of: source, attribute.id) {
          removed.append(RemovedTriple(entity: source, attribute: attribute.id, value: text))
        }
      }
    }
    if !attributes.indices.contains(where: { columns[$0].content.isPresent(entity.row) }) {
      entities.content.setBirth(entity.row, Entities.unborn)
    }
    return removed
  }

  package struct RemovedTriple: Hashable, Sendable {
    package let entity: EntityHandle
    package let attribute: AttributeID
    package let value: Value
  }

  /// Adds an entity to the namespace to which a membership column belongs.
  private mutating func join(_ entity: EntityHandle, column: Int, at time: Int64) -> Bool {
    guard !columns[column].content.isPresent(entity.row) else { return false }
    let time = relative(time, to: entity.row)
    columns[column].content.mark(entity.row, time: time)
    return true
  }

  /// Converts a creation time to the form that columns store: `Chunk.asEntity` if it equals the
  /// entity's time. If the entity has no triple yet, this sets the entity's time.
  @inline(__always)
  mutating func relative(_ time: Int64, to row: UInt32) -> Int64 {
    let birth = entities.with { $0.pointee.birth(row) }
    if birth == time { return Chunk.asEntity }
    if birth != Entities.unborn { return time }
    entities.content.setBirth(row, time)
    return Chunk.asEntity
  }
}

extension Column.Kind {
  init(_ attribute: Attribute) {
    self =
      switch (attribute.valueType, attribute.cardinality) {
      case _ where attribute.isIdentity: .membership
      case (.ref, .one): .target
      case (.ref, .many): .targetList
      case (.blob, .many): .valueList
      case (.blob, .one): .value
      }
  }
}
