package import Triples

extension InstaQLReader {
  func number(_ value: Value, at path: String) throws(QueryError) -> Int? {
    switch value {
    case .integer(let number): return Int(number)
    case .double(let number) where reading.isLenient: return Int(exactly: number)
    case .null: return nil
    default:
      if reading.isLenient { return nil }
      throw .invalid(path: path, reason: "the value must be a whole number")
    }
  }

  func flag(_ value: Value, at path: String) throws(QueryError) -> Bool {
    if case .bool(let flag) = value { return flag }
    if reading.isLenient || value == .null { return false }
    throw .invalid(path: path, reason: "the value must be true or false")
  }

  func cursor(_ value: Value, at path: String) throws(QueryError) -> Cursor? {
    if value == .null { return nil }
    if let cursor = Cursor(json: value) { return cursor }
    throw .invalid(
      path: path, reason: "the value must be a cursor: [entity id, attribute id, value, time]")
  }

  func isCount(_ value: Value, at path: String) throws(QueryError) -> Bool {
    if value == .text("count") { return true }
    if value == .null || reading.isLenient { return false }
    throw .invalid(path: path, reason: "the value must be \"count\"")
  }

  func fields(_ value: Value, at path: String) throws(QueryError) -> [String]? {
    if value == .null { return nil }
    guard case .array(let elements) = value else {
      if reading.isLenient { return nil }
      throw .invalid(path: path, reason: "the value must be a list of names")
    }
    var names: [String] = []
    for element in elements {
      if case .text(let name) = element {
        names.append(name)
      } else if reading == .strict {
        throw .invalid(path: path, reason: "the value must be a list of names")
      }
    }
    return names
  }

  func order(_ value: Value, isLocal: Bool, at path: String) throws(QueryError) -> [OrderKey] {
    if isLocal {
      guard case .array(let keys) = value else {
        throw .invalid(
          path: path, reason: "the value must be a list of objects such as {\"name\": \"asc\"}")
      }
      var order: [OrderKey] = []
      for key in keys { order += try orderKeys(key, at: path) }
      return order
    }
    if value == .null { return [] }
    if reading.isLenient { return referenceOrder(value) }
    let keys = try orderKeys(value, at: path)
    guard keys.count == 1, keys[0].path.isOwn else {
      throw .invalid(
        path: path,
        reason: "the value must have exactly one key: an attribute of the namespace, without links")
    }
    return keys
  }

  private func orderKeys(_ value: Value, at path: String) throws(QueryError) -> [OrderKey] {
    guard case .object(let object) = value else {
      throw .invalid(
        path: path,
        reason: "the value must be an object such as {\"name\": \"asc\"} or {\"name\": \"desc\"}")
    }
    var keys: [OrderKey] = []
    for (name, direction) in object.pairs {
      guard case .text(let word) = direction,
        let direction = OrderKey.Direction(rawValue: word)
      else {
        throw .invalid(path: path + "." + name, reason: "the value must be \"asc\" or \"desc\"")
      }
      keys.append(OrderKey(try self.path(name, at: path), direction))
    }
    return keys
  }

  /// Parses an order as InstantDB's client does. It uses only the first key, and ignores paths
  /// through links. Any direction except "asc" means descending.
  private func referenceOrder(_ value: Value) -> [OrderKey] {
    guard case .object(let object) = value, let (name, direction) = object.pairs.first else {
      return []
    }
    let path = AttributePath(name)
    return [
      OrderKey(
        path.isOwn ? path : OrderKey.creation,
        direction == .text("asc") ? .ascending : .descending)
    ]
  }
}

extension Cursor {
  /// Parses a cursor of the form `[entity id, attribute id, value, time]`; nil for anything else.
  package init?(json: Value) {
    guard case .array(let parts) = json, parts.count == 4, case .text(let entity) = parts[0],
      case .text(let attribute) = parts[1]
    else { return nil }
    let createdAt: Int64?
    switch parts[3] {
    case .integer(let time): createdAt = time
    case .double(let time) where Int64(exactly: time) != nil: createdAt = Int64(exactly: time)
    case .null: createdAt = nil
    default: return nil
    }
    self.init(
      entity: EntityID(entity), attribute: AttributeID(attribute), value: parts[2],
      createdAt: createdAt)
  }

  /// The cursor in the form that InstaQL and page info use.
  package var json: Value {
    .array([
      .text(entity.text), .text(attribute.text), value, createdAt.map(Value.integer) ?? .null,
    ])
  }
}
