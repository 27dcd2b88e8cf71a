import Triples

/// A triple store that contains the server's newest answer to one query.
///
/// An entity keeps its handle as long as the store exists, so that changes can refer to handles.
struct AnswerStore: Sendable {
  private(set) var store = TripleStore()

  /// Identifies the values of one attribute of one entity.
  struct Cell: Hashable {
    let entity: EntityHandle
    let attribute: AttributeID
  }

  /// Sets the store's attributes to those of `schema`. Returns false if they are the same as
  /// before.
  mutating func setSchema(_ schema: Schema) -> Bool {
    guard store.schema != schema else { return false }
    for attribute in store.schema.attributes where schema.attribute(attribute.id) == nil {
      _ = store.removeAttribute(attribute.id)
    }
    for attribute in schema.attributes where store.schema.attribute(attribute.id) != attribute {
      store.addAttribute(attribute)
    }
    return true
  }

  /// Replaces the content with `rows`, and skips rows of unknown attributes.
  ///
  /// - Returns: The cells that changed.
  /// - Complexity: O(rows + triples in the store).
  mutating func setRows(_ rows: [ServedRows.Row]) -> Set<Cell> {
    var wanted: [Cell: [ServedRows.Row]] = [:]
    for row in rows {
      guard let attribute = store.schema.attribute(row.attribute) else { continue }
      let cell = Cell(
        entity: store.makeEntity(row.entity, in: attribute.namespace), attribute: row.attribute)
      if attribute.valueType == .ref, case .text(let target) = row.value {
        _ = store.makeEntity(EntityID(target), in: attribute.reverse?.namespace ?? "")
      }
      wanted[cell, default: []].append(row)
    }
    var changed: Set<Cell> = []
    for attribute in store.schema.attributes {
      for entity in store.rows(attribute.id, .stored).handles {
        let cell = Cell(entity: entity, attribute: attribute.id)
        guard wanted[cell] == nil else { continue }
        store.clear(entity, attribute.id)
        changed.insert(cell)
      }
    }
    for (cell, rows) in wanted where !holds(rows, in: cell) {
      store.clear(cell.entity, cell.attribute)
      for row in rows {
        store.insert(row.value, of: cell.entity, cell.attribute, at: row.createdAt)
      }
      changed.insert(cell)
    }
    return changed
  }

  private func holds(_ rows: [ServedRows.Row], in cell: Cell) -> Bool {
    guard let attribute = store.schema.attribute(cell.attribute) else { return true }
    let values = store.values(cell.entity, cell.attribute)
    let times = store.createdTimes(cell.entity, cell.attribute)
    // For an attribute with cardinality one, only the last value counts.
    let rows = attribute.cardinality == .many && !attribute.isIdentity ? rows[...] : rows.suffix(1)
    guard values.count == rows.count else { return false }
    for (row, (value, time)) in zip(rows, zip(values, times)) {
      guard row.createdAt == time, attribute.isIdentity || row.value == value else { return false }
    }
    return true
  }

  /// Allocates handles for entities that transactions may create.
  mutating func reserve(_ reservations: [Reservation]) { store.reserve(reservations) }
}

/// An entity that a transaction may create, and the namespace of the new entity.
struct Reservation {
  let id: EntityID
  let home: String
}

extension TripleStore {
  /// Allocates handles for entities that transactions may create. If two stores have equal handles,
  /// they still do after the same call on both.
  mutating func reserve(_ reservations: [Reservation]) {
    for reservation in reservations { _ = makeEntity(reservation.id, in: reservation.home) }
  }
}

extension Transaction {
  /// Returns all entities that the transaction may create in a store with this schema.
  func reservations(_ schema: Schema) -> [Reservation] {
    var made: [AttributeID: Attribute] = [:]
    for case .addAttribute(let attribute) in steps { made[attribute.id] = attribute }
    var reservations: [Reservation] = []
    for step in steps {
      switch step {
      case .addTriple(let entity, let id, let value, _),
        .deepMergeTriple(let entity, let id, let value, _):
        guard let attribute = schema.attribute(id) ?? made[id] else { continue }
        if case .id(let entity) = entity {
          reservations.append(Reservation(id: entity, home: attribute.namespace))
        }
        if attribute.valueType == .ref, case .id(let target)? = EntityReference(json: value) {
          reservations.append(
            Reservation(id: target, home: attribute.reverse?.namespace ?? ""))
        }
      case .retractTriple, .deleteEntity, .ruleParameters, .addAttribute, .updateAttribute,
        .deleteAttribute, .restoreAttribute:
        break
      }
    }
    return reservations
  }
}
