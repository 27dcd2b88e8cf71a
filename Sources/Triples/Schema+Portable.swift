extension Schema {
  /// Returns a database attribute in the form that other kinds of stores need. In these stores,
  /// `id` is always the identity, so a column `id` is renamed to `key`.
  package func portable(_ attribute: Attribute) -> Attribute {
    var attribute = attribute
    attribute.isPosition = false
    attribute.readOnlyReason = nil
    if attribute.isInternal {
      attribute.isInternal = false
      attribute.name.label = "id"
    } else if attribute.label == "id", attribute.column != nil {
      attribute.name.label = "key"
      while self.attribute(attribute.namespace, attribute.label) != nil
        || link(attribute.namespace, attribute.label) != nil
      {
        attribute.name.label += "_"
      }
    }
    return attribute
  }
}

extension TripleStore {
  /// The store with attributes as another kind of store needs them; see ``Schema/portable(_:)``.
  package var portable: TripleStore {
    var store = self
    for attribute in schema.attributes {
      let portable = schema.portable(attribute)
      if portable != attribute { store.addAttribute(portable) }
    }
    return store
  }
}
