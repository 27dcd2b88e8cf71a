/// Applies steps that change attributes.
extension TransactionDraft {
  mutating func add(_ attribute: Attribute) throws(TransactionError) {
    var attribute = attribute
    if rules.refuses {
      // The store confirms the attribute, regardless of the session that created it.
      attribute.isUnsynced = false
      if let existing = store.schema.attribute(attribute.id), existing == attribute { return }
      try checkNames(attribute)
      if store.column(of: attribute.id) != nil { tightened.append(attribute.id) }
    }
    schemaChanged = true
    store.addAttribute(attribute)
  }

  mutating func update(_ id: AttributeID, _ changes: JSONObject) throws(TransactionError) {
    guard let old = try known(id) else { return }
    var object = JSONObject()
    if case .object(let members) = old.json { object = members }
    for member in changes.members { object[member.key] = member.value }
    let attribute: Attribute
    do throws(Attribute.Fault) {
      attribute = try Attribute(json: .object(object))
    } catch {
      if rules.refuses { throw .malformedAttribute(id, error.reason) }
      return
    }
    if rules.refuses {
      try checkNames(attribute)
      tightened.append(id)
    }
    schemaChanged = true
    store.addAttribute(attribute)
  }

  /// Deletes an attribute. A store only hides it, so that it can be restored; a client removes it.
  mutating func delete(_ id: AttributeID) throws(TransactionError) {
    guard let attribute = try known(id) else { return }
    schemaChanged = true
    if rules.refuses {
      store.hideAttribute(attribute)
    } else {
      _ = store.removeAttribute(id)
    }
  }

  mutating func restore(_ id: AttributeID) throws(TransactionError) {
    guard rules.refuses else { return }
    guard let attribute = store.deletedAttributes.first(where: { $0.id == id })?.restored else {
      throw .nothingToRestore(id)
    }
    try checkNames(attribute)
    schemaChanged = true
    store.addAttribute(attribute)
  }

  /// Rejects an attribute if its forward or reverse name is in use by another attribute.
  private func checkNames(_ attribute: Attribute) throws(TransactionError) {
    for name in [attribute.name, attribute.reverse].compactMap({ $0 }) {
      let others = [
        store.schema.attribute(name.namespace, name.label),
        store.schema.link(name.namespace, name.label)?.attribute,
      ]
      if others.contains(where: { $0 != nil && $0?.id != attribute.id }) {
        var named = attribute
        named.name = name
        throw .attributeExists(.init(named))
      }
    }
  }
}

extension TripleStore {
  /// Deleted attributes that can be restored; their values are still stored.
  package var deletedAttributes: [Attribute] {
    attributes.compactMap { $0 }.filter { schema.attribute($0.id) == nil }
  }

  /// Removes an attribute from the schema, but keeps its values.
  package mutating func hideAttribute(_ attribute: Attribute) {
    var hidden = attribute
    hidden.name.label = attribute.hiddenPrefix + attribute.label
    hidden.reverse?.label = attribute.hiddenPrefix + (attribute.reverse?.label ?? "")
    hidden.isRequired = false
    hidden.isIndexed = false
    addAttribute(hidden)
    schema.remove(attribute.id)
  }
}

extension Attribute {
  /// The prefix that servers add to the label of a deleted attribute.
  fileprivate var hiddenPrefix: String { "\(id.text)_deleted$" }

  /// A deleted attribute with its original name.
  fileprivate var restored: Attribute? {
    guard label.hasPrefix(hiddenPrefix) else { return nil }
    var attribute = self
    attribute.name.label = String(label.dropFirst(hiddenPrefix.count))
    if let reverse, reverse.label.hasPrefix(hiddenPrefix) {
      attribute.reverse?.label = String(reverse.label.dropFirst(hiddenPrefix.count))
    }
    return attribute
  }
}
