public import InstaQL
public import Triples

/// A change of one field or link of an entity. A key path into the entity's `Fields` names it.
///
/// ```swift
/// try await store.update(Employee.self, ada, .set(\.salary, 90_000), .clear(\.title))
/// ```
public struct FieldChange<E: QueryEntity>: Sendable {
  enum Kind: Sendable {
    case value(label: String, Value)
    case link(DeclaredLink, [EntityID], isRemoved: Bool)
  }

  let kind: Kind

  /// Sets the value of a field.
  public static func set<V>(_ field: KeyPath<E.Fields, Field<V>>, _ value: V) -> FieldChange {
    FieldChange(kind: .value(label: E.fields[keyPath: field].name, value.queryValue))
  }

  /// Sets the value of a field to null.
  public static func clear<V>(_ field: KeyPath<E.Fields, Field<V>>) -> FieldChange {
    FieldChange(kind: .value(label: E.fields[keyPath: field].name, .null))
  }

  /// Adds targets to a link. If the link is single-valued, the new target replaces the old one.
  public static func link<T>(
    _ link: KeyPath<E.Fields, LinkField<T>>, _ targets: EntityID...
  ) -> FieldChange {
    FieldChange(kind: .link(DeclaredLink(of: E.self, link), targets, isRemoved: false))
  }

  /// Removes targets from a link.
  public static func unlink<T>(
    _ link: KeyPath<E.Fields, LinkField<T>>, _ targets: EntityID...
  ) -> FieldChange {
    FieldChange(kind: .link(DeclaredLink(of: E.self, link), targets, isRemoved: true))
  }

  /// Sets a field whose name is known only at run time.
  public static func set(_ label: String, _ value: Value) -> FieldChange where E == AnyEntity {
    FieldChange(kind: .value(label: label, value))
  }
}

/// A link that Swift types declare, with its reverse link if the target type declares one.
struct DeclaredLink: Sendable {
  let label: String
  let target: String
  /// The name of the reverse link, if the target type declares exactly one; otherwise nil.
  let reverse: String?

  init<E: QueryEntity, T: QueryEntity>(of entity: E.Type, _ link: KeyPath<E.Fields, LinkField<T>>) {
    let label = E.fields[keyPath: link].name
    self.label = label
    target = T.namespace
    let back = Mirror(reflecting: T.fields).children
      .compactMap { ($0.value as? LinkField<E>)?.name }
      .filter { T.namespace != E.namespace || $0 != label }
    reverse = back.count == 1 ? back[0] : nil
  }

  /// Returns the attribute of a new link. The link can have many targets in both directions.
  func attribute(of namespace: String) -> Attribute {
    var attribute = Attribute(
      id: AttributeID(EntityID.random().text), namespace: namespace, label: label,
      reverse: .init(
        id: EntityID.random().text, namespace: target, label: reverse ?? "\(namespace)_\(label)"),
      valueType: .ref, cardinality: .many)
    attribute.isUnsynced = true
    attribute.name.id = EntityID.random().text
    return attribute
  }
}
