/// The id of an entity: 128 bits for a UUID, otherwise a text.
///
/// Ids have the order in which stores sort entities with equal values: UUIDs by their 16 bytes,
/// then other texts by their UTF-8.
public struct EntityID: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case uuid(high: UInt64, low: UInt64)
    case text(String)
  }

  private let form: Form

  /// Creates an id from any text. A UUID may be in upper or lower case, and is written in lower
  /// case.
  public init(_ text: String) {
    if let (high, low) = UUIDText.bits(of: text) {
      form = .uuid(high: high, low: low)
    } else {
      form = .text(text)
    }
  }

  package init(high: UInt64, low: UInt64) {
    form = .uuid(high: high, low: low)
  }

  /// The text of the id.
  public var text: String {
    switch form {
    case .uuid(let high, let low): UUIDText.text(high: high, low: low)
    case .text(let text): text
    }
  }

  /// The two halves of a UUID, most significant first; nil for any other id.
  package var uuidBits: (high: UInt64, low: UInt64)? {
    guard case .uuid(let high, let low) = form else { return nil }
    return (high, low)
  }

  /// Whether the id is a UUID, as servers require.
  public var isUUID: Bool { uuidBits != nil }
}

extension EntityID: Comparable {
  public static func < (a: EntityID, b: EntityID) -> Bool {
    switch (a.form, b.form) {
    case (.uuid(let aHigh, let aLow), .uuid(let bHigh, let bLow)):
      (aHigh, aLow) < (bHigh, bLow)
    case (.uuid, .text): true
    case (.text, .uuid): false
    case (.text(let a), .text(let b)): a.utf8.lexicographicallyPrecedes(b.utf8)
    }
  }
}

extension EntityID: CustomStringConvertible {
  public var description: String { text }
}

/// A reference to an entity by its row. It is valid within one store and all snapshots of that
/// store.
public struct EntityHandle: Hashable, Sendable, Comparable {
  package var row: UInt32

  package init(row: UInt32) {
    self.row = row
  }

  public static func < (a: EntityHandle, b: EntityHandle) -> Bool { a.row < b.row }
}

/// The id of an attribute: a UUID on servers, any text in other stores.
public struct AttributeID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  public let text: String

  /// Creates an id from any text.
  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }
}

/// Identifies a transaction locally and on servers: the text of a UUID.
public struct MutationID: Hashable, Sendable, CustomStringConvertible {
  /// The id as text.
  public let text: String

  /// Creates an id, random by default.
  public init(_ text: String = EntityID.random().text) {
    self.text = text
  }

  public var description: String { text }
}
