import GRDB
import LiveQueries
import Triples

/// Writes triples.
extension StoreTables {
  /// Writes the changes of a transaction.
  ///
  /// - Parameters:
  ///   - rewritten: The attributes whose kind changed, so that all their triples are written again.
  ///   - store: The store after the transaction.
  ///   - head: Receives the sum of the triples' checksums.
  static func apply(
    _ record: ChangeRecord, rewriting rewritten: [Attribute], to store: TripleStore,
    _ head: inout Head, _ db: Database
  ) throws {
    var rows = try TripleRows(db, sum: head.triples, lastTime: head.lastTime)
    let skipped = Set(rewritten.map(\.id))
    for change in record.changes where !skipped.contains(change.attribute) {
      guard let attribute = store.attributeOrHidden(change.attribute),
        let number = store.column(of: change.attribute)
      else { continue }
      try apply(change, at: record.time, attribute, number, &rows)
    }
    for attribute in rewritten {
      guard let number = store.column(of: attribute.id) else { continue }
      try rows.removeAll(of: number, db)
      for entity in store.rows(attribute.id, .stored).handles {
        try insert(attribute, number, of: (store.id(of: entity), entity), in: store, &rows)
      }
    }
    (head.triples, head.lastTime) = (rows.sum, rows.lastTime)
  }

  private static func apply(
    _ change: ChangeRecord.Change, at time: Int64, _ attribute: Attribute, _ number: Int,
    _ rows: inout TripleRows
  ) throws {
    let entity = change.entity
    let time = change.newTime ?? time
    var removed = true
    if attribute.cardinality == .many && !attribute.isIdentity {
      if let old = change.old {
        removed = try rows.remove(entity, number, StoredValue(old, of: attribute)) != nil
      }
      if let new = change.new {
        try rows.append(entity, number, StoredValue(new, of: attribute), time)
      }
    } else if let new = change.new {
      removed = try rows.set(entity, number, StoredValue(new, of: attribute), time)
    } else {
      removed = try rows.remove(entity, number) != nil
    }
    guard removed || change.old == nil else {
      throw damage(
        "the stored value of \(attribute.namespace).\(attribute.label) of \(entity) is missing")
    }
  }

  /// Writes all triples of a store into the empty table, in the order of the table.
  static func fill(
    with store: TripleStore, _ db: Database, progress: ProgressReport
  ) throws -> (sum: RowSum, lastTime: Int64) {
    var rows = try TripleRows(db, sum: RowSum(), lastTime: 0)
    let attributes = store.attributeStates.map(\.attribute)
    let entities = store.allEntities.map { (id: store.id(of: $0), handle: $0) }
      .sorted { $0.id.sqliteOrder($1.id) }
    for (place, entity) in entities.enumerated() {
      for (number, attribute) in attributes.enumerated() {
        try insert(attribute, number, of: entity, in: store, &rows)
      }
      if place & 0x3FF == 0 {
        // Cancellation interrupts the database only during a statement.
        try Task.checkCancellation()
        progress(LoadingProgress(done: place, of: entities.count, .rows))
      }
    }
    return (rows.sum, rows.lastTime)
  }

  /// Writes all values that an entity has of one attribute. The file must not contain any of them
  /// yet.
  private static func insert(
    _ attribute: Attribute, _ number: Int, of entity: (id: EntityID, handle: EntityHandle),
    in store: TripleStore, _ rows: inout TripleRows
  ) throws {
    guard let column = store.column(of: attribute.id),
      store.holds(entity.handle, column: column)
    else { return }
    func insert(_ value: Value, at place: Int64, _ time: Int64) throws {
      try rows.insert(
        TripleRow(
          entity: entity.id, attribute: number, place: place,
          value: StoredValue(value, of: attribute), time: time))
    }
    guard attribute.cardinality == .many, !attribute.isIdentity else {
      guard let value = store.value(entity.handle, attribute.id),
        let time = store.createdAt(entity.handle, attribute.id)
      else { return }
      return try insert(value, at: 0, time)
    }
    let values = store.values(entity.handle, attribute.id)
    let times = store.createdTimes(entity.handle, attribute.id)
    for (index, (value, time)) in zip(values, times).enumerated() {
      try insert(value, at: Int64(index + 1), time)
    }
  }
}

extension EntityID {
  /// Returns whether SQLite sorts this id before `other`.
  ///
  /// SQLite sorts texts before BLOBs, and both by their bytes.
  fileprivate func sqliteOrder(_ other: EntityID) -> Bool {
    switch (uuidBits, other.uuidBits) {
    case (let a?, let b?): a.high != b.high ? a.high < b.high : a.low < b.low
    case (nil, _?): true
    case (_?, nil): false
    case (nil, nil): text.utf8.lexicographicallyPrecedes(other.text.utf8)
    }
  }
}
