import InstaQL
package import Triples

/// A value that the store holds after a change that wrote another value, because a column rounds,
/// or a trigger replaces what is written.
package struct StoredValue: Sendable, Equatable {
  package let attribute: Attribute
  package let value: Value

  package init(_ value: Value, of attribute: Attribute) {
    (self.attribute, self.value) = (attribute, value)
  }

  /// Returns the values in the rows of `made`, read after a transaction, that differ from those of
  /// the transaction.
  package static func differing(
    from transaction: Transaction, in made: StoreSnapshot
  ) -> [StoredValue] {
    let store = made.store
    let created = createdRow(of: transaction, in: made)
    var written: [Cell: Value] = [:]
    var order: [Cell] = []
    for case .addTriple(let entity, let attribute, let value, _) in transaction.steps {
      let cell = Cell(entity: entity, attribute: attribute)
      if written.updateValue(value, forKey: cell) == nil { order.append(cell) }
    }
    return order.compactMap { cell in
      guard let attribute = store.schema.attribute(cell.attribute), attribute.isColumn,
        attribute.valueType == .blob, attribute.cardinality == .one, !attribute.isIdentity,
        let row = store.handle(of: cell.entity)
          ?? (cell.entity == created?.sent ? created?.row : nil),
        let now = store.value(row, attribute.id),
        let value = written[cell], !now.isStored(for: value, of: attribute)
      else { return nil }
      return StoredValue(now, of: attribute)
    }
  }

  /// Returns the entity that a transaction creates, and its row, to which the database gave another
  /// id. Nil if the transaction creates none or several.
  private static func createdRow(
    of transaction: Transaction, in made: StoreSnapshot
  ) -> (sent: EntityReference, row: EntityHandle)? {
    let rows = CreatedEntity.all(in: made)
    guard rows.count == 1, let row = made.store.handle(of: rows[0].id) else { return nil }
    let sent = transaction.steps.compactMap { step -> EntityReference? in
      guard case .addTriple(let entity, let id, _, _) = step,
        let attribute = made.store.schema.attribute(id), attribute.isIdentity,
        attribute.namespace == rows[0].namespace
      else { return nil }
      return entity
    }
    return sent.count == 1 ? (sent[0], row) : nil
  }

  private struct Cell: Hashable {
    let entity: EntityReference
    let attribute: AttributeID
  }
}

extension Value {
  /// Whether a store that was given the value `other` holds it unchanged as this value.
  fileprivate func isStored(for other: Value, of attribute: Attribute) -> Bool {
    if isSameJSON(as: other) { return true }
    if attribute.checkedType == .date, let now = Instant(queryValue: self) {
      return now == Instant(queryValue: other)
    }
    if let now = exactNumber, attribute.exactForm == .number { return now == other.exactNumber }
    guard case .text(let text) = self, case .text(let given) = other else { return false }
    // A database rewrites a JSON document, and keeps its numbers. A long text is read only in part.
    return attribute.exactForm == .json && JSONReader.isExactDocument(text)
      && JSONReader.isExactDocument(given)
      || text.hasSuffix("…") && given.hasPrefix(text.dropLast())
  }

  private var exactNumber: ExactNumber? {
    switch self {
    case .integer(let number): ExactNumber(String(number))
    case .double(let number): ExactNumber(number.description)
    case .text(let text): ExactNumber(text)
    case .null, .bool, .array, .object: nil
    }
  }
}
