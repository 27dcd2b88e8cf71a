public import Triples

/// The name of an attribute and the Swift type of its values.
///
/// Declare it once, in the `Fields` of an entity. Queries use this `name`, not that of the Swift
/// property, so you can rename the property.
public struct Field<Value: FieldValue>: Sendable, Hashable {
  /// The label of the attribute.
  public let name: String

  /// Creates the field of the attribute with this label.
  public init(_ name: String) { self.name = name }
}

/// The name of a link and the Swift type of its target.
///
/// It is for use in queries. A schema describes a link with `Link`, which has the names of both
/// directions.
public struct LinkField<Target: QueryEntity>: Sendable, Hashable {
  /// The label of the link.
  public let name: String

  /// Creates the field of the link with this label.
  public init(_ name: String) { self.name = name }
}

/// A Swift type for the entities of a namespace.
///
/// It declares their fields and links once, and creates an entity from a row of an answer.
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
  /// The declared fields and links.
  static var fields: Fields { get }

  /// Creates an entity from a row.
  /// - Throws: `decoding`, as thrown by `row.value`.
  init(row: DataRow) throws(QueryError)
}

/// An entity without a declared type, for fields whose names are known only at run time.
public struct AnyEntity: QueryEntity, Equatable {
  /// The declared fields: none, so that queries may use any name.
  public struct Fields: Sendable {}

  /// The empty namespace. Queries of this type name their namespace with `EntityQuery.from(_:)`.
  public static let namespace = ""
  /// Declares no fields, so that any name is allowed.
  public static let fields = Fields()

  /// The row with all its values.
  public let row: DataRow

  /// Creates an entity with the values of a row.
  public init(row: DataRow) { self.row = row }

  /// The id of the entity.
  public var id: EntityID { row.id }

  /// The value of a field; nil when it is missing, null or not selected.
  public subscript(name: String) -> Value? { row[name] }
}
