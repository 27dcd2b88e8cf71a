/// Validates operations against a declared schema before they are expanded to steps.
struct InstaMLCheck {
  let schema: Schema

  func check(_ operation: InstaMLOperation) throws(InstaMLError) {
    let namespace = operation.namespace
    guard schema.namespaces.contains(namespace) else {
      throw .unknownNamespace(namespace, known: schema.namespaces)
    }
    if case .id(let id) = operation.entity, !EntityID(id).isUUID {
      throw .invalidID(namespace: namespace, received: id)
    }
    switch operation.action {
    case .create, .update, .merge: try checkValues(operation)
    case .link, .unlink: try checkLinks(operation)
    case .delete, .ruleParams: break
    }
  }

  private func checkValues(_ operation: InstaMLOperation) throws(InstaMLError) {
    let namespace = operation.namespace
    let idLabel = schema.identityLabel(of: namespace)
    for member in try operation.members() where member.key != idLabel {
      guard let type = schema.attribute(namespace, member.key)?.checkedType else { continue }
      guard !type.accepts(member.value) else { continue }
      throw .wrongType(
        label: member.key, namespace: namespace, expected: type, received: member.value.scriptType)
    }
  }

  private func checkLinks(_ operation: InstaMLOperation) throws(InstaMLError) {
    let namespace = operation.namespace
    for member in try operation.members() {
      guard schema.link(namespace, member.key) != nil else {
        throw .unknownLink(
          label: member.key, namespace: namespace, known: schema.links(of: namespace).map(\.label))
      }
      switch member.value {
      case .null: break
      case .array(let targets):
        for target in targets where !isEntity(target) {
          throw .invalidTarget(
            link: member.key, namespace: namespace, received: target.scriptText, isInList: true)
        }
      case .bool, .integer, .double, .text, .object:
        guard isEntity(member.value) else {
          throw .invalidTarget(
            link: member.key, namespace: namespace, received: member.value.scriptText,
            isInList: false)
        }
      }
    }
  }

  private func isEntity(_ value: Value) -> Bool {
    guard case .text(let text) = value else { return false }
    return text.hasPrefix("lookup__") || EntityID(text).isUUID
  }
}

extension InstaMLOperation {
  /// Returns the members of the arguments; throws when the arguments are not an object.
  func members() throws(InstaMLError) -> [JSONObject.Member] {
    guard case .object(let object) = arguments else {
      throw .argumentsAreNoObject(
        isLink: action == .link || action == .unlink, namespace: namespace,
        received: arguments.scriptType)
    }
    return object.members
  }
}
