/// What shall change in a store: steps that happen all or not at all.
public struct Transaction: Hashable, Sendable {
  public var steps: [TransactionStep]
  /// The created-at of triples that come back, in milliseconds since 1970, by the place of the step
  /// that adds them. The store that carries the transaction out heeds it; it does not travel.
  package var moments: [Int: Int64] = [:]

  /// What whoever wrote a step saw in the place of what it changes, by the place of the step: a value,
  /// or for an entity that goes an object of its values by their labels. A store
  /// refuses the step when something else is there by now. It does not travel.
  package var seen: [Int: Value] = [:]

  /// The change that the steps take back, where they undo one. A store that has not sent that one yet
  /// drops it instead of carrying them out. It does not travel.
  package var undoing: MutationID?

  public init(_ steps: [TransactionStep] = []) {
    self.steps = steps
  }

  /// Steps that go by what a store shows.
  package init(_ steps: [TransactionStep], seenIn store: TripleStore) {
    self.init(steps)
    for (place, step) in steps.enumerated() {
      switch step {
      case .addTriple(.id(let id), let attribute, _, _):
        guard let entity = store.handle(of: id), let known = store.schema.attribute(attribute),
          known.cardinality == .one, !known.isIdentity,
          store.contains(entity, in: known.namespace)
        else { continue }
        seen[place] = store.value(entity, attribute) ?? .null
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
}

extension TripleStore {
  /// What is known of an entity's own values; what was not read is left out.
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

/// One step of a transaction, in the form that stores carry out and that travels on the wire.
public enum TransactionStep: Hashable, Sendable {
  /// Sets the value of an attribute with one, adds to one with many. The value of a link is the
  /// text of an id, or a lookup: a list of an attribute's id and a value.
  case addTriple(EntityReference, AttributeID, Value, TransactionMode = .upsert)
  /// Merges an object into the one that is stored; see ``Value/merging(_:)``.
  case deepMergeTriple(EntityReference, AttributeID, Value, TransactionMode = .upsert)
  /// Removes exactly this value.
  case retractTriple(EntityReference, AttributeID, Value)
  /// Removes an entity from a namespace, or from all, with what cascades from it.
  case deleteEntity(EntityReference, namespace: String?)
  /// Says something to the permission rules; changes nothing.
  case ruleParameters(EntityReference, namespace: String, Value)
  case addAttribute(Attribute)
  /// Changes some keys of an attribute, in the form of its JSON.
  case updateAttribute(AttributeID, JSONObject)
  case deleteAttribute(AttributeID)
  case restoreAttribute(AttributeID)
}

extension TransactionStep {
  /// The entity that the step is about; nil when it is about an attribute.
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

/// Which entities a step may touch, asked of the state before the transaction.
public enum TransactionMode: String, Hashable, Sendable {
  /// Only one that does not exist.
  case create
  /// Only one that exists.
  case update
  case upsert
}

/// An entity by its id, or by the value of a unique attribute.
public enum EntityReference: Hashable, Sendable {
  case id(EntityID)
  case lookup(AttributeID, Value)
}
