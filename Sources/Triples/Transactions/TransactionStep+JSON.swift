extension Transaction {
  /// Parses a list of steps in wire form: `[["add-triple", e, a, v, {"mode": "create"}], …]`.
  ///
  /// - Throws: `TransactionError.malformedTransaction` for anything but a list, `.malformedStep`
  ///   with the index of the first invalid step.
  public init(json: Value) throws(TransactionError) {
    guard case .array(let items) = json else {
      throw .malformedTransaction("The transaction must be a list of steps, not \(json.kindName)")
    }
    steps = []
    steps.reserveCapacity(items.count)
    for (index, item) in items.enumerated() {
      steps.append(try TransactionStep(json: item, index: index))
    }
  }

  /// The steps as a JSON list in the form that servers read.
  public var json: Value { .array(steps.map(\.json)) }
}

extension TransactionStep {
  /// The name of this step type in the wire form.
  public var name: String {
    switch self {
    case .addTriple: "add-triple"
    case .deepMergeTriple: "deep-merge-triple"
    case .retractTriple: "retract-triple"
    case .deleteEntity: "delete-entity"
    case .ruleParameters: "rule-params"
    case .addAttribute: "add-attr"
    case .updateAttribute: "update-attr"
    case .deleteAttribute: "delete-attr"
    case .restoreAttribute: "restore-attr"
    }
  }

  /// The step as a JSON list in the form that servers read.
  public var json: Value {
    let name = Value.text(name)
    switch self {
    case .addTriple(let entity, let attribute, let value, let mode),
      .deepMergeTriple(let entity, let attribute, let value, let mode):
      let parts = [name, entity.json, .text(attribute.text), value]
      return .array(mode == .upsert ? parts : parts + [["mode": .text(mode.rawValue)]])
    case .retractTriple(let entity, let attribute, let value):
      return [name, entity.json, .text(attribute.text), value]
    case .deleteEntity(let entity, let namespace):
      return .array([name, entity.json] + (namespace.map { [.text($0)] } ?? []))
    case .ruleParameters(let entity, let namespace, let parameters):
      return [name, entity.json, .text(namespace), parameters]
    case .addAttribute(let attribute): return [name, attribute.json]
    case .updateAttribute(let id, let changes):
      let members = [JSONObject.Member(key: "id", value: .text(id.text))]
      return [name, .object(JSONObject(members + changes.members))]
    case .deleteAttribute(let id), .restoreAttribute(let id): return [name, .text(id.text)]
    }
  }

  init(json: Value, index: Int) throws(TransactionError) {
    guard case .array(let parts) = json, let name = parts.first?.textValue else {
      throw .malformedStep(index, "a step must be a list that begins with the name of its type")
    }
    let reader = StepReader(name: name, parts: parts, index: index)
    switch name {
    case "add-triple":
      self = .addTriple(
        try reader.entity(), try reader.attribute(2), try reader.value(3), try reader.mode(4))
    case "deep-merge-triple":
      self = .deepMergeTriple(
        try reader.entity(), try reader.attribute(2), try reader.value(3), try reader.mode(4))
    case "retract-triple":
      self = .retractTriple(try reader.entity(), try reader.attribute(2), try reader.value(3))
    case "delete-entity":
      self = .deleteEntity(try reader.entity(), namespace: try reader.optionalText(2))
    case "rule-params":
      self = .ruleParameters(
        try reader.entity(), namespace: try reader.text(2), try reader.value(3))
    case "add-attr": self = .addAttribute(try reader.wholeAttribute())
    case "update-attr": self = try reader.attributeUpdate()
    case "delete-attr": self = .deleteAttribute(try reader.attribute(1))
    case "restore-attr": self = .restoreAttribute(try reader.attribute(1))
    default: throw .malformedStep(index, "unknown step '\(name)'")
    }
  }
}

extension EntityReference {
  /// The id as a text, or the lookup as a list.
  public var json: Value {
    switch self {
    case .id(let id): .text(id.text)
    case .lookup(let attribute, let value): [.text(attribute.text), value]
    }
  }

  /// Parses an id as a text, or a list of an attribute's id and a value. Nil for any other JSON.
  public init?(json: Value) {
    switch json {
    case .text(let text): self = .id(EntityID(text))
    case .array(let parts):
      guard parts.count == 2, let attribute = parts[0].textValue else { return nil }
      self = .lookup(AttributeID(attribute), parts[1])
    case .null, .bool, .integer, .double, .object: return nil
    }
  }
}

/// Reads the parts of one step, and creates error messages.
private struct StepReader {
  let name: String
  let parts: [Value]
  let index: Int

  func fault(_ reason: String) -> TransactionError { .malformedStep(index, "\(name): \(reason)") }

  func value(_ place: Int) throws(TransactionError) -> Value {
    guard place < parts.count else { throw fault("element \(place + 1) of the step is missing") }
    return parts[place]
  }

  func text(_ place: Int) throws(TransactionError) -> String {
    guard let text = try value(place).textValue else {
      throw fault("element \(place + 1) of the step must be a string, not \(parts[place].kindName)")
    }
    return text
  }

  func optionalText(_ place: Int) throws(TransactionError) -> String? {
    if place >= parts.count || parts[place] == .null { return nil }
    return try text(place)
  }

  func attribute(_ place: Int) throws(TransactionError) -> AttributeID {
    AttributeID(try text(place))
  }

  func entity() throws(TransactionError) -> EntityReference {
    let json = try value(1)
    guard let entity = EntityReference(json: json) else {
      throw fault("the entity must be an id or a lookup, not \(json.kindName)")
    }
    return entity
  }

  func mode(_ place: Int) throws(TransactionError) -> TransactionMode {
    guard place < parts.count, case .object(let options) = parts[place],
      let mode = options["mode"], mode != .null
    else { return .upsert }
    guard let mode = mode.textValue.flatMap(TransactionMode.init(rawValue:)) else {
      throw fault("the mode must be create, update or upsert")
    }
    return mode
  }

  func wholeAttribute() throws(TransactionError) -> Attribute {
    let json = try value(1)
    do throws(Attribute.Fault) {
      return try Attribute(json: json)
    } catch { throw fault(error.reason) }
  }

  func attributeUpdate() throws(TransactionError) -> TransactionStep {
    guard case .object(let object) = try value(1), let id = object["id"]?.textValue else {
      throw fault("the changes must be an object with the 'id' of an attribute")
    }
    let changes = object.members.filter { $0.key != "id" }
    return .updateAttribute(AttributeID(id), JSONObject(unique: changes))
  }
}
