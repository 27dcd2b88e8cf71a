/// A property of the entities of a namespace: the type of its values and their constraints.
///
/// - Source: the attributes of an Instant app, with all their keys.
public struct Attribute: Hashable, Sendable {
  /// The type of an attribute's values.
  public enum ValueType: String, Hashable, Sendable {
    /// Any JSON value.
    case blob
    /// A reference to another entity.
    case ref
  }

  /// Whether an entity can have one value of an attribute, or many.
  public enum Cardinality: String, Hashable, Sendable {
    /// At most one value, or any number of them.
    case one, many
  }

  /// The creator of an attribute: a user of the app, or the server, which adds it to every app.
  public enum Catalog: String, Hashable, Sendable {
    /// A user, or the server.
    case user, system
  }

  /// What happens to the entity at one end of a link when the entity at the other end is deleted.
  public enum Deletion: String, Hashable, Sendable {
    /// Deletes that entity, too.
    case cascade
  }

  /// A namespace and a label, with the id that servers assign to the pair.
  public struct Name: Hashable, Sendable {
    /// The id that servers assign to the pair; empty in a local store.
    public var id: String
    /// The namespace.
    public var namespace: String
    /// The label, unique in the namespace.
    public var label: String

    /// Creates a name. Names in local stores have no id.
    public init(id: String = "", namespace: String, label: String) {
      self.id = id
      self.namespace = namespace
      self.label = label
    }
  }

  /// The id of the attribute, which renaming does not change.
  public var id: AttributeID
  /// The name of the attribute, or of a link in its forward direction.
  public var name: Name
  /// The name of the link in its reverse direction; nil for an attribute that is not a link.
  public var reverse: Name?
  /// Whether the values are JSON or references to other entities.
  public var valueType: ValueType
  /// Whether an entity can have one value of an attribute, or many.
  public var cardinality: Cardinality
  /// Whether no two entities share a value. For a link: whether at most one entity can link to each
  /// target.
  public var isUnique: Bool
  /// Whether servers index the values. Servers limit the size of indexed values.
  public var isIndexed: Bool
  /// Whether each entity of the namespace must have a value.
  public var isRequired: Bool
  /// The enforced type of values; nil allows any JSON.
  public var checkedType: CheckedType?
  /// The types of the values seen so far, as a hint only.
  public var inferredTypes: [String]?
  /// The creator of the attribute.
  public var catalog: Catalog
  /// `cascade` if deleting the target also deletes the entities that link to it; otherwise nil.
  public var onDelete: Deletion?
  /// `cascade` if deleting an entity also deletes its target; otherwise nil.
  public var onDeleteReverse: Deletion?
  /// Whether the attribute is the primary key in a database that Instant did not create.
  public var isPrimary: Bool
  /// Whether the attribute was created locally and a server has not confirmed it yet.
  public var isUnsynced: Bool
  /// All other members of the JSON form. They are kept, so that ``json`` writes them again.
  public var others: JSONObject

  /// The constraints and indexes of an attribute, as options for its initializer.
  public struct Constraints: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// No two entities share a value; see ``Attribute/isUnique``.
    public static let unique = Constraints(rawValue: 1)
    /// Servers index the values.
    public static let indexed = Constraints(rawValue: 2)
    /// Each entity of the namespace must have a value.
    public static let required = Constraints(rawValue: 4)
  }

  /// Creates an attribute; see the properties. Set further properties with ``with(_:)``.
  public init(
    id: AttributeID, namespace: String, label: String, reverse: Name? = nil,
    valueType: ValueType = .blob, cardinality: Cardinality = .one, constraints: Constraints = []
  ) {
    self.id = id
    name = Name(namespace: namespace, label: label)
    self.reverse = reverse
    self.valueType = valueType
    self.cardinality = cardinality
    isUnique = constraints.contains(.unique)
    isIndexed = constraints.contains(.indexed)
    isRequired = constraints.contains(.required)
    catalog = .user
    isPrimary = false
    isUnsynced = false
    others = JSONObject()
  }

  /// Returns a copy with changed properties, as in `attribute.with { $0.checkedType = .number }`.
  public func with(_ change: (inout Attribute) -> Void) -> Attribute {
    var changed = self
    change(&changed)
    return changed
  }

  /// The namespace of the entities that have the attribute.
  public var namespace: String { name.namespace }
  /// The label of the attribute.
  public var label: String { name.label }

  /// Whether this attribute makes an entity a member of its namespace. It is called `id`, unless a
  /// database has a column of that name.
  public var isIdentity: Bool {
    valueType == .blob && (label == "id" ? column == nil : isInternal)
  }
}

extension Attribute {
  /// The link that represents this foreign-key column; nil for any other attribute. For a broken
  /// reference, the column has a value but the link has no target.
  package var keyOf: AttributeID? {
    get {
      if case .text(let id)? = others[Self.keyOfKey] { AttributeID(id) } else { nil }
    }
    set { others[Self.keyOfKey] = newValue.map { .text($0.text) } }
  }

  /// Whether the attribute is a column of a database. If so, the database's limits apply to its
  /// values.
  package var isColumn: Bool {
    get { others[Self.columnKey] == .bool(true) }
    set { others[Self.columnKey] = newValue ? .bool(true) : nil }
  }

  /// Whether the database rejects deleting a referenced target (ON DELETE RESTRICT or NO ACTION).
  package var keepsTarget: Bool {
    get { others[Self.keepsKey] == .bool(true) }
    set { others[Self.keepsKey] = newValue ? .bool(true) : nil }
  }

  /// Whether the attribute is a hidden identity. A table with its own column `id` needs a hidden
  /// identity.
  package var isInternal: Bool {
    get { others[Self.internalKey] == .bool(true) }
    set { others[Self.internalKey] = newValue ? .bool(true) : nil }
  }

  /// The column's name in the database, its position and its type; nil for ids, links and other
  /// stores' attributes.
  package var column: Column? {
    get {
      guard case .array(let parts)? = others[Self.namedColumnKey], parts.count >= 2,
        case .text(let name) = parts[0], case .integer(let place) = parts[1]
      else { return nil }
      guard parts.count > 2, case .text(let type) = parts[2] else {
        return Column(name: name, place: Int(place))
      }
      return Column(name: name, place: Int(place), type: type)
    }
    set {
      others[Self.namedColumnKey] = newValue.map { column in
        .array(
          [.text(column.name), .integer(Int64(column.place))]
            + (column.type.isEmpty ? [] : [.text(column.type)]))
      }
    }
  }

  /// A column of a database table.
  package struct Column: Hashable, Sendable {
    package let name: String
    /// The position of the column in its table, from 0.
    package let place: Int
    /// The declared type, such as `integer`; empty if it is unknown.
    package let type: String

    package init(name: String, place: Int, type: String = "") {
      (self.name, self.place, self.type) = (name, place, type)
    }
  }

  /// The type of the values for display, such as `number` or `text`.
  ///
  /// For the column of a database, it is the declared type, such as `real`. A column that is declared
  /// for dates but holds other values shows both, such as `date (text)`.
  package var typeName: String {
    let known = checkedType.map { $0 == .string ? "text" : $0.rawValue }
    guard let declared = column?.type, !declared.isEmpty else {
      return known ?? (isIdentity ? "id" : "any")
    }
    if let known, checkedType != .date,
      declared.hasPrefix("date") || declared.hasPrefix("timestamp")
    {
      return "\(declared) (\(known))"
    }
    return declared
  }

  /// Whether the attribute is a generated column, which cannot be written.
  package var isGenerated: Bool {
    get { others[Self.generatedKey] == .bool(true) }
    set { others[Self.generatedKey] = newValue ? .bool(true) : nil }
  }

  /// How a database column keeps the digits that a double would lose; nil if it does not.
  ///
  /// A value with such digits is read and written as a text.
  package enum ExactForm: String, Hashable, Sendable {
    /// The value is a number.
    case number
    /// The value is a JSON array or object that contains numbers.
    case json
  }

  /// Whether a value is a text of a number that the column stores with all digits.
  func keepsDigits(of value: Value) -> Bool {
    guard exactForm == .number, case .text(let text) = value else { return false }
    return ExactNumber(text) != nil
  }

  /// Whether a database column is declared for JSON, but its values are read and written as texts.
  package var containsJSONTexts: Bool {
    checkedType == .string && exactForm == nil && column?.type.hasPrefix("json") == true
  }

  package var exactForm: ExactForm? {
    get { others[Self.exactKey]?.textValue.flatMap(ExactForm.init(rawValue:)) }
    set { others[Self.exactKey] = newValue.map { .text($0.rawValue) } }
  }

  /// Whether the attribute is the id of a table WITHOUT ROWID. SQLite does not report rows of such
  /// a table that a cascade deletes.
  package var isWithoutRowID: Bool {
    get { others[Self.withoutRowIDKey] == .bool(true) }
    set { others[Self.withoutRowIDKey] = newValue ? .bool(true) : nil }
  }

  /// Whether the attribute is the identity of rows without a key, such as those of a view. The ids
  /// are positions in a result, so no query can find a row by its id.
  package var isPosition: Bool {
    get { others[Self.positionKey] == .bool(true) }
    set { others[Self.positionKey] = newValue ? .bool(true) : nil }
  }

  /// The reason why a database never changes the rows that this identity belongs to; nil if it can.
  /// The reason is the end of a sentence, such as `is a view`.
  package var readOnlyReason: String? {
    get { others[Self.readOnlyKey]?.textValue }
    set { others[Self.readOnlyKey] = newValue.map { .text($0) } }
  }

  private static let readOnlyKey = "read-only-reason"
  private static let positionKey = "is-position"
  private static let internalKey = "is-internal-id"
  private static let withoutRowIDKey = "is-of-untold-rows"
  private static let exactKey = "keeps-digits"
  private static let generatedKey = "is-generated"
  private static let namedColumnKey = "column"
  private static let keepsKey = "keeps-target"
  private static let keyOfKey = "key-of"
  private static let columnKey = "is-column"
}

/// A type that can be enforced for an attribute's values.
public enum CheckedType: String, Hashable, Sendable, CaseIterable {
  /// Text, numbers, Booleans and dates.
  case string, number, boolean, date

  /// The name of the type in messages.
  package var words: String {
    switch self {
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .date: "a date"
    }
  }
}
