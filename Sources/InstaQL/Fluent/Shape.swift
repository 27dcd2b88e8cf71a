public import Triples

/// The fields and links of an entity, for writing conditions: the `$0` in
/// `filter { $0.salary > 80_000 }`.
///
/// Its only members are the names in `Fields`, so a field can have any name. A field is a ``Term``.
/// A link is the shape of its target, so that `$0.department.name` is a path.
@dynamicMemberLookup
public struct Shape<Root: QueryEntity, At: QueryEntity>: Sendable {
  var labels: [String]

  init(labels: [String] = []) { self.labels = labels }

  /// The field, for use in a condition.
  public subscript<V>(dynamicMember field: KeyPath<At.Fields, Field<V>>) -> Term<Root, V> {
    Term(path: AttributePath(labels + [At.fields[keyPath: field].name]))
  }

  /// The fields and links of the entities at the end of a link.
  public subscript<T>(dynamicMember link: KeyPath<At.Fields, LinkField<T>>) -> Shape<Root, T> {
    Shape<Root, T>(labels: labels + [At.fields[keyPath: link].name])
  }

  /// The field with this name. Use it if the name is known only at run time, or is not a valid
  /// Swift name.
  public subscript(name: String) -> Term<Root, Value> {
    Term(path: AttributePath((labels + [name]).joined(separator: ".")))
  }
}

extension Shape where At == AnyEntity {
  /// The field with this name, which no Swift type declares.
  public subscript(dynamicMember name: String) -> Term<Root, Value> { self[name] }
}

/// A field of an entity or of a linked entity, for use in conditions.
@dynamicMemberLookup
public struct Term<Root: QueryEntity, V: FieldValue>: Sendable {
  let path: AttributePath

  init(path: AttributePath) { self.path = path }
}

extension Term where V == Value {
  /// A field or link of the entities to which this link leads. No Swift type declares the name.
  ///
  /// Whether a name is a field or a link is known only when the query runs.
  public subscript(dynamicMember name: String) -> Term<Root, Value> {
    Term(path: AttributePath(path.labels + [name]))
  }
}

/// The `nil` in `$0.salary == nil`: a missing value.
public struct MissingValue: Sendable, ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {}
}
