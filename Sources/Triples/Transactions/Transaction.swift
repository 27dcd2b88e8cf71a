/// A list of changes to a store, as steps that are applied atomically.
public struct Transaction: Hashable, Sendable {
  /// The steps in the order in which they are applied.
  public var steps: [TransactionStep]
  /// The creation times of restored triples, in milliseconds since 1970, keyed by step index. Local
  /// stores use them; servers do not receive them.
  package var moments: [Int: Int64] = [:]

  /// The values that the user saw before changing them, keyed by step index. If a step deletes an
  /// entity, its entry is an object of all values by label.
  ///
  /// A store rejects the step if the value has changed since. Servers do not receive these values.
  package var seen: [Int: Value] = [:]

  /// The id of the change that the steps undo. A store that has not sent that change drops it
  /// instead of applying the steps. Servers do not receive the id.
  package var undoing: MutationID?

  /// Creates a transaction of `steps`.
  public init(_ steps: [TransactionStep] = []) {
    self.steps = steps
  }

  /// Creates a transaction of `steps`, with the values that the user saw in a displayed store.
  ///
  /// - Parameter linked: The stores to search for the targets of links that `store` lacks, in this
  ///   order. Nil if `store` lacks none, so that a link without a target there has none.
  package init(
    _ steps: [TransactionStep], seenIn store: TripleStore, linksIn linked: [TripleStore]? = nil
  ) {
    self.init(steps)
    let stores = [store] + (linked ?? [])
    for (place, step) in steps.enumerated() {
      switch step {
      case .addTriple(.id(let id), let attribute, _, _):
        guard let entity = store.handle(of: id), let known = store.schema.attribute(attribute),
          known.cardinality == .one, !known.isIdentity,
          store.contains(entity, in: known.namespace)
        else { continue }
        if known.valueType == .ref, linked != nil {
          seen[place] = stores.lazy.compactMap { $0.loadedTarget(of: id, known) }.first
        } else {
          seen[place] = store.value(entity, attribute) ?? .null
        }
      case .deleteEntity(.id(let id), let namespace?):
        guard let entity = store.handle(of: id), store.contains(entity, in: namespace) else {
          continue
        }
        seen[place] = .object(store.seenValues(of: entity, in: namespace))
      case .addTriple, .deleteEntity, .deepMergeTriple, .retractTriple, .ruleParameters,
        .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute:
        break
      }
    }
  }

  /// Returns the transaction with the values that the user now sees in displayed stores. Of several
  /// stores with an entity, the last one is used. The values of other entities stay.
  package func seen(in stores: [TripleStore]) -> Transaction {
    var copy = self
    for store in stores {
      for (place, value) in Transaction(steps, seenIn: store).seen where seen[place] != nil {
        copy.seen[place] = value
      }
    }
    return copy
  }
}

extension TripleStore {
  /// Returns the target of a link, or null if its foreign key is null. Nil if the target was not
  /// loaded.
  fileprivate func loadedTarget(of id: EntityID, _ link: Attribute) -> Value? {
    guard let entity = handle(of: id) else { return nil }
    if let target = value(entity, link.id) { return target }
    let hasNullKey = schema.attributes(of: link.namespace).contains {
      $0.keyOf == link.id && value(entity, $0.id) == .null
    }
    return hasNullKey ? .null : nil
  }

  /// Returns the stored values of an entity, without the values that were not loaded.
  fileprivate func seenValues(of entity: EntityHandle, in namespace: String) -> JSONObject {
    JSONObject(
      schema.attributes(of: namespace).compactMap { attribute in
        guard attribute.valueType == .blob, attribute.cardinality == .one, !attribute.isIdentity,
          let value = value(entity, attribute.id)
        else { return nil }
        return JSONObject.Member(key: attribute.label, value: value)
      })
  }
}

/// A step of a transaction. Stores apply it, and clients send it, in this form.
public enum TransactionStep: Hashable, Sendable {
  /// Sets the value of an attribute with cardinality one, or adds a value of an attribute with
  /// cardinality many.
  ///
  /// The value of a link is the text of an id, or a lookup: a list of an attribute's id and a
  /// value.
  case addTriple(EntityReference, AttributeID, Value, TransactionMode = .upsert)
  /// Merges an object into the stored object; see ``Value/merging(_:)``.
  case deepMergeTriple(EntityReference, AttributeID, Value, TransactionMode = .upsert)
  /// Removes exactly this value of the attribute.
  case retractTriple(EntityReference, AttributeID, Value)
  /// Deletes an entity from a namespace, or from all namespaces if `namespace` is nil, and performs
  /// cascades.
  case deleteEntity(EntityReference, namespace: String?)
  /// Passes parameters to the permission rules, without changing data.
  case ruleParameters(EntityReference, namespace: String, Value)
  /// Adds an attribute to the schema.
  case addAttribute(Attribute)
  /// Changes some keys of an attribute's JSON form.
  case updateAttribute(AttributeID, JSONObject)
  /// Deletes an attribute with all its values.
  case deleteAttribute(AttributeID)
  /// Restores a deleted attribute.
  case restoreAttribute(AttributeID)
}

extension TransactionStep {
  /// The entity of the step; nil when the step changes an attribute.
  public var entity: EntityReference? {
    switch self {
    case .addTriple(let entity, _, _, _), .deepMergeTriple(let entity, _, _, _),
      .retractTriple(let entity, _, _), .deleteEntity(let entity, _),
      .ruleParameters(let entity, _, _):
      entity
    case .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute: nil
    }
  }
}

/// A requirement of a step on whether its entity exists before the transaction.
public enum TransactionMode: String, Hashable, Sendable {
  /// The entity must not exist.
  case create
  /// The entity must exist.
  case update
  /// The entity may exist or not.
  case upsert
}

/// A reference to an entity by its id, or by the value of a unique attribute.
public enum EntityReference: Hashable, Sendable {
  /// The entity with this id.
  case id(EntityID)
  /// The entity with this value of a unique attribute.
  case lookup(AttributeID, Value)
}
