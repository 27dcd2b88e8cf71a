/// An object within `schema.json`, and its path for messages.
struct SchemaPart {
  let object: JSONObject
  let path: String
  let file: String

  init(_ value: Value, path: String, file: String) throws(DatasetError) {
    guard case .object(let object) = value else {
      throw DatasetError(.schema("\(path) must be an object, not \(value.kindName)"), file: file)
    }
    self.object = object
    self.path = path
    self.file = file
  }

  func fault(_ reason: String) -> DatasetError {
    DatasetError(.schema("\(path): \(reason)"), file: file)
  }

  /// Returns the object under a key; nil when it is missing or null.
  func part(_ key: String) throws(DatasetError) -> SchemaPart? {
    guard let value = object[key], value != .null else { return nil }
    return try SchemaPart(value, path: inside(key), file: file)
  }

  /// Returns the objects within the object under a key, in order; empty when it is missing.
  func parts(_ key: String) throws(DatasetError) -> [(name: String, part: SchemaPart)] {
    guard let outer = try part(key) else { return [] }
    var parts: [(name: String, part: SchemaPart)] = []
    for member in outer.object.members {
      let part = try SchemaPart(member.value, path: outer.inside(member.key), file: file)
      parts.append((member.key, part))
    }
    return parts
  }

  func text(_ key: String) throws(DatasetError) -> String? {
    guard let value = object[key], value != .null else { return nil }
    guard let text = value.textValue else {
      throw fault("'\(key)' must be a string, not \(value.kindName)")
    }
    return text
  }

  func flag(_ key: String) throws(DatasetError) -> Bool? {
    switch object[key] {
    case nil, .null: return nil
    case .bool(let flag): return flag
    case .some(let other): throw fault("'\(key)' must be a boolean, not \(other.kindName)")
    }
  }

  /// The cardinality that the member `has` specifies.
  var cardinality: Attribute.Cardinality {
    get throws(DatasetError) {
      guard let word = try text("has") else { return .many }
      guard let cardinality = Attribute.Cardinality(rawValue: word) else {
        throw fault("'has' cannot be '\(word)'; use one or many")
      }
      return cardinality
    }
  }

  /// The deletion rule that the member `onDelete` specifies; nil if it is missing or `restrict`.
  var deletion: Attribute.Deletion? {
    get throws(DatasetError) {
      guard let word = try text("onDelete"), word != "restrict" else { return nil }
      guard let deletion = Attribute.Deletion(rawValue: word) else {
        throw fault("'onDelete' cannot be '\(word)'; use cascade or restrict, or omit it")
      }
      return deletion
    }
  }

  private func inside(_ key: String) -> String {
    path == "the schema" ? key : "\(path).\(key)"
  }
}
