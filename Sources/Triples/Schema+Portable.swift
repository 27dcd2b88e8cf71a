extension Schema {
  /// Returns an attribute of a database for stores of other kinds, where `id` is always the
  /// identity. A column `id` is called `key` there.
  package func portable(_ attribute: Attribute) -> Attribute {
    var attribute = attribute
    attribute.isPosition = false
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
  /// The store with the attribute names of other kinds of stores.
  package var portable: TripleStore {
    var store = self
    for attribute in schema.attributes {
      let portable = schema.portable(attribute)
      if portable != attribute { store.addAttribute(portable) }
    }
    return store
  }
}
