public import Triples

/// The name of an attribute and the type of its values.
///
/// Names are declared once, in the `Fields` of an entity. No reflection is used, so renaming a
/// property does not change queries.
public struct Field<Value: FieldValue>: Sendable, Hashable {
  /// The label of the attribute.
  public let name: String

  /// Creates the field of the attribute with this label.
  public init(_ name: String) { self.name = name }
}

/// The name of a link and the type of its target.
///
/// `Link` is the link of a schema, which has both ends; this type is only its use in queries.
public struct LinkField<Target: QueryEntity>: Sendable, Hashable {
  /// The label of the link.
  public let name: String

  /// Creates the field of the link with this label.
  public init(_ name: String) { self.name = name }
}

/// An entity type of a Swift program: its namespace, its field names, and its initializer from a
/// row.
///
/// ```swift
/// struct Employee: QueryEntity {
///   struct Fields: Sendable {
///     let name = Field<String>("name"), salary = Field<Int>("salary")
///     let department = LinkField<Department>("department")
///   }
///   static let namespace = "employees"
///   static let fields = Fields()
///
///   let name: String
///   let salary: Int?
///
///   init(row: DataRow) throws(QueryError) {
///     name = try row.value(\.name, of: Self.self)
///     salary = try row.optional(\.salary, of: Self.self)
///   }
/// }
/// ```
///
/// `sonde schema STORE --format swift` generates such types for the data of a store.
public protocol QueryEntity: Sendable {
  /// The fields and links of the entity, each a `Field` or a `LinkField`.
  associatedtype Fields: Sendable

  /// The namespace of the entities.
  static var namespace: String { get }
  /// The names of the fields and links.
  static var fields: Fields { get }

  /// Creates an entity from a row.
  /// - Throws: `decoding`, as thrown by `row.value`.
  init(row: DataRow) throws(QueryError)
}

/// An entity without a declared type, for fields whose names are known only at run time.
public struct AnyEntity: QueryEntity, Equatable {
  public struct Fields: Sendable {}

  /// The empty namespace. Queries of this type name their namespace with `EntityQuery.from(_:)`.
  public static let namespace = ""
  /// An empty declaration. It allows any name.
  public static let fields = Fields()

  /// The row with all its values.
  public let row: DataRow

  public init(row: DataRow) { self.row = row }

  /// The id of the entity.
  public var id: EntityID { row.id }

  /// The value of a field; nil when it is missing, null or not selected.
  public subscript(name: String) -> Value? { row[name] }
}
