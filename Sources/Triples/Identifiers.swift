/// Names an entity: 128 bits when the text is a UUID, else the text itself.
///
/// Ordered as stores order ties: UUIDs by their 16 bytes, then other texts by their UTF-8.
public struct EntityID: Hashable, Sendable {
  private enum Form: Hashable, Sendable {
    case uuid(high: UInt64, low: UInt64)
    case text(String)
  }

  private let form: Form

  /// Takes any text; a UUID may be spelt in either case and is given back in lower case.
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

  /// The id as it is written.
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

  /// Whether the id is a UUID, which servers insist on.
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

/// An entity's row within one store, and within every snapshot of that store.
public struct EntityHandle: Hashable, Sendable, Comparable {
  package var row: UInt32

  package init(row: UInt32) {
    self.row = row
  }

  public static func < (a: EntityHandle, b: EntityHandle) -> Bool { a.row < b.row }
}

/// Names an attribute: a UUID on servers, any text elsewhere.
public struct AttributeID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String) {
    self.text = text
  }

  public var description: String { text }
}

/// Names one wish to change a store, here and on the wire: the text of a UUID.
public struct MutationID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  public init(_ text: String = EntityID.random().text) {
    self.text = text
  }

  public var description: String { text }
}
