extension Value {
  /// The maximum nesting depth of stored lists and objects. It is limited by the depth of messages
  /// to servers.
  package static let maxNestingLevels = 125

  /// Returns whether the value is nested deeper than `levels`.
  func isDeeper(than levels: Int) -> Bool {
    switch self {
    case .null, .bool, .integer, .double, .text: false
    case .array(let elements):
      levels == 0 || elements.contains { $0.isDeeper(than: levels - 1) }
    case .object(let object):
      levels == 0 || object.members.contains { $0.value.isDeeper(than: levels - 1) }
    }
  }
}

extension JSONOptions {
  /// The maximum depth of a message that changes a value. In the message, the value is part of a
  /// step in a list of steps.
  package static let maxMessageDepth = Value.maxNestingLevels + 3
}

extension Transaction {
  /// Rejects steps with values that are nested too deeply for a message.
  ///
  /// - Throws: `tooDeep`.
  package func checkDepth(_ schema: Schema) throws(TransactionError) {
    for step in steps {
      switch step {
      case .addTriple(_, let id, let value, _), .deepMergeTriple(_, let id, let value, _):
        guard value.isDeeper(than: Value.maxNestingLevels) else { continue }
        throw .tooDeep(attribute(id, schema).map { .init($0) }, levels: Value.maxNestingLevels)
      case .retractTriple, .deleteEntity, .ruleParameters, .addAttribute, .updateAttribute,
        .deleteAttribute, .restoreAttribute:
        continue
      }
    }
  }

  private func attribute(_ id: AttributeID, _ schema: Schema) -> Attribute? {
    if let known = schema.attribute(id) { return known }
    for case .addAttribute(let attribute) in steps where attribute.id == id { return attribute }
    return nil
  }
}
