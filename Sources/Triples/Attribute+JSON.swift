extension Attribute {
  /// The reason why an attribute's JSON is invalid.
  public struct Fault: Error, Hashable, Sendable, CustomStringConvertible {
    /// A description of the problem, as a sentence.
    public let reason: String

    public var description: String { reason }
  }

  /// Decodes the JSON form of servers and dumps. Unknown keys are kept in `others`.
  public init(json: Value) throws(Fault) {
    guard case .object(let object) = json else {
      throw Fault(reason: "an attribute must be an object, not \(json.kindName)")
    }
    guard let id = object["id"]?.textValue else { throw Fault(reason: "an attribute has no 'id'") }
    let name = try Self.name(object["forward-identity"], key: "forward-identity", of: id)
    self.init(id: AttributeID(id), namespace: name.namespace, label: name.label)
    self.name = name
    if let reverse = object["reverse-identity"], reverse != .null {
      self.reverse = try Self.name(reverse, key: "reverse-identity", of: id)
    }
    valueType = try Self.word(object["value-type"], key: "value-type", of: id) ?? .blob
    cardinality = try Self.word(object["cardinality"], key: "cardinality", of: id) ?? .one
    checkedType = try Self.word(object["checked-data-type"], key: "checked-data-type", of: id)
    catalog = try Self.word(object["catalog"], key: "catalog", of: id) ?? .user
    onDelete = try Self.word(object["on-delete"], key: "on-delete", of: id)
    onDeleteReverse = try Self.word(object["on-delete-reverse"], key: "on-delete-reverse", of: id)
    isUnique = object["unique?"] == .bool(true)
    isIndexed = object["index?"] == .bool(true)
    isRequired = object["required?"] == .bool(true)
    isPrimary = object["primary?"] == .bool(true)
    isUnsynced = object["isUnsynced"] == .bool(true)
    if case .array(let types)? = object["inferred-types"] {
      inferredTypes = types.compactMap(\.textValue)
    }
    others = JSONObject(unique: object.members.filter { !Self.knownKeys.contains($0.key) })
  }

  /// The JSON form of servers and dumps. False and unset keys are omitted, except the flags that
  /// servers always send.
  public var json: Value {
    var object = JSONObject()
    object["id"] = .text(id.text)
    object["forward-identity"] = name.json
    object["reverse-identity"] = reverse?.json
    object["value-type"] = .text(valueType.rawValue)
    object["cardinality"] = .text(cardinality.rawValue)
    object["unique?"] = .bool(isUnique)
    object["index?"] = .bool(isIndexed)
    if isRequired { object["required?"] = true }
    object["checked-data-type"] = checkedType.map { .text($0.rawValue) }
    object["inferred-types"] = inferredTypes.map { .array($0.map(Value.text)) } ?? .null
    object["catalog"] = .text(catalog.rawValue)
    object["on-delete"] = onDelete.map { .text($0.rawValue) }
    object["on-delete-reverse"] = onDeleteReverse.map { .text($0.rawValue) }
    if isPrimary { object["primary?"] = true }
    if isUnsynced { object["isUnsynced"] = true }
    for member in others.members { object[member.key] = member.value }
    return .object(object)
  }

  private static let knownKeys: Set<String> = [
    "id", "forward-identity", "reverse-identity", "value-type", "cardinality", "unique?",
    "index?", "required?", "checked-data-type", "inferred-types", "catalog", "on-delete",
    "on-delete-reverse", "primary?", "isUnsynced",
  ]

  private static func name(_ value: Value?, key: String, of id: String) throws(Fault) -> Name {
    guard case .array(let parts)? = value, parts.count == 3,
      let namespace = parts[1].textValue, let label = parts[2].textValue
    else {
      throw Fault(
        reason: "attribute \(id): '\(key)' must be a list of an id, a namespace and a label")
    }
    return Name(id: parts[0].textValue ?? "", namespace: namespace, label: label)
  }

  private static func word<Word: RawRepresentable>(
    _ value: Value?, key: String, of id: String
  ) throws(Fault) -> Word? where Word.RawValue == String {
    guard let value, value != .null else { return nil }
    guard let word = value.textValue.flatMap(Word.init(rawValue:)) else {
      throw Fault(
        reason: "attribute \(id): '\(key)' cannot be \(value.textValue ?? value.kindName)")
    }
    return word
  }
}

extension Attribute.Name {
  fileprivate var json: Value { [.text(id), .text(namespace), .text(label)] }
}

extension Value {
  /// The text of a text value; nil for any other value.
  package var textValue: String? {
    if case .text(let text) = self { return text }
    return nil
  }
}
