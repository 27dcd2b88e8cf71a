/// The reason why InstaML operations cannot be expanded to transaction steps.
public enum InstaMLError: Error, Hashable, Sendable {
  // Malformed input.
  /// A chunk of operations is not an object.
  case chunkIsNoObject(received: String)
  /// A chunk has no list of operations.
  case chunkWithoutOperations(received: String)
  /// An operation is not a list.
  case operationIsNoList(received: String)
  /// An operation has too few or wrong parts.
  case malformedOperation(String)
  /// The action does not exist.
  case unknownAction(String)
  /// The entity is neither an id nor a lookup.
  case noEntity(received: String)
  /// A lookup is malformed.
  case unreadableLookup(String)

  // Violations of a declared schema.
  /// An operation names a namespace that the declared schema does not contain.
  case unknownNamespace(String, known: [String])
  /// The id is not a UUID.
  case invalidID(namespace: String, received: String)
  /// The values or links are not an object.
  case argumentsAreNoObject(isLink: Bool, namespace: String, received: String)
  /// A value has a different type than the schema declares.
  case wrongType(label: String, namespace: String, expected: CheckedType, received: String)
  /// An operation names a link that the declared schema does not contain.
  case unknownLink(label: String, namespace: String, known: [String])
  /// The target of a link is neither a UUID nor a lookup.
  case invalidTarget(link: String, namespace: String, received: String, isInList: Bool)
  /// An operation would create an attribute that the declared schema does not contain.
  case undeclared(namespace: String, label: String)
  /// An operation would create a link that the declared schema does not contain.
  case undeclaredLink(namespace: String, label: String)

  // Operations without equivalent steps.
  /// A lookup uses an attribute that is not unique.
  case notUnique(name: String)
  /// The name of a lookup is invalid.
  case invalidLookupName(String)
  /// A lookup with a name of the form `LINK.id` does not name a link.
  case lookupIsNoLink(name: String)
  /// An operation uses an attribute as a link.
  case notALink(namespace: String, label: String)
  /// A text is not a date.
  case notADate(String)
}

extension InstaMLError: CustomStringConvertible {
  /// The message for users. If the reference client has a text for the error, that text is used.
  public var message: String {
    switch self {
    case .chunkIsNoObject(let received):
      "Transaction chunk must be an object, but received: \(received)"
    case .chunkWithoutOperations(let received):
      "Transaction chunk must have __ops array, but received: \(received)"
    case .operationIsNoList(let received):
      "Transaction operation must be an array, but received: \(received)"
    case .malformedOperation(let reason): "Invalid transaction operation: \(reason)."
    case .unknownAction(let action):
      "unsupported action \(action). The actions are "
        + InstaMLOperation.Action.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .noEntity(let received):
      "The entity of an operation must be an id or a lookup, but received: \(received)"
    case .unreadableLookup(let text):
      "Unable to read the lookup '\(text)'. Use the form lookup__NAME__VALUE, with VALUE as JSON."
    case .unknownNamespace(let name, let known):
      "Entity '\(name)' does not exist in schema. Available entities: \(Self.list(known))"
    case .invalidID(let namespace, let received):
      "Invalid id for entity '\(namespace)'. Expected a UUID, but received: \(received)"
    case .argumentsAreNoObject(let isLink, let namespace, let received):
      "Arguments for \(isLink ? "link" : "data") operation on entity '\(namespace)' "
        + "must be an object, but received: \(received)"
    case .wrongType(let label, let namespace, let expected, let received):
      "Invalid value for attribute '\(label)' in entity '\(namespace)'. "
        + "Expected \(expected.rawValue), but received: \(received)"
    case .unknownLink(let label, let namespace, let known):
      "Link '\(label)' does not exist on entity '\(namespace)'. "
        + "Available links: \(Self.list(known))"
    case .invalidTarget(let link, let namespace, let received, let isInList):
      isInList
        ? "Invalid entity ID in link '\(link)' for entity '\(namespace)'. "
          + "Expected a UUID or a lookup, but received: \(received)"
        : "Invalid UUID in link '\(link)' for entity '\(namespace)'. "
          + "Expected a UUID, but received: \(received)"
    case .undeclared(let namespace, let label):
      "\(namespace).\(label) does not exist in your schema"
    case .undeclaredLink(let namespace, let label):
      "Couldn't find the link \(namespace).\(label) in your schema"
    case .notUnique(let name): "\(name) is not a unique attribute."
    case .invalidLookupName(let name): "\(name) is not a valid lookup attribute."
    case .lookupIsNoLink(let name): "\(name) does not reference a valid link attribute."
    case .notALink(let namespace, let label):
      "\(namespace).\(label) is not a link. Set its value with update."
    case .notADate(let text): "Unable to parse `\(text)` as a date."
    }
  }

  public var description: String { message }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
