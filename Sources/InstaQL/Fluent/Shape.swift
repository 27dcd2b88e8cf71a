public import Triples

/// What a condition is made from, `$0` in `filter { $0.salary > 80_000 }`: the fields and links of an
/// entity, as paths from the entity that the query is about.
///
/// It has no members but the names of `Fields`, so a field may be called anything. A field gives a
/// ``Term``, a link the shape of the entities there: `$0.department.name` is a path.
@dynamicMemberLookup
public struct Shape<Root: QueryEntity, At: QueryEntity>: Sendable {
  var labels: [String]

  init(labels: [String] = []) { self.labels = labels }

  public subscript<V>(dynamicMember field: KeyPath<At.Fields, Field<V>>) -> Term<Root, V> {
    Term(path: AttributePath(labels + [At.fields[keyPath: field].name]))
  }

  public subscript<T>(dynamicMember link: KeyPath<At.Fields, LinkField<T>>) -> Shape<Root, T> {
    Shape<Root, T>(labels: labels + [At.fields[keyPath: link].name])
  }

  /// The field of that name: for names that the program learns when it runs, or that Swift cannot spell.
  public subscript(name: String) -> Term<Root, Value> {
    Term(path: AttributePath((labels + [name]).joined(separator: ".")))
  }
}

extension Shape where At == AnyEntity {
  public subscript(dynamicMember name: String) -> Term<Root, Value> { self[name] }
}

/// A field of an entity, or of one that links lead to, as it stands in a condition.
@dynamicMemberLookup
public struct Term<Root: QueryEntity, V: FieldValue>: Sendable {
  let path: AttributePath

  init(path: AttributePath) { self.path = path }
}

extension Term where V == Value {
  /// The name at the other end of this link, when only the store knows which names are links.
  public subscript(dynamicMember name: String) -> Term<Root, Value> {
    Term(path: AttributePath(path.labels + [name]))
  }
}

/// The value that nothing has: what `nil` is in `$0.salary == nil`.
public struct MissingValue: Sendable, ExpressibleByNilLiteral {
  public init(nilLiteral: ()) {}
}
