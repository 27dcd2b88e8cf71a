/// Creates an attribute for each name that the operations use but the schema does not contain.
struct ImplicitAttributeResolver {
  /// The schema, including the created attributes.
  private(set) var schema: Schema
  /// The attributes that the transaction must add: new attributes, and earlier attributes that no
  /// server has confirmed. The earlier attributes are included because this transaction may reach
  /// the server first.
  private(set) var attributesToAdd: [Attribute] = []
  private let declared: Schema?
  private var idsToAdd: Set<AttributeID> = []

  init(_ schema: Schema, declared: Schema?) {
    self.schema = schema
    self.declared = declared
  }

  private enum Purpose {
    case value, lookup, identity
  }

  mutating func make(
    for operations: [InstaMLOperation], newID: () -> EntityID
  ) throws(InstaMLError) {
    for operation in operations { try makeLookups(of: operation, newID) }
    for operation in operations { try makeNames(of: operation, newID) }
  }

  // MARK: Lookups

  private mutating func makeLookups(
    of operation: InstaMLOperation, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    if case .lookup(let name, _) = operation.entity {
      try makeLookup(operation.namespace, name, newID)
    }
    guard operation.action == .link else { return }
    for member in try operation.members() {
      for target in try LinkTargets.entities(member.value) {
        guard case .lookup(let name, _) = target else { continue }
        try makeLink(operation.namespace, member.key, forLookup: true, newID)
        let far = schema.link(operation.namespace, member.key)?.target ?? member.key
        try makeLookup(far, name, newID)
      }
    }
  }

  private mutating func makeLookup(
    _ namespace: String, _ name: String, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    if let label = try LookupName.link(name, namespace, in: schema) {
      try makeLink(namespace, label, forLookup: true, newID)
    } else {
      try makeValue(namespace, name, .lookup, newID)
    }
  }

  // MARK: Names

  private mutating func makeNames(
    of operation: InstaMLOperation, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    switch operation.action {
    case .delete, .ruleParams: return
    case .create, .update, .merge:
      try makeIdentity(operation.namespace, newID)
      let idLabel = schema.identityLabel(of: operation.namespace)
      for member in try operation.members() where member.key != idLabel {
        try makeValue(operation.namespace, member.key, .value, newID)
      }
    case .link, .unlink:
      try makeIdentity(operation.namespace, newID)
      for member in try operation.members() {
        try makeLink(operation.namespace, member.key, forLookup: false, newID)
      }
    }
  }

  private mutating func makeIdentity(
    _ namespace: String, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    if let known = schema.identity(of: namespace) { return bring(known) }
    try makeValue(namespace, "id", .identity, newID)
  }

  private mutating func makeValue(
    _ namespace: String, _ label: String, _ purpose: Purpose, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    if let known = schema.attribute(namespace, label) { return bring(known) }
    var attribute = Attribute(id: AttributeID(newID().text), namespace: namespace, label: label)
    attribute.isUnsynced = true
    attribute.name.id = newID().text
    if let declared, label != "id" {
      guard let model = declared.attribute(namespace, label), model.valueType == .blob else {
        throw .undeclared(namespace: namespace, label: label)
      }
      attribute.isUnique = model.isUnique
      attribute.isIndexed = model.isIndexed
      attribute.checkedType = model.checkedType
    }
    if purpose != .value { attribute.isUnique = true }
    if purpose == .lookup { attribute.isIndexed = true }
    add(attribute)
  }

  private mutating func makeLink(
    _ namespace: String, _ label: String, forLookup: Bool, _ newID: () -> EntityID
  ) throws(InstaMLError) {
    let forward = schema.attribute(namespace, label)
    let known = schema.link(namespace, label)?.attribute
    if let forward { bring(forward) }
    if let known { bring(known) }
    if forward != nil || known != nil { return }
    var attribute = Attribute(
      id: AttributeID(newID().text), namespace: namespace, label: label,
      reverse: .init(namespace: label, label: namespace), valueType: .ref, cardinality: .many)
    attribute.isUnsynced = true
    if let declared {
      guard let model = declared.link(namespace, label)?.attribute else {
        throw .undeclaredLink(namespace: namespace, label: label)
      }
      attribute.name = model.name
      attribute.reverse = model.reverse
      attribute.cardinality = model.cardinality
      attribute.isUnique = model.isUnique
      attribute.onDelete = model.onDelete
      attribute.onDeleteReverse = model.onDeleteReverse
    }
    attribute.name.id = newID().text
    attribute.reverse?.id = newID().text
    if forLookup {
      attribute.cardinality = .one
      attribute.isUnique = true
      attribute.isIndexed = true
    }
    add(attribute)
  }

  private mutating func add(_ attribute: Attribute) {
    schema.set(attribute)
    bring(attribute)
  }

  private mutating func bring(_ attribute: Attribute) {
    guard attribute.isUnsynced, idsToAdd.insert(attribute.id).inserted else { return }
    attributesToAdd.append(attribute)
  }
}

/// The name in a lookup: an attribute's name, or `LINK.id` for the entity that links to a target.
enum LookupName {
  /// Returns the link in a name of the form `LINK.id`; nil when the name is the name of an
  /// attribute.
  static func link(
    _ name: String, _ namespace: String, in schema: Schema
  ) throws(InstaMLError) -> String? {
    guard name.utf8.contains(UInt8(ascii: ".")), schema.attribute(namespace, name) == nil else {
      return nil
    }
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1] == "id" else { throw .invalidLookupName(name) }
    return String(parts[0])
  }
}

/// Parses the targets of a link in an operation.
enum LinkTargets {
  static func entities(_ value: Value) throws(InstaMLError) -> [InstaMLEntity] {
    guard case .array(let items) = value else { return [try InstaMLEntity(json: value)] }
    var entities: [InstaMLEntity] = []
    for item in items { entities.append(try InstaMLEntity(json: item)) }
    return entities
  }
}
