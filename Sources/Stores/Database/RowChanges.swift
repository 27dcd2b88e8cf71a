import InstaQL
import Triples

/// The steps of a transaction, combined into one change per row.
struct RowChanges<Finder: RowFinding> {
  private(set) var changes: [Change] = []
  private(set) var pairs: [LinkPair] = []
  private var places: [RowReference: Int] = [:]
  private let rows: Finder
  private let own: LastWrittenValues
  private let deletedRows: DeletedRows
  /// The records of deleted rows that the transaction restores.
  private(set) var returning: [RowReference: DeletedRow] = [:]

  /// The rows that the transaction creates because no row has the value of a lookup.
  private var lookedUp: [EntityReference: RowReference] = [:]
  /// The rows that a step of the transaction creates.
  private var created: Set<RowReference> = []
  /// The rows whose creation the transaction undoes.
  private(set) var undoneCreations: Set<RowReference> = []
  /// The entities whose values the caller saw before the change.
  private let seenEntities: Set<EntityReference>

  /// Combines the steps of a transaction.
  ///
  /// - Parameters:
  ///   - deletedRows: The records of deleted rows, which the transaction may restore.
  ///   - own: The values that this program recently wrote. A caller that has not seen them causes
  ///     no conflict.
  init(
    _ transaction: Transaction, _ rows: Finder, deletedRows: DeletedRows, own: LastWrittenValues
  ) throws {
    self.rows = rows
    self.deletedRows = deletedRows
    self.own = own
    seenEntities = Set(transaction.seen.keys.compactMap { transaction.steps[$0].entity })
    for case .addTriple(.id(let id), let attribute, _, _) in transaction.steps {
      if let name = name(of: id, bearing: attribute) { created.insert(name) }
    }
    for case .retractTriple(.id(let id), let attribute, _) in transaction.steps {
      if let name = name(of: id, bearing: attribute) { undoneCreations.insert(name) }
    }
    recordRestoredRows(transaction)
    for (place, step) in transaction.steps.enumerated() {
      try apply(step, seen: transaction.seen[place])
    }
  }

  /// Returns the row of an entity if `attribute` is an identity attribute; otherwise nil.
  private func name(of id: EntityID, bearing attribute: AttributeID) -> RowReference? {
    guard let attribute = rows.shape.schema.attribute(attribute), attribute.isIdentity else {
      return nil
    }
    return RowReference(entity: id, namespace: attribute.namespace)
  }

  private mutating func recordRestoredRows(_ transaction: Transaction) {
    let known = created.filter { deletedRows.holds($0) }
    if known.isEmpty { return }
    var values: [RowReference: [String: Value]] = [:]
    for case .addTriple(.id(let id), let attribute, let value, _) in transaction.steps {
      guard let attribute = rows.shape.schema.attribute(attribute),
        let (column, _) = rows.column(of: attribute)
      else { continue }
      let name = RowReference(entity: id, namespace: attribute.namespace)
      // An object or list in a JSON column does not show whether the cell is a BLOB.
      if known.contains(name), !column.isJSON { values[name, default: [:]][column.name] = value }
    }
    for name in known { returning[name] = deletedRows.last(name, shownAs: values[name] ?? [:]) }
  }

  private mutating func apply(_ step: TransactionStep, seen: Value?) throws {
    switch step {
    case .addTriple(let entity, let id, let value, let mode):
      let attribute = try attribute(id)
      let place = try place(of: entity, attribute, mode)
      if attribute.isIdentity { return }
      if attribute.valueType == .ref { return try link(place, attribute, value, seen) }
      try set(place, attribute, to: value, seen)
    case .retractTriple(let entity, let id, let value):
      try retract(value, of: entity, try attribute(id))
    case .deleteEntity(let entity, let namespace):
      for name in try names(of: entity, in: namespace) {
        let place = try place(of: name, isCreatedIfMissing: false)
        if let number = changes[place].number, case .object(let seen)? = seen {
          try check(number, of: name, against: seen)
        }
        changes[place].isDeleted = true
      }
    case .deepMergeTriple(_, let id, _, _):
      throw DatabaseWriteError.wrongType(try attribute(id), expected: nil)
    case .ruleParameters: break
    case .addAttribute(let attribute)
    where rows.shape.schema.namespaces.contains(attribute.namespace):
      throw DatabaseWriteError.missingColumn(
        namespace: attribute.namespace, label: attribute.label)
    case .addAttribute(let attribute):
      throw DatabaseWriteError.missingTable(
        attribute.namespace,
        hint: NearestName.hint(namespace: attribute.namespace, in: rows.shape.schema))
    case .updateAttribute, .deleteAttribute, .restoreAttribute:
      throw DatabaseWriteError.fixedAttributes
    }
  }

  /// Returns the change that creates a row; nil if the transaction does not create it.
  func creation(of name: RowReference) -> Change? {
    places[name].map { changes[$0] }.flatMap { $0.number == nil ? $0 : nil }
  }

  /// Returns the change that deletes a row; nil if the transaction does not delete it.
  func deletion(of name: RowReference) -> Change? {
    places[name].map { changes[$0] }.flatMap { $0.isDeleted ? $0 : nil }
  }

  private func attribute(_ id: AttributeID) throws -> Attribute {
    guard let attribute = rows.shape.schema.attribute(id) else {
      throw DatabaseWriteError.noColumn
    }
    return attribute
  }

  // MARK: Rows

  /// Returns the row that a reference identifies in a namespace; nil if a lookup finds no row.
  private func name(
    of reference: EntityReference, in namespace: String
  ) throws -> RowReference? {
    // Every store rejects such an id, although a database finds rows by any text.
    if case .id(let id) = reference, !id.isUUID {
      throw TransactionError.invalidEntityID(id.text)
    }
    if let row = lookedUp[reference], row.namespace == namespace { return row }
    return try rows.name(of: reference, in: namespace)
  }

  private func names(of entity: EntityReference, in namespace: String?) throws -> [RowReference] {
    let spaces =
      namespace.map { [$0] }
      ?? rows.shape.names.namespaces.filter { $0.table.readOnlyReason == nil }.map(\.table.name)
    return try spaces.compactMap { space in
      guard let name = try name(of: entity, in: space) else { return nil }
      return try rows.number(of: name) == nil ? nil : name
    }
  }

  /// Throws an error if a row to be deleted has values that differ from those that the caller saw.
  private func check(
    _ number: Finder.Locator, of row: RowReference, against seen: JSONObject
  ) throws {
    let known = rows.shape.schema.attributes(of: row.namespace).compactMap { attribute in
      seen[attribute.label].map { (attribute: attribute, seen: $0) }
    }
    let values = try rows.values(of: known.map(\.attribute), in: row.namespace, at: number)
    for (known, now) in zip(known, values) {
      try check(known.attribute, of: row, now: now, against: known.seen)
    }
  }

  private func check(
    _ attribute: Attribute, of row: RowReference, now: Value, against seen: Value
  ) throws {
    if now.isSeen(as: seen) { return }
    if own.values(before: now, in: row, attribute).contains(where: { $0.isSeen(as: seen) }) {
      return
    }
    throw DatabaseWriteError.changedMeanwhile(attribute, now: now)
  }

  private mutating func place(
    of reference: EntityReference, _ attribute: Attribute, _ mode: TransactionMode
  ) throws -> Int {
    if let row = lookedUp[reference], let place = places[row] { return place }
    guard let named = try self.name(of: reference, in: attribute.namespace) else {
      guard case .lookup(let id, let value) = reference else {
        throw DatabaseWriteError.rowIsGone(namespace: attribute.namespace)
      }
      let key = try self.attribute(id)
      if mode == .update { throw DatabaseWriteError.noRow(key, value) }
      // No row has the value of the lookup yet, so a new row is created with it.
      let row = RowReference(entity: .random(), namespace: attribute.namespace)
      lookedUp[reference] = row
      let place = try place(of: row, isCreatedIfMissing: true)
      try set(place, key, to: value, nil)
      return place
    }
    let name = try current(named)
    let exists = try rows.number(of: name) != nil
    if mode == .create, exists { throw DatabaseWriteError.rowIsThere(namespace: name.namespace) }
    if mode == .update, !exists { throw missing(name) }
    return try place(of: name, isCreatedIfMissing: created.contains(name) || mode == .create)
  }

  /// Returns the current reference of a row, whose key may have changed since the caller read it.
  private func current(_ name: RowReference) throws -> RowReference {
    var name = name
    var seen: Set<RowReference> = []
    while !created.contains(name), seen.insert(name).inserted,
      let renamedRow = deletedRows.renamedRow(of: name),
      try rows.number(of: name) == nil
    {
      name = renamedRow
    }
    return name
  }

  private mutating func place(of name: RowReference, isCreatedIfMissing: Bool) throws -> Int {
    if let place = places[name] { return place }
    let number = try rows.number(of: name)
    guard number != nil || isCreatedIfMissing else { throw missing(name) }
    places[name] = changes.count
    changes.append(Change(name: name, number: number))
    return changes.count - 1
  }

  /// Returns the error for a row that does not exist.
  private func missing(_ name: RowReference) -> DatabaseWriteError {
    seenEntities.contains(.id(name.entity)) || deletedRows.holds(name)
      ? .rowIsGone(namespace: name.namespace)
      : .noRowWithID(name.entity, namespace: name.namespace)
  }

  // MARK: Values

  private mutating func set(
    _ place: Int, _ attribute: Attribute, to value: Value, _ seen: Value?
  ) throws {
    guard let (column, _) = rows.column(of: attribute) else {
      throw DatabaseWriteError.noColumn
    }
    if column.isGenerated {
      // The database generates the value of a restored row again.
      guard changes[place].number != nil else { return }
      throw DatabaseWriteError.isGenerated(attribute)
    }
    if let number = changes[place].number {
      let now = try rows.value(of: attribute, at: number)
      if case .object = now, now != value {
        let holdsBytes =
          try column.holdsBytes || column.isJSON && rows.holdsBytes(attribute, at: number)
        if holdsBytes { throw DatabaseWriteError.holdsBytes(attribute) }
      }
      if try rows.isOtherText(attribute, at: number) {
        throw DatabaseWriteError.holdsOtherText(attribute)
      }
      if let seen {
        try check(attribute, of: changes[place].name, now: now, against: seen)
      }
      if now == value {
        // An earlier step may have set the column to another value, which this step replaces.
        changes[place].leave(column.name)
        return
      }
      // `value` is an earlier value that this program replaced. It may have another type than the
      // column.
      let row = changes[place].name
      if own.values(before: now, in: row, attribute).contains(value) {
        let cell = own.cell(value, in: row, attribute)
        changes[place].set(
          column.name, to: try rows.earlierValue(value, of: attribute, from: cell))
        return
      }
      changes[place].set(
        column.name, to: try rows.databaseValue(value, of: attribute, at: number))
      return
    } else if let known = returning[changes[place].name] {
      if known.isForgotten {
        throw DatabaseWriteError.forgotten(namespace: attribute.namespace)
      }
      // The kept cell contains more than the shown value, so the row is restored with the kept
      // cell.
      if known.unrepresentable[column.name]?.isShown(as: value) == true { return }
    }
    changes[place].set(column.name, to: try rows.databaseValue(value, of: attribute))
  }

  private mutating func retract(
    _ value: Value, of entity: EntityReference, _ attribute: Attribute
  ) throws {
    guard let name = try name(of: entity, in: attribute.namespace),
      try rows.number(of: name) != nil || places[name] != nil
    else { return }
    let place = try place(of: name, isCreatedIfMissing: false)
    if attribute.isIdentity {
      changes[place].isDeleted = true
    } else if undoneCreations.contains(name) {
      // Deleting the row deletes its values, unless the shown value is outdated.
      if attribute.valueType != .ref, let number = changes[place].number,
        rows.column(of: attribute)?.column.isGenerated == false
      {
        let now = try rows.value(of: attribute, at: number)
        try check(attribute, of: name, now: now, against: value)
      }
    } else if attribute.valueType == .ref {
      try unlink(place, attribute, value)
    } else if let number = changes[place].number,
      try rows.value(of: attribute, at: number) == value, value != .null
    {
      try set(place, attribute, to: .null, nil)
    }
  }

  // MARK: Links

  private mutating func link(
    _ place: Int, _ attribute: Attribute, _ value: Value, _ seen: Value?
  ) throws {
    let (link, target) = try end(of: attribute, value)
    if link.joined != nil {
      pairs.append(
        LinkPair(link: link, source: changes[place].name, target: target, isAdded: true))
      return
    }
    if let seen, let number = changes[place].number {
      let now = try rows.target(of: link, at: number).map { Value.text($0.text) } ?? .null
      try check(attribute, of: changes[place].name, now: now, against: seen)
    }
    changes[place].links.removeAll { $0.link.attribute.id == attribute.id }
    changes[place].links.append((link, target))
  }

  private mutating func unlink(_ place: Int, _ attribute: Attribute, _ value: Value) throws {
    let (link, target) = try end(of: attribute, value)
    if link.joined != nil {
      pairs.append(
        LinkPair(link: link, source: changes[place].name, target: target, isAdded: false))
      return
    }
    changes[place].links.removeAll { $0.link.attribute.id == attribute.id && $0.target == target }
    guard let number = changes[place].number,
      try rows.target(of: link, at: number) == target.entity
    else { return }
    for column in link.key.columns { changes[place].set(column, to: Finder.null) }
  }

  private func end(
    of attribute: Attribute, _ value: Value
  ) throws -> (link: DatabaseNames.Link, target: RowReference) {
    guard let link = rows.shape.names.links.first(where: { $0.attribute.id == attribute.id }),
      let reference = EntityReference(json: value),
      let name = try name(of: reference, in: attribute.reverse?.namespace ?? "")
    else { throw DatabaseWriteError.noTarget(attribute) }
    return (link, name)
  }
}

extension Value {
  /// Returns whether a caller that saw `other` has seen this value. A screen may have cut a long
  /// text.
  fileprivate func isSeen(as other: Value) -> Bool {
    if self == other { return true }
    guard case .text(let text) = self, case .text(let seen) = other, seen.hasSuffix("…") else {
      return false
    }
    return text.hasPrefix(seen.dropLast())
  }
}
