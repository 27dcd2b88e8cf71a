/// Why a store refused a transaction. It is then as it was before.
public enum TransactionError: Error, Hashable, Sendable {
  /// A step that is not of a known form; the index counts from 0.
  case malformedStep(Int, String)
  case invalidEntityID(String)
  case createsExisting([EntityReference])
  case updatesMissing([EntityReference])
  case unknownAttribute(AttributeID)
  /// A value under an attribute that takes another type.
  case wrongType(Name, expected: CheckedType, found: Value)
  /// A text under a date attribute that is no date.
  case notADate(Name, found: Value)
  /// A value of so many bytes, where there is a most.
  case tooLarge(Name, isUnique: Bool, bytes: Int, most: Int)
  /// A value in which more lists and objects lie in each other than a server takes; nil is an
  /// attribute that nobody knows.
  case tooDeep(Name?, levels: Int)
  case notUnique(Name, AttributeID, Value)
  case attributeExists(Name)
  case missingRequired(Name, [EntityID])
  /// The value of a link is no id.
  case linkedValueIsNoID(Name)
  case mergesLink(Name)
  case lookupNeedsUnique(Name)
  /// A link to an entity by a value that none has.
  case lookupFindsNothing(Name, Value)
  /// An `update-attr` that makes no sense.
  case malformedAttribute(AttributeID, String)
  /// Whoever wrote the step saw another value in its place; nil where the entity is deleted.
  case changedMeanwhile(Name, now: Value?)
  /// A link of others leads to what a step takes back.
  case ledToMeanwhile(Name)
  /// A `restore-attr` of one that was not deleted.
  case nothingToRestore(AttributeID)

  /// An attribute as people call it.
  public struct Name: Hashable, Sendable {
    public var namespace: String
    public var label: String

    init(_ attribute: Attribute) {
      namespace = attribute.namespace
      label = attribute.label
    }
  }
}

extension TransactionError: CustomStringConvertible {
  /// The sentence for people.
  public var message: String {
    switch self {
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
      "Invalid value for \(name). \(JSONWriter.text(found)) milliseconds since 1970 is beyond all "
        + "dates."
    case .tooLarge(let name, let isUnique, let bytes, let most):
      "Value is too large for \(isUnique ? "a unique" : "an indexed") attribute. "
        + "\(name) may have \(most) bytes, and this has \(bytes)."
    case .tooDeep(let name, let levels):
      "The value of \(name.map { "\($0)" } ?? "an attribute") nests lists and objects deeper than "
        + "\(levels) levels."
    case .notUnique(let name, _, let value):
      "`\(name.label)` is a unique attribute on `\(name.namespace)` and an entity already exists "
        + "with `\(name)` = \(JSONWriter.text(value))"
    case .attributeExists(let name): "`\(name.label)` already exists on `\(name.namespace)`"
    case .missingRequired(let name, let ids):
      "Missing required attribute\(ids.count == 1 ? "" : "s") `\(name.namespace)/\(name.label)`: "
        + ids.map(\.text).joined(separator: ", ")
    case .linkedValueIsNoID(let name):
      "Linked value must be a valid uuid. \(name) is a link: it takes the id of an entity."
    case .mergesLink(let name):
      "merge operation is not supported for links, and \(name) is one."
    case .lookupNeedsUnique(let name):
      "\(name.label) is not a unique attribute. No entity can be looked up by \(name)."
    case .lookupFindsNothing(let name, let value):
      "No entity has `\(name)` = \(JSONWriter.text(value)), so nothing can be linked to it."
    case .malformedAttribute(_, let reason): "The attribute cannot be changed: \(reason)."
    case .changedMeanwhile(let name, nil):
      "What had this \(name) was deleted meanwhile: nothing was written."
    case .changedMeanwhile(let name, let now?):
      "\(name) was changed to \(Self.short(now)) meanwhile: nothing was written."
    case .ledToMeanwhile(let name):
      "\(name) leads to it meanwhile: nothing was written."
    case .nothingToRestore(let id): "There is no deleted attribute with the id \(id)."
    }
  }

  /// The word that servers use for this kind of error.
  public var type: String {
    switch self {
    case .notUnique, .attributeExists: "record-not-unique"
    case .malformedStep: "param-malformed"
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
