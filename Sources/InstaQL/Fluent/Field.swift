public import Triples

/// The name of an attribute, and the type of its values.
///
/// Names are declared once, in the `Fields` of an entity: no reflection looks for them, so renaming a
/// property changes no query.
public struct Field<Value: FieldValue>: Sendable, Hashable {
  public let name: String

  public init(_ name: String) { self.name = name }
}

/// The name of a link, and the entities it leads to.
///
/// `Link` is the link of a schema, which knows both its ends; this is what a query says of it.
public struct LinkField<Target: QueryEntity>: Sendable, Hashable {
  public let name: String

  public init(_ name: String) { self.name = name }
}

/// An entity of a Swift program: which namespace it is from, its fields by name, and how a row becomes one.
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
/// `sonde schema STORE --format swift` writes such types for the data of a store.
public protocol QueryEntity: Sendable {
  /// The fields and links of the entity, each a `Field` or a `LinkField`.
  associatedtype Fields: Sendable

  static var namespace: String { get }
  static var fields: Fields { get }

  /// Reads an entity out of a row.
  /// - Throws: `decoding`, which `row.value` throws by itself.
  init(row: DataRow) throws(QueryError)
}

/// An entity of which only the row is known: for programs that learn names when they run.
public struct AnyEntity: QueryEntity, Equatable {
  public struct Fields: Sendable {}

  /// Empty: a query of any entity names its namespace itself, with `EntityQuery.from(_:)`.
  public static let namespace = ""
  public static let fields = Fields()

  public let row: DataRow

  public init(row: DataRow) { self.row = row }

  public var id: EntityID { row.id }

  /// The value under a name; nil when missing, null, or not asked for.
  public subscript(name: String) -> Value? { row[name] }
}
