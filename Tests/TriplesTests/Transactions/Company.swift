import Triples

/// A small store with every kind of attribute: people with a unique email, a manager and reports;
/// projects with tasks that are deleted with their project.
enum Company {
  static let ana = id(1), bo = id(2), cy = id(3), dee = id(4)
  static let apollo = id(11), t1 = id(21), t2 = id(22)

  static func id(_ number: UInt64) -> EntityID {
    EntityID(high: 0xB000_0000_0000_4000, low: 0x8000_0000_0000_0000 + number)
  }

  static func attributeID(_ name: String) -> AttributeID { AttributeID("attr:\(name)") }

  static let schema: [Attribute] = [
    blob("people", "id", isUnique: true), blob("people", "name", isRequired: true),
    blob("people", "email", isUnique: true, isIndexed: true, type: .string),
    blob("people", "age", isIndexed: true, type: .number), blob("people", "nick"),
    blob("people", "born", type: .date),
    link("people", "manager", .one, "people", "reports", isUnique: false),
    link("people", "desk", .one, "desks", "owner", isUnique: true),
    blob("desks", "id", isUnique: true),
    blob("projects", "id", isUnique: true), blob("projects", "title"),
    blob("tasks", "id", isUnique: true), blob("tasks", "title"),
    link("tasks", "project", .one, "projects", "tasks", isUnique: false, onDelete: .cascade),
    link("tasks", "assignees", .many, "people", "tasks", isUnique: false),
    link("tasks", "next", .one, "tasks", "previous", isUnique: true, onDeleteReverse: .cascade),
  ]

  static func store() throws -> TripleStore {
    var store = TripleStore()
    try store.transact(Transaction(schema.map { .addAttribute($0) }), at: 1)
    try store.transact(
      Transaction([
        set(ana, "people.id", ana), set(ana, "people.name", "Ana"),
        set(ana, "people.email", "ana@x.io"), set(ana, "people.age", 30),
        set(bo, "people.id", bo), set(bo, "people.name", "Bo"), set(bo, "people.manager", ana),
        set(cy, "people.id", cy), set(cy, "people.name", "Cy"), set(cy, "people.manager", ana),
        set(dee, "people.id", dee), set(dee, "people.name", "Dee"),
        set(apollo, "projects.id", apollo), set(apollo, "projects.title", "Apollo"),
        set(t1, "tasks.id", t1), set(t1, "tasks.project", apollo), set(t1, "tasks.assignees", ana),
        set(t1, "tasks.assignees", bo), set(t1, "tasks.next", t2),
        set(t2, "tasks.id", t2), set(t2, "tasks.project", apollo),
      ]), at: 100)
    return store
  }

  static func set(
    _ entity: EntityID, _ attribute: String, _ value: Value, _ mode: TransactionMode = .upsert
  ) -> TransactionStep { .addTriple(.id(entity), attributeID(attribute), value, mode) }

  static func set(_ entity: EntityID, _ attribute: String, _ target: EntityID) -> TransactionStep {
    set(entity, attribute, .text(target.text))
  }

  static func lookup(_ email: String) -> EntityReference {
    .lookup(attributeID("people.email"), .text(email))
  }

  private static func blob(
    _ namespace: String, _ label: String, isUnique: Bool = false, isIndexed: Bool = false,
    isRequired: Bool = false, type: CheckedType? = nil
  ) -> Attribute {
    Attribute(id: attributeID("\(namespace).\(label)"), namespace: namespace, label: label).with {
      $0.isUnique = isUnique
      $0.isIndexed = isIndexed
      $0.isRequired = isRequired
      $0.checkedType = type
    }
  }

  private static func link(
    _ namespace: String, _ label: String, _ cardinality: Attribute.Cardinality, _ target: String,
    _ reverse: String, isUnique: Bool, onDelete: Attribute.Deletion? = nil,
    onDeleteReverse: Attribute.Deletion? = nil
  ) -> Attribute {
    Attribute(
      id: attributeID("\(namespace).\(label)"), namespace: namespace, label: label,
      reverse: .init(namespace: target, label: reverse), valueType: .ref, cardinality: cardinality
    ).with {
      $0.isUnique = isUnique
      $0.onDelete = onDelete
      $0.onDeleteReverse = onDeleteReverse
    }
  }
}

extension TripleStore {
  /// The values of `namespace.label`, by entity id.
  func read(_ entity: EntityID, _ name: String) -> [Value] {
    guard let handle = handle(of: entity) else { return [] }
    return values(handle, Company.attributeID(name))
  }

  /// All facts as sorted lines: stores with the same facts have the same lines.
  var facts: [String] {
    schema.attributes.flatMap { attribute in
      rows(attribute.id, .stored).handles.flatMap { entity in
        values(entity, attribute.id).map { value in
          "\(id(of: entity)) \(attribute.namespace).\(attribute.label) \(JSONWriter.text(value))"
        }
      }
    }.sorted()
  }

  /// The ages of all facts, as sorted lines.
  var moments: [String] {
    schema.attributes.flatMap { attribute in
      rows(attribute.id, .stored).handles.flatMap { entity in
        zip(values(entity, attribute.id), createdTimes(entity, attribute.id)).map {
          "\(id(of: entity)) \(attribute.id) \(JSONWriter.text($0)) \($1)"
        }
      }
    }.sorted()
  }
}
