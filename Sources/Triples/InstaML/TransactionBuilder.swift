/// Makes transactions of wishes in the words of InstaML.
///
/// ```swift
/// var builder = TransactionBuilder()
/// builder.update("people", .id(ana), ["age": 31])
/// builder.link("people", .id(ana), "reports", [.lookup("email", "bo@x.io")])
/// try store.transact(builder.transaction(in: store))
/// ```
///
/// Names that the store does not know yet become new attributes. A declared schema says how they are
/// made and which names there may be; without one, any name will do.
public struct TransactionBuilder: Hashable, Sendable {
  /// In the order in which they were wished.
  public var operations: [InstaMLOperation]

  public init(_ operations: [InstaMLOperation] = []) {
    self.operations = operations
  }

  /// Reads operations from JSON; see ``InstaMLOperation/list(json:)``.
  public init(json: Value) throws(InstaMLError) {
    operations = try InstaMLOperation.list(json: json)
  }

  public var json: Value { .array(operations.map(\.json)) }

  public mutating func create(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject
  ) {
    operations.append(.init(.create, namespace, entity, .object(values)))
  }

  public mutating func update(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject, upsert: Bool? = nil
  ) {
    operations.append(.init(.update, namespace, entity, .object(values), upsert: upsert))
  }

  public mutating func merge(
    _ namespace: String, _ entity: InstaMLEntity, _ values: JSONObject, upsert: Bool? = nil
  ) {
    operations.append(.init(.merge, namespace, entity, .object(values), upsert: upsert))
  }

  /// Links an entity to others along a link, whichever end of it the namespace is.
  public mutating func link(
    _ namespace: String, _ entity: InstaMLEntity, _ label: String, _ targets: [InstaMLEntity]
  ) {
    operations.append(.init(.link, namespace, entity, Self.targets(label, targets)))
  }

  public mutating func unlink(
    _ namespace: String, _ entity: InstaMLEntity, _ label: String, _ targets: [InstaMLEntity]
  ) {
    operations.append(.init(.unlink, namespace, entity, Self.targets(label, targets)))
  }

  public mutating func delete(_ namespace: String, _ entity: InstaMLEntity) {
    operations.append(.init(.delete, namespace, entity))
  }

  public mutating func ruleParams(
    _ namespace: String, _ entity: InstaMLEntity, _ parameters: JSONObject
  ) {
    operations.append(.init(.ruleParams, namespace, entity, .object(parameters)))
  }

  private static func targets(_ label: String, _ targets: [InstaMLEntity]) -> Value {
    [label: .array(targets.map { .text($0.text) })]
  }

  /// The steps that these operations stand for.
  ///
  /// - Parameters:
  ///   - store: What is known: its attributes, and which entities exist.
  ///   - declared: What is allowed; nil allows anything.
  ///   - readsDates: Whether values of date attributes are refused when no date can be read.
  ///   - newID: The ids of new attributes; random unless a test says otherwise.
  /// - Throws: What the first unsound operation has against it: first those that the declared schema
  ///   forbids, then those that have no steps.
  public func transaction(
    in store: TripleStore, declared: Schema? = nil, readsDates: Bool = false,
    newID: () -> EntityID = { .random() }
  ) throws(InstaMLError) -> Transaction {
    if let declared {
      let check = InstaMLCheck(schema: declared)
      for operation in operations { try check.check(operation) }
    }
    var maker = AttributeMaker(store.schema, declared: declared)
    try maker.make(for: operations, newID: newID)
    let expansion = InstaMLExpansion(
      store: store, schema: maker.schema, readsDates: readsDates)
    var steps = maker.made.map(TransactionStep.addAttribute)
    for operation in operations { steps += try expansion.steps(operation) }
    return Transaction(steps)
  }
}
