/// The reason why a store rejected a transaction. The transaction then changed nothing.
public enum TransactionError: Error, Hashable, Sendable {
  /// The transaction has an invalid form.
  case malformedTransaction(String)
  /// A step has an invalid form. The first step has the index 0.
  case malformedStep(Int, String)
  /// An id is not a UUID.
  case invalidEntityID(String)
  /// Entities to be created exist already.
  case createsExisting([EntityReference])
  /// Entities to be changed do not exist.
  case updatesMissing([EntityReference])
  /// The attribute does not exist.
  case unknownAttribute(AttributeID)
  /// A value does not have the attribute's type.
  case wrongType(Name, expected: CheckedType, found: Value)
  /// The value of a date attribute is not a date.
  case notADate(Name, found: Value)
  /// A value exceeds the maximum size in bytes.
  case tooLarge(Name, isUnique: Bool, bytes: Int, maxBytes: Int)
  /// A value is nested too deeply for a server. The name is nil for an unknown attribute.
  case tooDeep(Name?, levels: Int)
  /// Another entity has the value of a unique attribute.
  case notUnique(Name, AttributeID, Value)
  /// Another attribute already has this name.
  case attributeExists(Name)
  /// Entities would lack a required value.
  case missingRequired(Name, [EntityID])
  /// The value of a link is not an id.
  case linkedValueIsNoID(Name)
  /// A merge refers to a link.
  case mergesLink(Name)
  /// A lookup uses an attribute that is not unique.
  case lookupNeedsUnique(Name)
  /// A link refers to its target by the value of a unique attribute, but no entity has that value.
  case lookupFindsNothing(Name, Value)
  /// An `update-attr` step is invalid.
  case malformedAttribute(AttributeID, String)
  /// A value changed after the user saw it. The value is nil when the entity was deleted.
  case changedMeanwhile(Name, now: Value?)
  /// Another entity links to an entity whose creation is being undone.
  case ledToMeanwhile(Name)
  /// A `restore-attr` step names an attribute that was not deleted.
  case nothingToRestore(AttributeID)

  /// The name of an attribute for users.
  public struct Name: Hashable, Sendable {
    /// The namespace.
    public var namespace: String
    /// The label.
    public var label: String

    init(_ attribute: Attribute) {
      namespace = attribute.namespace
      label = attribute.label
    }
  }
}

extension TransactionError: CustomStringConvertible {
  /// The message for users.
  public var message: String {
    switch self {
    case .malformedTransaction(let reason): "\(reason)."
    case .malformedStep(let index, let reason): "Step \(index + 1): \(reason)."
    case .invalidEntityID(let id):
      "Invalid entity ID '\(id)'. Entity IDs must be UUIDs. "
        + "Use id() or lookup() to generate a valid UUID."
    case .createsExisting(let entities):
      "Validation failed for tx-step: Creating entities that exist: \(Self.list(entities))"
    case .updatesMissing(let entities):
      "Validation failed for tx-step: Updating entities that don't exist: \(Self.list(entities))"
    case .unknownAttribute(let id): "There is no attribute with the id \(id)."
    case .wrongType(let name, let expected, let found):
      "Invalid value type for \(name). Value must be a \(expected.rawValue) "
        + "but the provided value type is \(found.kindName)."
    case .notADate(let name, .text(let text)):
      "Invalid value for \(name). Unable to parse `\(text.prefix(80))` as a date."
    case .notADate(let name, let found):
      "Invalid value for \(name). \(JSONWriter.text(found)) milliseconds since 1970 is outside "
        + "the range of dates."
    case .tooLarge(let name, let isUnique, let bytes, let most):
      "Value is too large for \(isUnique ? "a unique" : "an indexed") attribute. "
        + "\(name) may have at most \(most) bytes; this value has \(bytes)."
    case .tooDeep(let name, let levels):
      "The value of \(name.map { "\($0)" } ?? "an attribute") is nested too deeply. Lists and objects can "
        + "be nested at most \(levels) levels deep."
    case .notUnique(let name, _, let value):
      "`\(name.label)` is a unique attribute on `\(name.namespace)` and an entity already exists "
        + "with `\(name)` = \(JSONWriter.text(value))"
    case .attributeExists(let name): "`\(name.label)` already exists on `\(name.namespace)`"
    case .missingRequired(let name, let ids):
      "Missing required attribute\(ids.count == 1 ? "" : "s") `\(name.namespace)/\(name.label)`: "
        + ids.prefix(Self.maxNamedEntities).map(\.text).joined(separator: ", ")
        + (ids.count > Self.maxNamedEntities
          ? " and \(ids.count - Self.maxNamedEntities) others" : "")
    case .linkedValueIsNoID(let name):
      "Linked value must be a valid uuid. \(name) is a link, so its value must be an entity's id."
    case .mergesLink(let name):
      "merge operation is not supported for links, and \(name) is a link."
    case .lookupNeedsUnique(let name):
      "\(name) is not a unique attribute, so no entity can be looked up by it."
    case .lookupFindsNothing(let name, let value):
      "No entity has `\(name)` = \(JSONWriter.text(value)), so nothing can be linked to it."
    case .malformedAttribute(_, let reason): "The change of the attribute is invalid: \(reason)."
    case .changedMeanwhile(let name, nil):
      "Conflict: the entity whose \(name) should change has been deleted. Nothing was written."
    case .changedMeanwhile(let name, let now?):
      "Conflict: \(name) has been changed to \(Self.short(now)). Nothing was written."
    case .ledToMeanwhile(let name):
      "Conflict: another entity now links to this entity by \(name). Nothing was written."
    case .nothingToRestore(let id): "There is no deleted attribute with the id \(id)."
    }
  }

  /// The name that servers use for this type of error.
  public var type: String {
    switch self {
    case .notUnique, .attributeExists: "record-not-unique"
    case .malformedTransaction, .malformedStep: "param-malformed"
    case .unknownAttribute, .nothingToRestore: "record-not-found"
    case .invalidEntityID, .createsExisting, .updatesMissing, .wrongType, .notADate, .tooLarge,
      .tooDeep, .missingRequired, .linkedValueIsNoID, .mergesLink, .lookupNeedsUnique,
      .lookupFindsNothing, .malformedAttribute, .changedMeanwhile, .ledToMeanwhile:
      "validation-failed"
    }
  }

  public var description: String { message }

  private static func short(_ value: Value) -> String {
    let text = JSONWriter.text(value)
    return text.count > 80 ? "\(text.prefix(80))…" : text
  }

  /// The maximum number of entities that a message names.
  private static let maxNamedEntities = 10

  private static func list(_ entities: [EntityReference]) -> String {
    entities.map { entity in
      switch entity {
      case .id(let id): id.text
      case .lookup(_, let value): "lookup(\(JSONWriter.text(value)))"
      }
    }.joined(separator: ", ")
  }
}

extension TransactionError.Name: CustomStringConvertible {
  public var description: String { "\(namespace).\(label)" }
}
