/// Converts operations to transaction steps. All names in the operations must have attributes
/// already.
struct InstaMLExpansion {
  /// The store that contains the existing entities.
  let store: TripleStore
  let schema: Schema
  let readsDates: Bool

  func steps(_ operation: InstaMLOperation) throws(InstaMLError) -> [TransactionStep] {
    let namespace = operation.namespace
    let entity = try reference(operation.entity, in: namespace)
    switch operation.action {
    case .create: return try values(operation, entity, .create)
    case .update, .merge: return try values(operation, entity, mode(operation, entity))
    case .link, .unlink: return try links(operation, entity)
    case .delete: return [.deleteEntity(entity, namespace: namespace)]
    case .ruleParams:
      return [.ruleParameters(entity, namespace: namespace, operation.arguments)]
    }
  }

  // MARK: Values

  private func values(
    _ operation: InstaMLOperation, _ entity: EntityReference, _ mode: TransactionMode
  ) throws(InstaMLError) -> [TransactionStep] {
    var steps: [TransactionStep] = []
    // The id comes first, because a later step may change the value used in the lookup.
    if let identity = schema.identity(of: operation.namespace) {
      steps.append(.addTriple(entity, identity.id, entity.json, mode))
    }
    let idLabel = schema.identityLabel(of: operation.namespace)
    for member in try operation.members() where member.key != idLabel {
      guard let attribute = schema.attribute(operation.namespace, member.key) else { continue }
      if operation.action == .merge {
        steps.append(.deepMergeTriple(entity, attribute.id, member.value, mode))
      } else {
        try checkDate(member.value, attribute)
        steps.append(.addTriple(entity, attribute.id, member.value, mode))
      }
    }
    return steps
  }

  private func mode(_ operation: InstaMLOperation, _ entity: EntityReference) -> TransactionMode {
    if let upsert = operation.upsert { return upsert ? .upsert : .update }
    guard let handle = store.handle(of: entity) else { return .upsert }
    if case .lookup = entity { return .update }
    return store.knows(handle, in: operation.namespace) ? .update : .upsert
  }

  private func checkDate(_ value: Value, _ attribute: Attribute) throws(InstaMLError) {
    guard readsDates, attribute.checkedType == .date else { return }
    if case .text(let text) = value, Instant(text) == nil { throw .notADate(text) }
  }

  // MARK: Links

  private func links(
    _ operation: InstaMLOperation, _ entity: EntityReference
  ) throws(InstaMLError) -> [TransactionStep] {
    var steps: [TransactionStep] = []
    if case .lookup = entity, let identity = schema.identity(of: operation.namespace) {
      steps.append(.addTriple(entity, identity.id, entity.json))
    }
    for member in try operation.members() {
      guard let link = schema.link(operation.namespace, member.key) else {
        throw .notALink(namespace: operation.namespace, label: member.key)
      }
      for target in try LinkTargets.entities(member.value) {
        let other = try reference(target, in: link.target)
        let (source, target) = link.direction == .forward ? (entity, other) : (other, entity)
        steps.append(
          operation.action == .link
            ? .addTriple(source, link.attribute.id, target.json)
            : .retractTriple(source, link.attribute.id, target.json))
      }
    }
    return steps
  }

  // MARK: Entities

  private func reference(
    _ entity: InstaMLEntity, in namespace: String
  ) throws(InstaMLError) -> EntityReference {
    switch entity {
    case .id(let id): return .id(EntityID(id))
    case .lookup(let name, let value):
      var attribute = schema.attribute(namespace, name)
      if let label = try LookupName.link(name, namespace, in: schema) {
        let named = schema.attribute(namespace, label) ?? schema.link(namespace, label)?.attribute
        if let named, named.valueType != .ref { throw .lookupIsNoLink(name: name) }
        attribute = named
      }
      guard let attribute, attribute.isUnique else { throw .notUnique(name: name) }
      return .lookup(attribute.id, value)
    }
  }
}
