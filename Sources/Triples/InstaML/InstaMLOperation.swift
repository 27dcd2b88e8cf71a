/// An InstaML operation: an action on an entity of a namespace.
public struct InstaMLOperation: Hashable, Sendable {
  /// The kind of an operation.
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Creates an entity that must not exist.
    case create
    /// Sets values of an entity.
    case update
    /// Merges objects into values of an entity; see ``Value/merging(_:)``.
    case merge
    /// Adds targets to a link, removes targets from a link, or deletes an entity.
    case link, unlink, delete
    /// Passes parameters to the permission rules.
    case ruleParams
  }

  /// The kind of the operation.
  public var action: Action
  /// The namespace of the entity.
  public var namespace: String
  /// The entity to change.
  public var entity: InstaMLEntity
  /// An object of values by label, or null for `delete`. The value of a link is one target entity
  /// or a list of them.
  public var arguments: Value
  /// What `update` and `merge` do if the entity does not exist. True creates the entity; false
  /// rejects the transaction. Nil creates it, unless the store contained it when the transaction
  /// was built.
  public var upsert: Bool?

  /// Creates an operation; see the properties.
  public init(
    _ action: Action, _ namespace: String, _ entity: InstaMLEntity, _ arguments: Value = .null,
    upsert: Bool? = nil
  ) {
    self.action = action
    self.namespace = namespace
    self.entity = entity
    self.arguments = arguments
    self.upsert = upsert
  }
}

/// An entity in an InstaML operation.
public enum InstaMLEntity: Hashable, Sendable {
  /// The entity with this id.
  case id(String)
  /// The entity with this value of a unique attribute. The name `link.id` selects the entity that
  /// links to a target.
  case lookup(String, Value)

  /// Refers to the entity with this id.
  public init(_ id: EntityID) { self = .id(id.text) }

  private static let prefix = "lookup__"

  /// Parses an id, or `lookup__NAME__VALUE` with the value in JSON.
  ///
  /// - Throws: `InstaMLError.unreadableLookup` when the text begins like a lookup but is
  ///   malformed.
  public init(text: String) throws(InstaMLError) {
    guard text.hasPrefix(Self.prefix) else {
      self = .id(text)
      return
    }
    let rest = Array(text.utf8.dropFirst(Self.prefix.utf8.count))
    let underscore = UInt8(ascii: "_")
    let end = rest.indices.dropLast().first { rest[$0] == underscore && rest[$0 + 1] == underscore }
    guard let end else { throw .unreadableLookup(text) }
    do throws(JSONError) {
      let value = try JSONReader.value(of: Array(rest[(end + 2)...]))
      self = .lookup(String(decoding: rest[..<end], as: UTF8.self), value)
    } catch {
      throw .unreadableLookup(text)
    }
  }

  /// Parses an id or a lookup as text, or a list of a name and a value.
  init(json: Value) throws(InstaMLError) {
    switch json {
    case .text(let text): try self.init(text: text)
    case .array(let parts) where parts.count == 2:
      guard case .text(let name) = parts[0] else { throw .noEntity(received: json.scriptText) }
      self = .lookup(name, parts[1])
    case .object(let object) where object.count == 1:
      self = .lookup(object.members[0].key, object.members[0].value)
    case .null, .bool, .integer, .double, .array, .object:
      throw .noEntity(received: json.scriptText)
    }
  }

  /// The id, or the text form of the lookup.
  public var text: String {
    switch self {
    case .id(let id): id
    case .lookup(let name, let value): "\(Self.prefix)\(name)__\(JSONWriter.text(value))"
    }
  }
}
