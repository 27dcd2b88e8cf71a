/// One property of the entities of a namespace: what its values are and which rules hold for them.
///
/// - Source: the attributes of an Instant app, with all their keys.
public struct Attribute: Hashable, Sendable {
  public enum ValueType: String, Hashable, Sendable {
    /// Any JSON.
    case blob
    /// Another entity.
    case ref
  }

  /// How many values one entity can have.
  public enum Cardinality: String, Hashable, Sendable {
    case one, many
  }

  /// Where an attribute comes from: made by people, or by the server for all apps.
  public enum Catalog: String, Hashable, Sendable {
    case user, system
  }

  /// What deleting an entity does to the one at the other end of a link.
  public enum Deletion: String, Hashable, Sendable {
    case cascade
  }

  /// A namespace and a label in it, and the id that servers give to the pair.
  public struct Name: Hashable, Sendable {
    public var id: String
    public var namespace: String
    public var label: String

    public init(id: String = "", namespace: String, label: String) {
      self.id = id
      self.namespace = namespace
      self.label = label
    }
  }

  public var id: AttributeID
  public var name: Name
  /// How the other end calls a link; nil for blobs.
  public var reverse: Name?
  public var valueType: ValueType
  public var cardinality: Cardinality
  /// No two entities share a value. On a link: its other end has one entity at most.
  public var isUnique: Bool
  public var isIndexed: Bool
  /// Each entity of the namespace must have it.
  public var isRequired: Bool
  /// The type that is enforced; nil takes any JSON.
  public var checkedType: CheckedType?
  /// The types seen so far; a hint and no more.
  public var inferredTypes: [String]?
  public var catalog: Catalog
  /// Deleting the entity that is pointed to deletes those that point to it.
  public var onDelete: Deletion?
  /// Deleting an entity deletes the one that it points to.
  public var onDeleteReverse: Deletion?
  /// Plays the part of the id in a database that was not made by Instant.
  public var isPrimary: Bool
  /// Made on this side and not yet confirmed by a server.
  public var isUnsynced: Bool
  /// All other keys, as they came.
  public var others: JSONObject

  public init(
    id: AttributeID, namespace: String, label: String, reverse: Name? = nil,
    valueType: ValueType = .blob, cardinality: Cardinality = .one, isUnique: Bool = false,
    isIndexed: Bool = false, isRequired: Bool = false, checkedType: CheckedType? = nil,
    inferredTypes: [String]? = nil, catalog: Catalog = .user, onDelete: Deletion? = nil,
    onDeleteReverse: Deletion? = nil, isPrimary: Bool = false, isUnsynced: Bool = false,
    others: JSONObject = JSONObject()
  ) {
    self.id = id
    name = Name(namespace: namespace, label: label)
    self.reverse = reverse
    self.valueType = valueType
    self.cardinality = cardinality
    self.isUnique = isUnique
    self.isIndexed = isIndexed
    self.isRequired = isRequired
    self.checkedType = checkedType
    self.inferredTypes = inferredTypes
    self.catalog = catalog
    self.onDelete = onDelete
    self.onDeleteReverse = onDeleteReverse
    self.isPrimary = isPrimary
    self.isUnsynced = isUnsynced
    self.others = others
  }

  public var namespace: String { name.namespace }
  public var label: String { name.label }

  /// Whether this is the attribute that makes an entity a member of its namespace.
  public var isIdentity: Bool { label == "id" && valueType == .blob }
}

extension Attribute {
  /// The link that the values stand for in the words of a database, as its foreign key holds them: what
  /// is known of where it leads, also where nothing is. Nil for any other attribute.
  package var keyOf: AttributeID? {
    get {
      if case .text(let id)? = others[Self.keyOfKey] { AttributeID(id) } else { nil }
    }
    set { others[Self.keyOfKey] = newValue.map { .text($0.text) } }
  }

  /// Whether it is a column of a database, which has limits of its own.
  package var isColumn: Bool {
    get { others[Self.columnKey] == .bool(true) }
    set { others[Self.columnKey] = newValue ? .bool(true) : nil }
  }

  /// Whether a database refuses to delete what somebody leads to by it.
  package var keepsTarget: Bool {
    get { others[Self.keepsKey] == .bool(true) }
    set { others[Self.keepsKey] = newValue ? .bool(true) : nil }
  }

  /// What the column of a database is called there, and how many stand before it; nil for what is none:
  /// what an entity is called here, a link, and what no database holds.
  package var column: Column? {
    get {
      guard case .array(let parts)? = others[Self.namedColumnKey], parts.count == 2,
        case .text(let name) = parts[0], case .integer(let place) = parts[1]
      else { return nil }
      return Column(name: name, place: Int(place))
    }
    set {
      others[Self.namedColumnKey] = newValue.map { [.text($0.name), .integer(Int64($0.place))] }
    }
  }

  /// A column of a table of a database, as the table has it.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// Counted from 0.
    package let place: Int

    package init(name: String, place: Int) { (self.name, self.place) = (name, place) }
  }

  /// Whether a database works its values out of others, and takes none.
  package var isGenerated: Bool {
    get { others[Self.generatedKey] == .bool(true) }
    set { others[Self.generatedKey] = newValue ? .bool(true) : nil }
  }

  /// Whether it is the id of a table WITHOUT ROWID: the database tells nothing of what becomes of its
  /// rows when others are deleted.
  package var isOfUntoldRows: Bool {
    get { others[Self.untoldKey] == .bool(true) }
    set { others[Self.untoldKey] = newValue ? .bool(true) : nil }
  }

  private static let untoldKey = "is-of-untold-rows"
  private static let generatedKey = "is-generated"
  private static let namedColumnKey = "column"
  private static let keepsKey = "keeps-target"
  private static let keyOfKey = "key-of"
  private static let columnKey = "is-column"
}

/// A type that an attribute's values can be held to.
public enum CheckedType: String, Hashable, Sendable, CaseIterable {
  case string, number, boolean, date

  /// What values of the type are called in sentences.
  package var words: String {
    switch self {
    case .string: "a text"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    }
  }
}
