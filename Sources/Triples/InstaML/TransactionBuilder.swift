/// Builds transactions from InstaML operations.
///
/// ```swift
/// var builder = TransactionBuilder()
/// builder.update("people", .id(ana), ["age": 31])
/// builder.link("people", .id(ana), "reports", [.lookup("email", "bo@x.io")])
/// try store.transact(builder.transaction(in: store))
/// ```
///
/// Unknown names become new attributes. A declared schema defines the types of attributes and
/// restricts their names. Without a declared schema, any name is allowed.
public struct TransactionBuilder: Hashable, Sendable {
  /// The operations, in the order in which they were added.
  public var operations: [InstaMLOperation]

  /// Creates a builder that already contains `operations`.
  public init(_ operations: [InstaMLOperation] = []) {
    self.operations = operations
  }

  /// Parses operations from JSON; see ``InstaMLOperation/list(json:)``.
  public init(json: Value) throws(InstaMLError) {
    operations = try InstaMLOperation.list(json: json)
  }

  /// The operations as a JSON list, the form that servers read.
  public var json: Value { .array(operations.map(\.json)) }

  /// Creates an entity, which must not exist yet.
  public mutating func create(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject
  ) {
    operations.append(.init(.create, namespace, entity, .object(values)))
  }

  /// Sets values of an entity.
  /// - Parameter upsert: What to do about a missing entity; see ``InstaMLOperation/upsert``.
  public mutating func update(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject, upsert: Bool? = nil
  ) {
    operations.append(.init(.update, namespace, entity, .object(values), upsert: upsert))
  }

  /// Merges objects into values of an entity.
  /// - Parameter upsert: What to do about a missing entity; see ``InstaMLOperation/upsert``.
  public mutating func merge(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject, upsert: Bool? = nil
  ) {
    operations.append(.init(.merge, namespace, entity, .object(values), upsert: upsert))
  }

  /// Links an entity to others. The entity may be at either end of the link.
  public mutating func link(
    _ namespace: String, _ entity: InstaMLEntity, _ label: String, _ targets: [InstaMLEntity]
  ) {
    operations.append(.init(.link, namespace, entity, Self.targets(label, targets)))
  }

  /// Removes links between an entity and others. The entity may be at either end of the link.
  public mutating func unlink(
    _ namespace: String, _ entity: InstaMLEntity, _ label: String, _ targets: [InstaMLEntity]
  ) {
    operations.append(.init(.unlink, namespace, entity, Self.targets(label, targets)))
  }

  /// Deletes an entity; deleting a missing entity succeeds.
  public mutating func delete(_ namespace: String, _ entity: InstaMLEntity) {
    operations.append(.init(.delete, namespace, entity))
  }

  /// Passes parameters to the permission rules of a server.
  public mutating func ruleParams(
    _ namespace: String, _ entity: InstaMLEntity, _ parameters: JSONObject
  ) {
    operations.append(.init(.ruleParams, namespace, entity, .object(parameters)))
  }

  private static func targets(_ label: String, _ targets: [InstaMLEntity]) -> Value {
    [label: .array(targets.map { .text($0.text) })]
  }

  /// Returns the transaction that performs the operations.
  ///
  /// - Parameters:
  ///   - store: The current attributes and entities.
  ///   - declared: The declared schema; nil allows all names and types.
  ///   - readsDates: Whether unparsable values of date attributes are rejected.
  ///   - newID: Generates ids of new attributes; random by default.
  /// - Throws: The error of the first operation that violates the declared schema. If no operation
  ///   violates the schema, the error of the first operation that cannot be converted to steps.
  public func transaction(
    in store: TripleStore, declared: Schema? = nil, readsDates: Bool = false,
    newID: () -> EntityID = { .random() }
  ) throws(InstaMLError) -> Transaction {
    if let declared {
      let check = InstaMLCheck(schema: declared)
      for operation in operations { try check.check(operation) }
    }
    var maker = ImplicitAttributeResolver(store.schema, declared: declared)
    try maker.make(for: operations, newID: newID)
    let expansion = InstaMLExpansion(
      store: store, schema: maker.schema, readsDates: readsDates)
    var steps = maker.attributesToAdd.map(TransactionStep.addAttribute)
    for operation in operations { steps += try expansion.steps(operation) }
    return Transaction(steps)
  }
}
