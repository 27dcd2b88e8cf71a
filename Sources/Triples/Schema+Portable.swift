extension Schema {
  /// Returns an attribute of a database for stores of other kinds, where `id` is always the
  /// identity. A column `id` is called `key` there.
  package func portable(_ attribute: Attribute) -> Attribute {
    var attribute = attribute
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
  /// Renames the attributes of a database for stores of other kinds.
  package mutating func makePortable() {
    for attribute in schema.attributes {
      let portable = schema.portable(attribute)
      if portable != attribute { addAttribute(portable) }
    }
  }
}
