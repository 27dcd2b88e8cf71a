/// The reason why InstaML operations cannot be expanded to transaction steps.
public enum InstaMLError: Error, Hashable, Sendable {
  // Malformed input.
  case chunkIsNoObject(received: String)
  case chunkWithoutOperations(received: String)
  case operationIsNoList(received: String)
  case malformedOperation(String)
  case unknownAction(String)
  case noEntity(received: String)
  case unreadableLookup(String)

  // Violations of a declared schema.
  case unknownNamespace(String, known: [String])
  case invalidID(namespace: String, received: String)
  case argumentsAreNoObject(isLink: Bool, namespace: String, received: String)
  case wrongType(label: String, namespace: String, expected: CheckedType, received: String)
  case unknownLink(label: String, namespace: String, known: [String])
  case invalidTarget(link: String, namespace: String, received: String, isInList: Bool)
  case undeclared(namespace: String, label: String)
  case undeclaredLink(namespace: String, label: String)

  // Operations without equivalent steps.
  case notUnique(name: String)
  case invalidLookupName(String)
  case lookupIsNoLink(name: String)
  case notALink(namespace: String, label: String)
  case notADate(String)
}

extension InstaMLError: CustomStringConvertible {
  /// The message for users; the reference client's text where it has one.
  public var message: String {
    switch self {
    case .chunkIsNoObject(let received):
      "Transaction chunk must be an object, but received: \(received)"
    case .chunkWithoutOperations(let received):
      "Transaction chunk must have __ops array, but received: \(received)"
    case .operationIsNoList(let received):
      "Transaction operation must be an array, but received: \(received)"
    case .malformedOperation(let reason): "Transaction operation: \(reason)."
    case .unknownAction(let action):
      "unsupported action \(action). There are "
        + InstaMLOperation.Action.allCases.map(\.rawValue).joined(separator: ", ") + "."
    case .noEntity(let received):
      "Expected the id of an entity or a lookup, but received: \(received)"
    case .unreadableLookup(let text):
      "Unable to read the lookup '\(text)'. Its form is lookup__NAME__VALUE, the value in JSON."
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
      "\(namespace).\(label) is not a link. Set it with update."
    case .notADate(let text): "Unable to parse `\(text)` as a date."
    }
  }

  public var description: String { message }

  private static func list(_ names: [String]) -> String {
    names.isEmpty ? "none" : names.joined(separator: ", ")
  }
}
