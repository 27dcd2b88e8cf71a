/// Applies steps that change triples and entities.
extension TransactionDraft {
  /// The maximum size of indexed values on a server, in bytes.
  static let maxIndexedValueBytes = 1_024

  mutating func add(
    _ reference: EntityReference, _ id: AttributeID, _ value: Value
  ) throws(TransactionError) {
    guard let attribute = try known(id) else { return }
    guard
      let entity = try resolve(reference, ifMissing: .created(namespace: attribute.namespace))
    else { return }
    if attribute.isIdentity {
      touch(entity, id)
      store.insert(.text(store.id(of: entity).text), of: entity, id, at: time)
    } else if attribute.valueType == .ref {
      guard let target = try target(value, of: attribute, makes: true) else { return }
      touch(entity, id)
      store.insert(target: target, of: entity, id, at: time)
    } else {
      if rules.refuses { try check(value, attribute) }
      touch(entity, id)
      store.insert(value, of: entity, id, at: time)
    }
  }

  mutating func merge(
    _ reference: EntityReference, _ id: AttributeID, _ patch: Value
  ) throws(TransactionError) {
    guard let attribute = try known(id) else { return }
    guard attribute.valueType == .blob else {
      if rules.refuses { throw .mergesLink(.init(attribute)) }
      return
    }
    guard
      let entity = try resolve(reference, ifMissing: .created(namespace: attribute.namespace))
    else { return }
    let current = store.value(entity, id)
    if current == nil, rules == .optimistic { return }
    let value = current?.merging(patch) ?? patch
    if rules.refuses { try check(value, attribute) }
    touch(entity, id)
    store.insert(value, of: entity, id, at: time)
  }

  mutating func retract(
    _ reference: EntityReference, _ id: AttributeID, _ value: Value
  ) throws(TransactionError) {
    guard let attribute = try known(id), let entity = try resolve(reference, ifMissing: .left)
    else { return }
    if attribute.valueType == .ref {
      guard let target = try target(value, of: attribute, makes: false) else { return }
      touch(entity, id)
      store.retract(target: target, of: entity, id)
    } else {
      touch(entity, id)
      store.retract(value, of: entity, id)
    }
  }

  mutating func delete(
    _ reference: EntityReference, _ namespace: String?
  ) throws(TransactionError) {
    guard let entity = try resolve(reference, ifMissing: .left) else { return }
    // Cascades follow the links before the transaction. A client knows only its current links.
    let doomed = (rules.refuses ? before : store).cascade(
      from: entity, in: namespace)
    for (entity, namespace) in doomed {
      for triple in store.removeTriples(of: entity, in: namespace) {
        touch(triple.entity, triple.attribute)
      }
    }
  }

  mutating func touch(_ entity: EntityHandle, _ attribute: AttributeID) {
    if let column = store.column(of: attribute) { touched.insert(entity, column: column) }
  }

  /// Returns the target that the value of a link refers to; nil if it does not exist. If `makes` is
  /// true, an unknown id gets a handle.
  private mutating func target(
    _ value: Value, of attribute: Attribute, makes: Bool
  ) throws(TransactionError) -> EntityHandle? {
    guard let reference = EntityReference(json: value) else {
      if rules.refuses { throw .linkedValueIsNoID(.init(attribute)) }
      return nil
    }
    switch reference {
    case .id(let id):
      if rules.refuses, !id.isUUID { throw .linkedValueIsNoID(.init(attribute)) }
      let home = attribute.reverse?.namespace ?? ""
      return makes ? store.makeEntity(id, in: home) : store.handle(of: id)
    case .lookup(let id, let value):
      let target = try resolve(reference, ifMissing: .left)
      if target == nil, makes, rules.refuses, let attribute = store.schema.attribute(id) {
        throw .lookupFindsNothing(.init(attribute), value)
      }
      return target
    }
  }

  /// Rejects values that are invalid for the attribute.
  func check(_ value: Value, _ attribute: Attribute) throws(TransactionError) {
    if let type = attribute.checkedType, !type.accepts(value), !attribute.keepsDigits(of: value) {
      throw .wrongType(.init(attribute), expected: type, found: value)
    }
    if attribute.checkedType == .date, !value.isDate(allowsCarrying: isUndo) {
      throw .notADate(.init(attribute), found: value)
    }
    guard attribute.isUnique || attribute.isIndexed, !attribute.isColumn else { return }
    let size =
      switch value {
      case .null, .bool, .integer, .double: 8
      case .text(let text): text.utf8.count
      case .array, .object: JSONWriter.bytes(value).count
      }
    if size > Self.maxIndexedValueBytes {
      throw .tooLarge(
        .init(attribute), isUnique: attribute.isUnique, bytes: size,
        maxBytes: Self.maxIndexedValueBytes
      )
    }
  }
}

extension CheckedType {
  /// Returns whether a value has this type. Null has every type; a date is a text or a number.
  package func accepts(_ value: Value) -> Bool {
    switch (self, value) {
    case (_, .null), (.string, .text), (.boolean, .bool), (.number, .integer), (.number, .double),
      (.date, .text), (.date, .integer), (.date, .double):
      true
    default: false
    }
  }
}

extension Value {
  /// Returns whether the value is valid for a date attribute: null, or a date.
  ///
  /// - Parameter allowsCarrying: Whether a text may name a day that does not exist, such as February
  ///   30. Loaded data may contain such texts.
  fileprivate func isDate(allowsCarrying: Bool) -> Bool {
    switch self {
    case .null: true
    case .text(let text): (allowsCarrying ? Instant(text) : Instant(real: text)) != nil
    case .integer(let number): Instant(milliseconds: number) != nil
    case .double(let number): Instant(milliseconds: number) != nil
    case .bool, .array, .object: false
    }
  }
}

extension TripleStore {
  /// Returns an entity and then the entities that are deleted together with it. Each is paired with
  /// the namespace from which it is removed.
  ///
  /// Each entity is visited once, so cycles of links do no harm. Only links of that namespace are
  /// followed, since an entity remains in its other namespaces. A deletion without a namespace
  /// therefore does not cascade.
  package func cascade(
    from entity: EntityHandle, in namespace: String?
  ) -> [(entity: EntityHandle, namespace: String?)] {
    var doomed = [(entity: entity, namespace: namespace)]
    var seen: Set<Membership> = [Membership(entity: entity, namespace: namespace)]
    let cascading = schema.attributes.filter { $0.onDelete != nil || $0.onDeleteReverse != nil }
    var next = 0
    while next < doomed.count {
      let (entity, namespace) = doomed[next]
      next += 1
      for attribute in cascading {
        let ends = [
          (attribute.onDelete, Link(attribute, .reverse)),
          (attribute.onDeleteReverse, Link(attribute, .forward)),
        ]
        for case (.cascade?, let link) in ends
        where link.source == namespace {
          for end in targets(entity, link)
          where seen.insert(Membership(entity: end, namespace: link.target)).inserted {
            doomed.append((end, link.target))
          }
        }
      }
    }
    return doomed
  }

  private struct Membership: Hashable {
    let entity: EntityHandle
    let namespace: String?
  }
}

extension Link {
  /// The namespace of the entities at this end.
  fileprivate var source: String { reversed.target }
}
