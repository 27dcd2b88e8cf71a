public import DataSources
public import InstaQL
public import Triples

/// A list of changes to entities that a store applies atomically: all of them or none.
///
/// ```swift
/// var changes = EntityChanges()
/// let sales = changes.insert(Department.self, .set(\.name, "Sales"))
/// changes.insert(Employee.self, .set(\.name, "Ada"), .link(\.department, sales))
/// try await store.apply(changes)
/// ```
///
/// Names that the store does not know yet become new attributes and links.
public struct EntityChanges: Sendable {
  private struct Change: Sendable {
    enum Action { case insert, update, delete }

    let action: Action
    let namespace: String
    let id: EntityID
    var values: [(label: String, value: Value)] = []
    var links: [(link: DeclaredLink, targets: [EntityID], isRemoved: Bool)] = []
  }

  private var changes: [Change] = []

  /// Creates an empty list of changes.
  public init() {}

  /// Whether there is nothing to apply.
  public var isEmpty: Bool { changes.isEmpty }

  /// Adds a new entity.
  /// - Parameter id: The id of the new entity, which no entity must have yet.
  /// - Returns: The id.
  @discardableResult
  public mutating func insert<E>(
    _ entity: E.Type, id: EntityID = .random(), _ fields: FieldChange<E>...
  ) -> EntityID {
    add(.insert, E.namespace, id, fields)
    return id
  }

  /// Changes an entity, which must exist.
  public mutating func update<E>(
    _ entity: E.Type, _ id: EntityID, _ fields: FieldChange<E>...
  ) {
    add(.update, E.namespace, id, fields)
  }

  /// Deletes an entity. Deleting an entity that does not exist succeeds.
  public mutating func delete<E: QueryEntity>(_ entity: E.Type, _ id: EntityID) {
    changes.append(Change(action: .delete, namespace: E.namespace, id: id))
  }

  mutating func add<E>(
    insertingInto entity: E.Type, id: EntityID, _ fields: [FieldChange<E>]
  ) { add(.insert, E.namespace, id, fields) }

  mutating func add<E>(updating entity: E.Type, id: EntityID, _ fields: [FieldChange<E>]) {
    add(.update, E.namespace, id, fields)
  }

  private mutating func add<E>(
    _ action: Change.Action, _ namespace: String, _ id: EntityID, _ fields: [FieldChange<E>]
  ) {
    var change = Change(action: action, namespace: namespace, id: id)
    for field in fields {
      switch field.kind {
      case .value(let label, let value): change.values.append((label, value))
      case .link(let link, let targets, let isRemoved):
        change.links.append((link, targets, isRemoved))
      }
    }
    changes.append(change)
  }

  /// Returns the transaction steps for a store. The first steps add the attributes that `schema`
  /// lacks.
  /// - Throws: `illegalArgument` if a declared field is a link in the store, or a declared link is
  ///   a field.
  public func transaction(in schema: Schema) throws(DataSourceError) -> Transaction {
    var steps = EntitySteps(schema: schema)
    for change in changes {
      guard change.action != .delete else {
        steps.dataSteps.append(.deleteEntity(.id(change.id), namespace: change.namespace))
        continue
      }
      let mode: TransactionMode = change.action == .insert ? .create : .update
      if change.action == .insert || !change.values.isEmpty {
        let label = schema.identityLabel(of: change.namespace)
        try steps.set(label, .text(change.id.text), of: change.id, in: change.namespace, mode)
      }
      for (label, value) in change.values {
        try steps.set(label, value, of: change.id, in: change.namespace, mode)
      }
      for (link, targets, isRemoved) in change.links {
        try steps.link(link, targets, of: change.id, in: change.namespace, isRemoved)
      }
    }
    return Transaction(steps.added.map(TransactionStep.addAttribute) + steps.dataSteps)
  }
}

/// Converts changes to transaction steps, and collects the new attributes that they need.
private struct EntitySteps {
  var schema: Schema
  var added: [Attribute] = []
  var dataSteps: [TransactionStep] = []

  mutating func set(
    _ label: String, _ value: Value, of id: EntityID, in namespace: String,
    _ mode: TransactionMode
  ) throws(DataSourceError) {
    let attribute = try attribute(label, in: namespace)
    dataSteps.append(.addTriple(.id(id), attribute.id, value, mode))
  }

  private mutating func attribute(
    _ label: String, in namespace: String
  ) throws(DataSourceError) -> Attribute {
    if let known = schema.attribute(namespace, label), known.valueType == .blob {
      bring(known)
      return known
    }
    if schema.link(namespace, label) != nil {
      throw .illegalArgument(
        "Cannot save \(namespace).\(label) as a field: it is a link in this store.")
    }
    var attribute = Attribute(
      id: AttributeID(EntityID.random().text), namespace: namespace, label: label)
    attribute.isUnique = label == "id"
    attribute.isUnsynced = true
    attribute.name.id = EntityID.random().text
    schema.set(attribute)
    added.append(attribute)
    return attribute
  }

  mutating func link(
    _ declared: DeclaredLink, _ targets: [EntityID], of id: EntityID, in namespace: String,
    _ isRemoved: Bool
  ) throws(DataSourceError) {
    let link = try link(declared, in: namespace)
    for target in targets {
      let (source, end) = link.direction == .forward ? (id, target) : (target, id)
      let value = Value.text(end.text)
      dataSteps.append(
        isRemoved
          ? .retractTriple(.id(source), link.attribute.id, value)
          : .addTriple(.id(source), link.attribute.id, value))
    }
  }

  private mutating func link(
    _ declared: DeclaredLink, in namespace: String
  ) throws(DataSourceError) -> Link {
    if let known = schema.link(namespace, declared.label) {
      bring(known.attribute)
      return known
    }
    if schema.attribute(namespace, declared.label) != nil {
      throw .illegalArgument(
        "Cannot save \(namespace).\(declared.label) as a link: it is a field in this store.")
    }
    let attribute = declared.attribute(of: namespace)
    schema.set(attribute)
    added.append(attribute)
    return Link(attribute, .forward)
  }

  /// Repeats the creation of an attribute that a server has not confirmed yet. This transaction may
  /// reach the server before the transaction that first created the attribute.
  private mutating func bring(_ attribute: Attribute) {
    guard attribute.isUnsynced, !added.contains(where: { $0.id == attribute.id }) else { return }
    added.append(attribute)
  }
}

extension StoreDataSource {
  /// Applies a list of changes as one transaction.
  ///
  /// - Returns: The store after the changes.
  /// - Throws: `refused` with the store's error, for example if an inserted entity exists already,
  ///   or an updated one does not exist; `illegalArgument` if a declared field is a link in the
  ///   store, or the reverse; the errors of reading the schema.
  @discardableResult
  public func apply(_ changes: EntityChanges) async throws(DataSourceError) -> StoreSnapshot {
    let schema = try await get(SchemaQuery()).store.schema
    return try await put(nil, in: TransactionQuery(try changes.transaction(in: schema)))
  }

  /// Adds an entity: `insert(Employee.self, .set(\.name, "Ada"), .set(\.salary, 80_000))`.
  /// - Parameter id: The id of the new entity, which no entity must have yet.
  /// - Returns: The id.
  /// - Throws: The errors of ``apply(_:)``.
  @discardableResult
  public func insert<E>(
    _ entity: E.Type, id: EntityID = .random(), _ fields: FieldChange<E>...
  ) async throws(DataSourceError) -> EntityID {
    var changes = EntityChanges()
    changes.add(insertingInto: E.self, id: id, fields)
    try await apply(changes)
    return id
  }

  /// Changes an entity, which must exist.
  /// - Throws: The errors of ``apply(_:)``.
  public func update<E>(
    _ entity: E.Type, _ id: EntityID, _ fields: FieldChange<E>...
  ) async throws(DataSourceError) {
    var changes = EntityChanges()
    changes.add(updating: E.self, id: id, fields)
    try await apply(changes)
  }

  /// Deletes an entity. Deleting an entity that does not exist succeeds.
  /// - Throws: The errors of ``apply(_:)``.
  public func delete<E: QueryEntity>(
    _ entity: E.Type, _ id: EntityID
  ) async throws(DataSourceError) {
    var changes = EntityChanges()
    changes.delete(E.self, id)
    try await apply(changes)
  }
}
