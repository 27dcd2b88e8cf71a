/// Carries an object: to put it under its own id, or to delete it.
///
/// It is a key wherever the object is `Identifiable` by a ``QueryID``, and the key is that id's.
public struct ObjectQuery<Object: Hashable & Sendable>: Query {
  public var object: Object

  public init(_ object: Object) {
    self.object = object
  }
}

extension ObjectQuery: KeyQuery where Object: Identifiable, Object.ID: QueryID {
  public var key: String { object.id.queryKey }
}

/// Carries several objects. Key/value sources do not know it; the SQL source does.
public struct ObjectsQuery<Object: Hashable & Sendable>: Query {
  public var objects: [Object]

  public init(_ objects: [Object]) {
    self.objects = objects
  }
}

/// An ``IdQuery`` of whatever id: what tells it from other queries with a key.
package protocol AnyIdQuery: KeyQuery {}

extension IdQuery: AnyIdQuery {}

/// An ``IdsQuery`` of whatever id: what a source needs to know of it.
package protocol AnyIdsQuery: Query {
  var keys: [String] { get }
  var skipsMissing: Bool { get }
}

extension IdsQuery: AnyIdsQuery {
  package var keys: [String] { ids.map(\.queryKey) }
  package var skipsMissing: Bool { missing == .skip }
}

/// An ``ObjectQuery`` of whatever object.
package protocol AnyObjectQuery: Query {
  var anyObject: any Sendable { get }
}

extension ObjectQuery: AnyObjectQuery {
  package var anyObject: any Sendable { object }
}

/// An ``ObjectsQuery`` of whatever objects.
package protocol AnyObjectsQuery: Query {
  var anyObjects: [any Sendable] { get }
}

extension ObjectsQuery: AnyObjectsQuery {
  package var anyObjects: [any Sendable] { objects }
}
