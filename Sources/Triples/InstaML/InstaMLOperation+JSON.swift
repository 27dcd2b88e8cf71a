/// Converts operations from and to JSON: `[action, namespace, entity, arguments, {"upsert":
/// true}?]`.
extension InstaMLOperation {
  /// Parses operations from JSON: one operation, a list, or chunks as clients create them,
  /// `{"__ops": […]}`.
  ///
  /// - Throws: `InstaMLError` only for malformed input. The content is checked when the operations
  ///   are converted to steps.
  public static func list(json: Value) throws(InstaMLError) -> [InstaMLOperation] {
    if case .array(let items) = json {
      if case .text? = items.first { return [try InstaMLOperation(json: json)] }
      var operations: [InstaMLOperation] = []
      for item in items {
        if case .array = item {
          operations.append(try InstaMLOperation(json: item))
        } else {
          operations += try chunk(item)
        }
      }
      return operations
    }
    return try chunk(json)
  }

  private static func chunk(_ json: Value) throws(InstaMLError) -> [InstaMLOperation] {
    guard case .object(let chunk) = json else { throw .chunkIsNoObject(received: json.scriptType) }
    guard case .array(let items)? = chunk["__ops"] else {
      throw .chunkWithoutOperations(received: chunk["__ops"]?.scriptType ?? "undefined")
    }
    var operations: [InstaMLOperation] = []
    for item in items { operations.append(try InstaMLOperation(json: item)) }
    return operations
  }

  /// Parses an operation: a list of the action, the namespace, the entity and the values.
  public init(json: Value) throws(InstaMLError) {
    guard case .array(let parts) = json else {
      throw .operationIsNoList(received: json.scriptType)
    }
    guard parts.count >= 3, case .text(let word) = parts[0], case .text(let namespace) = parts[1]
    else {
      throw .malformedOperation(
        "its list must begin with an action, a namespace and an entity")
    }
    guard let action = Action(rawValue: word) else { throw .unknownAction(word) }
    self.init(action, namespace, try InstaMLEntity(json: parts[2]))
    if parts.count > 3 { arguments = parts[3] }
    if parts.count > 4, case .object(let options) = parts[4],
      case .bool(let flag)? = options["upsert"]
    {
      upsert = flag
    }
  }

  /// The operation as a JSON list, the form that servers read.
  public var json: Value {
    var parts: [Value] = [.text(action.rawValue), .text(namespace)]
    switch entity {
    case .id(let id): parts.append(.text(id))
    case .lookup(let name, let value): parts.append([.text(name), value])
    }
    parts.append(arguments)
    if let upsert { parts.append(["upsert": .bool(upsert)]) }
    return .array(parts)
  }
}

/// Formats values as in the reference client's messages, which use JavaScript's forms.
extension Value {
  /// The name of the value's type as JavaScript's `typeof` returns it.
  var scriptType: String {
    switch self {
    case .null, .array, .object: "object"
    case .bool, .integer, .double, .text: kindName
    }
  }

  /// The value converted to a string as in JavaScript.
  var scriptText: String {
    switch self {
    case .object: "[object Object]"
    case .array(let items):
      items.map { $0 == .null ? "" : $0.scriptText }.joined(separator: ",")
    case .text(let text): text
    case .null, .bool, .integer, .double: JSONWriter.text(self)
    }
  }
}
