/// A query that carries an object, which a put stores under its own id and a delete removes.
///
/// If the object is `Identifiable` by a ``QueryID``, the id determines the key of the query.
/// Otherwise the query has no key.
public struct ObjectQuery<Object: Hashable & Sendable>: Query {
  /// The object that the query carries.
  public var object: Object

  /// Creates a query that carries `object`.
  public init(_ object: Object) {
    self.object = object
  }
}

extension ObjectQuery: KeyQuery where Object: Identifiable, Object.ID: QueryID {
  public var key: String { object.id.queryKey }
}

/// A query that carries several objects. The SQL source supports it; key/value sources do not.
public struct ObjectsQuery<Object: Hashable & Sendable>: Query {
  /// The objects that the query carries, in order.
  public var objects: [Object]

  /// Creates a query that carries `objects`.
  public init(_ objects: [Object]) {
    self.objects = objects
  }
}

/// An ``IdQuery`` with any type of id.
package protocol AnyIdQuery: KeyQuery {}

extension IdQuery: AnyIdQuery {}

/// An ``IdsQuery`` with any type of id.
package protocol AnyIdsQuery: Query {
  var keys: [String] { get }
  var skipsMissing: Bool { get }
}

extension IdsQuery: AnyIdsQuery {
  package var keys: [String] { ids.map(\.queryKey) }
  package var skipsMissing: Bool { missing == .skip }
}

/// An ``ObjectQuery`` with any type of object.
package protocol AnyObjectQuery: Query {
  var anyObject: any Sendable { get }
}

extension ObjectQuery: AnyObjectQuery {
  package var anyObject: any Sendable { object }
}

/// An ``ObjectsQuery`` with any type of object.
package protocol AnyObjectsQuery: Query {
  var anyObjects: [any Sendable] { get }
}

extension ObjectsQuery: AnyObjectsQuery {
  package var anyObjects: [any Sendable] { objects }
}
