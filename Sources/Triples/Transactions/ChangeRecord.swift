/// The changes of one transaction, by ids, for logs. Applying the record to copies of a store gives
/// all of them the same state.
package struct ChangeRecord: Sendable, Equatable {
  package struct Change: Sendable, Equatable {
    package var entity: EntityID
    package var attribute: AttributeID
    package var old: Value?
    package var new: Value?
    /// The creation time of a removed value; nil if a new value replaces the old one.
    package var oldTime: Int64?
    /// The creation time of the new value; nil when it is the transaction's time.
    package var newTime: Int64?
  }

  /// The state of an attribute after the transaction.
  package struct AttributeState: Sendable, Equatable {
    package var attribute: Attribute
    /// Whether the attribute was deleted, but is kept with its values so that it can be restored.
    package var isHidden: Bool

    package init(attribute: Attribute, isHidden: Bool) {
      self.attribute = attribute
      self.isHidden = isHidden
    }
  }

  package var transactionID: Int
  /// The creation time of new values in the transaction, in milliseconds since 1970.
  package var time: Int64
  package var attributes: [AttributeState]
  package var changes: [Change]

  package init(
    transactionID: Int, time: Int64, attributes: [AttributeState] = [], changes: [Change] = []
  ) {
    self.transactionID = transactionID
    self.time = time
    self.attributes = attributes
    self.changes = changes
  }

  /// Creates the record of a transaction from one state of a store to another.
  package init(
    _ changes: ChangeSet, from before: TripleStore, to after: TripleStore, at time: Int64
  ) {
    let states = changes.schemaChanged ? after.attributeStates : []
    let known = changes.schemaChanged ? before.attributeStates : []
    self.init(
      transactionID: after.transactionID, time: time,
      attributes: states.enumerated().filter { number, state in
        number >= known.count || known[number] != state
      }.map(\.element),
      changes: [])
    for change in changes.changes {
      if change.old != nil, change.old == change.new {
        // The entity was removed and added again, so its unchanged values must be recorded, too.
        returned(change, from: before, to: after)
        continue
      }
      self.changes.append(
        Change(
          entity: after.id(of: change.entity), attribute: change.attribute, old: change.old,
          new: change.new, oldTime: change.createdAt,
          newTime: after.createdTime(of: change).flatMap { $0 == time ? nil : $0 }))
    }
  }

  /// Records all values of an entity in a namespace as removed and added again, because its
  /// creation time changed.
  private mutating func returned(
    _ change: ChangeSet.Change, from before: TripleStore, to after: TripleStore
  ) {
    guard let namespace = after.attributeOrHidden(change.attribute)?.namespace else { return }
    let (entity, id) = (change.entity, after.id(of: change.entity))
    for attribute in after.attributeStates.map(\.attribute)
    where attribute.namespace == namespace {
      let old = zip(
        before.values(entity, attribute.id), before.createdTimes(entity, attribute.id))
      let new = zip(
        after.values(entity, attribute.id), after.createdTimes(entity, attribute.id))
      for (value, oldTime) in old {
        guard let newTime = new.first(where: { $0.0 == value })?.1, newTime != oldTime else {
          continue
        }
        changes.append(
          Change(entity: id, attribute: attribute.id, old: value, new: nil, oldTime: oldTime))
        changes.append(
          Change(
            entity: id, attribute: attribute.id, old: nil, new: value,
            newTime: newTime == time ? nil : newTime))
      }
    }
  }
}

extension TripleStore {
  /// Returns the creation time of a value that a change adds; nil when the change replaces or
  /// removes a value.
  fileprivate func createdTime(of change: ChangeSet.Change) -> Int64? {
    guard let new = change.new, change.old == nil else { return nil }
    let values = values(change.entity, change.attribute)
    guard let place = values.lastIndex(of: new) else { return nil }
    return createdTimes(change.entity, change.attribute)[place]
  }

  /// The attribute of each column, including hidden attributes.
  package var attributeStates: [ChangeRecord.AttributeState] {
    attributes.compactMap { $0 }.map {
      ChangeRecord.AttributeState(attribute: $0, isHidden: schema.attribute($0.id) == nil)
    }
  }

  /// Returns the attribute with an id, even if it is hidden.
  package func attributeOrHidden(_ id: AttributeID) -> Attribute? {
    numbers[id].flatMap { attributes[$0] }
  }

  /// Whether every column has an attribute. It is false after a client removed an attribute.
  package var hasAllColumns: Bool { !attributes.contains(nil) }

  /// The handles of all entities, including entities without triples.
  package var allEntities: [EntityHandle] {
    var handles: [EntityHandle] = []
    handles.reserveCapacity(entities.content.count)
    entities.content.forEachRow { handles.append(EntityHandle(row: $0)) }
    return handles
  }

  /// Returns whether an entity has a triple in a column.
  package func holds(_ entity: EntityHandle, column: Int) -> Bool {
    with(column) { $0.pointee.isPresent(entity.row) }
  }

  /// Applies a transaction that was already applied to another copy of this store.
  ///
  /// - Returns: The same changes with this copy's handles.
  /// - Complexity: O(changes).
  package mutating func apply(_ record: ChangeRecord) -> ChangeSet {
    let before = self
    for state in record.attributes { set(state) }
    var touched = TouchedCells()
    var thinned: Set<EntityHandle> = []
    for change in record.changes {
      guard let number = numbers[change.attribute], let attribute = attributes[number] else {
        continue
      }
      let entity = makeEntity(change.entity, in: attribute.namespace)
      touched.insert(entity, column: number)
      if attribute.cardinality == .many, !attribute.isIdentity, let old = change.old {
        retract(old, of: entity, change.attribute)
      }
      if let new = change.new {
        _ = insert(new, of: entity, column: number, at: change.newTime ?? record.time)
      } else {
        if attribute.cardinality == .one || attribute.isIdentity { clear(entity, change.attribute) }
        thinned.insert(entity)
      }
    }
    for entity in thinned { forgetBirthIfGone(entity) }
    transactionID = record.transactionID
    var changes = ChangeSet(schemaChanged: !record.attributes.isEmpty)
    for cell in touched.cells {
      guard let attribute = attributes[cell.column] else { continue }
      changes.append(attribute, of: EntityHandle(row: cell.row), from: before, to: self)
    }
    return changes
  }

  /// Adds or replaces an attribute, which may be hidden.
  package mutating func set(_ state: ChangeRecord.AttributeState) {
    addAttribute(state.attribute)
    if state.isHidden { schema.remove(state.attribute.id) }
  }

  /// Arranges the attributes in a stored order, and sets stored display labels.
  package mutating func arrangeSchema(as layout: Value) {
    schema = Schema(schema.attributes, layout: layout)
  }

  /// Resets the creation time of an entity without triples, so that the next triple sets it.
  private mutating func forgetBirthIfGone(_ entity: EntityHandle) {
    if !columns.contains(where: { $0.content.isPresent(entity.row) }) {
      entities.content.setBirth(entity.row, Entities.unborn)
    }
  }
}

// Converts a record to and from JSON, with each change as a list [entity, attribute, [old, time],
// [new, time]]. A missing value is an empty list. Times are omitted if they are unknown or the
// transaction's.
extension ChangeRecord {
  package var changesJSON: [UInt8] {
    var writer = JSONWriter()
    writer.write(raw: "[")
    for (place, change) in changes.enumerated() {
      if place > 0 { writer.write(raw: ",\n") }
      writer.write(
        .array([
          .text(change.entity.text), .text(change.attribute.text),
          Self.list(change.old, change.oldTime), Self.list(change.new, change.newTime),
        ]))
    }
    writer.write(raw: "]")
    return writer.bytes
  }

  private static func list(_ value: Value?, _ time: Int64?) -> Value {
    guard let value else { return [] }
    return time.map { [value, .integer($0)] } ?? [value]
  }

  package var attributesJSON: [UInt8] {
    JSONWriter.bytes(
      .array(attributes.map { [$0.attribute.json, .bool($0.isHidden)] as Value }))
  }

  /// Restores a record from its stored texts.
  ///
  /// - Throws: `SegmentFault` when the texts are damaged.
  package init(
    transactionID: Int, time: Int64, attributes: [UInt8], changes: [UInt8]
  ) throws(SegmentFault) {
    self.init(transactionID: transactionID, time: time)
    for item in try Self.list(attributes) {
      guard case .array(let parts) = item, parts.count == 2, case .bool(let isHidden) = parts[1]
      else { throw SegmentFault("an attribute is invalid") }
      do throws(Attribute.Fault) {
        self.attributes.append(
          AttributeState(attribute: try Attribute(json: parts[0]), isHidden: isHidden))
      } catch {
        throw SegmentFault(error.reason)
      }
    }
    for item in try Self.list(changes) {
      guard case .array(let parts) = item, parts.count == 4, let entity = parts[0].textValue,
        let attribute = parts[1].textValue, case .array(let old) = parts[2],
        case .array(let new) = parts[3]
      else { throw SegmentFault("a change is invalid") }
      self.changes.append(
        Change(
          entity: EntityID(entity), attribute: AttributeID(attribute), old: old.first,
          new: new.first, oldTime: Self.time(old), newTime: Self.time(new)))
    }
  }

  private static func time(_ list: [Value]) -> Int64? {
    guard list.count > 1, case .integer(let time) = list[1] else { return nil }
    return time
  }

  private static func list(_ json: [UInt8]) throws(SegmentFault) -> [Value] {
    do throws(JSONError) {
      if case .array(let items) = try JSONReader.value(of: json, options: .kept) { return items }
    } catch {
      throw SegmentFault("\(error)")
    }
    throw SegmentFault("a list of changes or attributes is invalid")
  }
}
