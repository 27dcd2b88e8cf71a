/// One wish of InstaML: do this to that entity of a namespace.
public struct InstaMLOperation: Hashable, Sendable {
  public enum Action: String, Hashable, Sendable, CaseIterable {
    /// Makes an entity that must not exist.
    case create
    /// Sets values.
    case update
    /// Merges objects into values; see ``Value/merging(_:)``.
    case merge
    case link, unlink, delete
    /// Says something to the permission rules.
    case ruleParams
  }

  public var action: Action
  public var namespace: String
  public var entity: InstaMLEntity
  /// An object, by label: values, or for links an entity or a list of them. Null for `delete`.
  public var arguments: Value
  /// What `update` and `merge` do about an entity that does not exist: true makes it, false refuses,
  /// nil makes it unless it is known to exist.
  public var upsert: Bool?

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

/// An entity as InstaML names it.
public enum InstaMLEntity: Hashable, Sendable {
  case id(String)
  /// The one with this value of a unique attribute; `link.id` finds the one that holds a link.
  case lookup(String, Value)

  public init(_ id: EntityID) { self = .id(id.text) }

  private static let prefix = "lookup__"

  /// Reads an id, or `lookup__NAME__VALUE` with the value in JSON.
  ///
  /// - Throws: `InstaMLError.unreadableLookup` when the text begins like a lookup and is none.
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

  /// An id or a lookup as text, or a list of a name and a value.
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

  /// The id, or the lookup in its form as text.
  public var text: String {
    switch self {
    case .id(let id): id
    case .lookup(let name, let value): "\(Self.prefix)\(name)__\(JSONWriter.text(value))"
    }
  }
}
