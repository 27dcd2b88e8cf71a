package import Triples

/// Handles attributes that a client and the server created independently of each other.
extension PendingMutations {
  /// Replaces locally created attributes with the server's attributes of the same names.
  ///
  /// If a mutation uses an unknown attribute, it also creates the attribute, under a new id. If
  /// another client has created the attribute in the meantime, the server has it under another id.
  /// A link may also have the opposite direction on the server. In that case, its steps swap entity
  /// and value.
  ///
  /// - Parameter schema: The server's schema.
  /// - Returns: Whether any mutation changed.
  package mutating func adopt(_ schema: Schema) -> Bool {
    var serverAttributes: [AttributeID: ServerAttribute] = [:]
    for mutation in mutations {
      for case .addAttribute(let own) in mutation.transaction.steps {
        serverAttributes[own.id] = ServerAttribute(of: own, in: schema)
      }
    }
    guard !serverAttributes.isEmpty else { return false }
    var changed = false
    for place in mutations.indices {
      let old = mutations[place].transaction
      let new = Transaction(old.steps.compactMap { $0.adopting(serverAttributes) })
      if new != old {
        mutations[place].transaction = new
        changed = true
      }
    }
    return changed
  }
}

/// The server's attribute that replaces a local one.
private struct ServerAttribute {
  let id: AttributeID
  /// Whether the server's forward direction of the link is the local reverse direction.
  let isReversed: Bool

  init?(of own: Attribute, in schema: Schema) {
    if schema.attribute(own.id) != nil {
      return nil
    } else if let serverAttribute = schema.attribute(own.namespace, own.label) {
      self.init(id: serverAttribute.id, isReversed: false)
    } else if own.valueType == .ref, let reverse = own.reverse,
      let serverAttribute = schema.attribute(reverse.namespace, reverse.label),
      serverAttribute.valueType == .ref,
      serverAttribute.reverse?.namespace == own.namespace,
      serverAttribute.reverse?.label == own.label
    {
      self.init(id: serverAttribute.id, isReversed: true)
    } else {
      return nil
    }
  }

  private init(id: AttributeID, isReversed: Bool) {
    self.id = id
    self.isReversed = isReversed
  }
}

extension TransactionStep {
  /// Returns the step with the server's attributes. Nil when the step creates an attribute that the
  /// server already has.
  fileprivate func adopting(_ serverAttributes: [AttributeID: ServerAttribute]) -> TransactionStep?
  {
    func adopted(_ id: AttributeID) -> AttributeID { serverAttributes[id]?.id ?? id }
    func adopted(_ entity: EntityReference) -> EntityReference {
      guard case .lookup(let id, let value) = entity else { return entity }
      return .lookup(adopted(id), value)
    }
    func adopted(target: Value) -> Value {
      // The target changes only if it is a lookup by an attribute that is replaced.
      guard case .lookup(let lookup, let value)? = EntityReference(json: target),
        serverAttributes[lookup] != nil
      else { return target }
      return EntityReference.lookup(adopted(lookup), value).json
    }
    func ends(
      _ entity: EntityReference, _ id: AttributeID, _ value: Value
    ) -> (EntityReference, Value) {
      let (entity, value) = (adopted(entity), adopted(target: value))
      guard serverAttributes[id]?.isReversed == true, let target = EntityReference(json: value)
      else {
        return (entity, value)
      }
      return (target, entity.json)
    }
    switch self {
    case .addTriple(let entity, let id, let value, let mode):
      let (entity, value) = ends(entity, id, value)
      return .addTriple(entity, adopted(id), value, mode)
    case .retractTriple(let entity, let id, let value):
      let (entity, value) = ends(entity, id, value)
      return .retractTriple(entity, adopted(id), value)
    case .deepMergeTriple(let entity, let id, let value, let mode):
      return .deepMergeTriple(adopted(entity), adopted(id), value, mode)
    case .deleteEntity(let entity, let namespace):
      return .deleteEntity(adopted(entity), namespace: namespace)
    case .ruleParameters(let entity, let namespace, let value):
      return .ruleParameters(adopted(entity), namespace: namespace, value)
    case .addAttribute(let own): return serverAttributes[own.id] == nil ? self : nil
    case .updateAttribute(let id, let changes): return .updateAttribute(adopted(id), changes)
    case .deleteAttribute(let id): return .deleteAttribute(adopted(id))
    case .restoreAttribute(let id): return .restoreAttribute(adopted(id))
    }
  }
}
