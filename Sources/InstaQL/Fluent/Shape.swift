public import Triples

/// The fields and links of an entity, from which conditions take their paths. It is the `$0` in
/// `filter { $0.salary > 80_000 }`.
///
/// Its only members are the names in `Fields`, so a field can have any name. A field gives a
/// ``Term``, and a link the shape of its target: `$0.department.name` is a path.
@dynamicMemberLookup
public struct Shape<Root: QueryEntity, At: QueryEntity>: Sendable {
  var labels: [String]

  init(labels: [String] = []) { self.labels = labels }

  /// The term of a field, for use in conditions.
  public subscript<V>(dynamicMember field: KeyPath<At.Fields, Field<V>>) -> Term<Root, V> {
    Term(path: AttributePath(labels + [At.fields[keyPath: field].name]))
  }

  /// The shape of the entities at the end of a link.
  public subscript<T>(dynamicMember link: KeyPath<At.Fields, LinkField<T>>) -> Shape<Root, T> {
    Shape<Root, T>(labels: labels + [At.fields[keyPath: link].name])
  }

  /// The field with this name. The name may be known only at run time, or not be a Swift
  /// identifier.
  public subscript(name: String) -> Term<Root, Value> {
    Term(path: AttributePath((labels + [name]).joined(separator: ".")))
  }
}

extension Shape where At == AnyEntity {
  /// The field with a name that the Swift types do not declare.
  public subscript(dynamicMember name: String) -> Term<Root, Value> { self[name] }
}

/// A field of an entity or of a linked entity, for use in conditions.
@dynamicMemberLookup
public struct Term<Root: QueryEntity, V: FieldValue>: Sendable {
  let path: AttributePath

  init(path: AttributePath) { self.path = path }
}

extension Term where V == Value {
  /// The field or link with this name, at the end of this link. The Swift types do not declare the
  /// name; only the store knows which names are links.
  public subscript(dynamicMember name: String) -> Term<Root, Value> {
    Term(path: AttributePath(path.labels + [name]))
  }
}

/// A missing value. It allows `nil` in `$0.salary == nil`.
public struct MissingValue: Sendable, ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {}
}
