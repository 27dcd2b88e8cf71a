extension Transaction {
  /// Returns the transaction with its new attributes replaced by existing attributes of the same
  /// names.
  ///
  /// A transaction that uses an unknown name adds an attribute, which is marked as unsynced. If
  /// another client has added the same attribute first, `schema` contains it under another id,
  /// which replaces the new id. An attribute that is not marked or has another type is not
  /// replaced, so the store rejects it.
  func adoptingAttributes(of schema: Schema) -> Transaction {
    var adopted: [AttributeID: Attribute] = [:]
    for case .addAttribute(let attribute) in steps where attribute.isUnsynced {
      guard schema.attribute(attribute.id) == nil,
        let known = schema.attribute(attribute.namespace, attribute.label),
        known.canReplace(attribute)
      else { continue }
      adopted[attribute.id] = known
    }
    if adopted.isEmpty { return self }
    var transaction = self
    // The number of steps must not change, because `moments` and `seen` refer to their indexes.
    transaction.steps = steps.map { $0.replacing(adopted) }
    return transaction
  }
}

extension Attribute {
  /// Returns whether values of the other attribute can be stored under this one.
  fileprivate func canReplace(_ other: Attribute) -> Bool {
    valueType == other.valueType && cardinality == other.cardinality
      && (isUnique || !other.isUnique) && reverse?.namespace == other.reverse?.namespace
      && reverse?.label == other.reverse?.label
  }
}

extension TransactionStep {
  fileprivate func replacing(_ adopted: [AttributeID: Attribute]) -> TransactionStep {
    func id(_ id: AttributeID) -> AttributeID { adopted[id]?.id ?? id }
    func entity(_ reference: EntityReference) -> EntityReference {
      guard case .lookup(let attribute, let value) = reference else { return reference }
      return .lookup(id(attribute), value)
    }
    func target(_ value: Value) -> Value {
      guard case .array(let parts) = value, parts.count == 2, case .text(let text) = parts[0],
        let known = adopted[AttributeID(text)]
      else { return value }
      return [.text(known.id.text), parts[1]]
    }
    switch self {
    case .addTriple(let reference, let attribute, let value, let mode):
      return .addTriple(entity(reference), id(attribute), target(value), mode)
    case .deepMergeTriple(let reference, let attribute, let value, let mode):
      return .deepMergeTriple(entity(reference), id(attribute), value, mode)
    case .retractTriple(let reference, let attribute, let value):
      return .retractTriple(entity(reference), id(attribute), target(value))
    case .deleteEntity(let reference, let namespace):
      return .deleteEntity(entity(reference), namespace: namespace)
    case .ruleParameters(let reference, let namespace, let value):
      return .ruleParameters(entity(reference), namespace: namespace, value)
    case .addAttribute(let attribute): return .addAttribute(adopted[attribute.id] ?? attribute)
    case .updateAttribute(let attribute, let changes):
      return .updateAttribute(id(attribute), changes)
    case .deleteAttribute(let attribute): return .deleteAttribute(id(attribute))
    case .restoreAttribute(let attribute): return .restoreAttribute(id(attribute))
    }
  }
}
