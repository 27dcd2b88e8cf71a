import Triples

/// A reference store: a plain list of triples, changed by the simplest interpretation of the
/// steps.
struct NaiveFacts {
  struct Triple: Hashable {
    var entity: String
    var attribute: AttributeID
    var value: Value
  }

  let schema: Schema
  private(set) var triples: [Triple] = []

  init(_ store: TripleStore) {
    schema = store.schema
    for attribute in schema.attributes {
      for entity in store.rows(attribute.id, .stored).handles {
        for value in store.values(entity, attribute.id) {
          triples.append(
            Triple(entity: store.id(of: entity).text, attribute: attribute.id, value: value))
        }
      }
    }
  }

  var facts: [String] {
    triples.map { triple in
      let name = schema.attribute(triple.attribute).map { "\($0.namespace).\($0.label)" } ?? "?"
      return "\(triple.entity) \(name) \(JSONWriter.text(triple.value))"
    }.sorted()
  }

  /// Applies steps in order, like a client; steps with a violated mode are skipped.
  mutating func apply(_ steps: [TransactionStep]) {
    let before = self
    for step in steps {
      switch step {
      case .addTriple(let entity, let attribute, let value, let mode):
        if before.allows(mode, entity, attribute) { add(entity, attribute, value) }
      case .deepMergeTriple(let entity, let attribute, let patch, let mode):
        guard before.allows(mode, entity, attribute), let id = resolve(entity),
          let old = triples.first(where: { $0.entity == id && $0.attribute == attribute })
        else { continue }
        add(entity, attribute, old.value.merging(patch))
      case .retractTriple(let entity, let attribute, let value):
        guard let id = resolve(entity) else { continue }
        triples.removeAll { $0 == Triple(entity: id, attribute: attribute, value: value) }
      case .deleteEntity(let entity, let namespace?):
        var visited: Set<[String]> = []
        if let id = resolve(entity) { delete(id, namespace, &visited) }
      case .deleteEntity, .ruleParameters, .addAttribute, .updateAttribute, .deleteAttribute,
        .restoreAttribute:
        break
      }
    }
  }

  private mutating func add(_ entity: EntityReference, _ attribute: AttributeID, _ value: Value) {
    guard let id = resolve(entity), let description = schema.attribute(attribute) else { return }
    var value = value
    if description.valueType == .ref || description.isIdentity {
      guard let target = EntityReference(json: value), let id = resolve(target) else { return }
      value = .text(id)
    }
    let triple = Triple(entity: id, attribute: attribute, value: value)
    if triples.contains(triple) { return }
    if description.cardinality == .one {
      triples.removeAll { $0.entity == id && $0.attribute == attribute }
    }
    triples.append(triple)
  }

  /// Deletes an entity from a namespace, and cascades over the links of that namespace.
  private mutating func delete(
    _ id: String, _ namespace: String, _ visited: inout Set<[String]>
  ) {
    let own = triples.filter { $0.entity == id }
    let links = triples.filter {
      $0.value == .text(id) && schema.attribute($0.attribute)?.valueType == .ref
    }
    guard visited.insert([id, namespace]).inserted else { return }
    triples.removeAll { triple in
      guard let attribute = schema.attribute(triple.attribute) else { return false }
      return triple.entity == id && attribute.namespace == namespace
        || attribute.valueType == .ref && triple.value == .text(id)
          && attribute.reverse?.namespace == namespace
    }
    for triple in own {
      guard let attribute = schema.attribute(triple.attribute), attribute.onDeleteReverse != nil,
        attribute.namespace == namespace,
        case .text(let target) = triple.value, let namespace = attribute.reverse?.namespace
      else { continue }
      delete(target, namespace, &visited)
    }
    for triple in links {
      guard let attribute = schema.attribute(triple.attribute), attribute.onDelete != nil,
        attribute.reverse?.namespace == namespace
      else { continue }
      delete(triple.entity, attribute.namespace, &visited)
    }
  }

  private func resolve(_ reference: EntityReference) -> String? {
    switch reference {
    case .id(let id): id.text
    case .lookup(let attribute, let value):
      triples.first { $0.attribute == attribute && $0.value == value }?.entity
    }
  }

  private func allows(
    _ mode: TransactionMode, _ reference: EntityReference, _ attribute: AttributeID
  ) -> Bool {
    if mode == .upsert { return true }
    let identity = schema.attribute(attribute).flatMap { schema.attribute($0.namespace, "id") }
    let exists = resolve(reference).map { id in
      triples.contains { $0.entity == id && $0.attribute == identity?.id }
    }
    return (exists ?? false) == (mode == .update)
  }
}
