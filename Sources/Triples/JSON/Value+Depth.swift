extension Value {
  /// How many lists and objects of a value that is stored may lie in each other: no more than a message
  /// to a server can carry.
  package static let mostLevels = 125

  /// Whether more lists and objects lie in each other than so many.
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
  /// How deep a message is that changes a value: it stands in a step of a list of steps.
  package static let deepestMessage = Value.mostLevels + 3
}

extension Transaction {
  /// Refuses values that no message could carry.
  ///
  /// - Throws: `tooDeep`.
  package func checkDepth(_ schema: Schema) throws(TransactionError) {
    for step in steps {
      switch step {
      case .addTriple(_, let id, let value, _), .deepMergeTriple(_, let id, let value, _):
        guard value.isDeeper(than: Value.mostLevels) else { continue }
        throw .tooDeep(attribute(id, schema).map { .init($0) }, levels: Value.mostLevels)
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
