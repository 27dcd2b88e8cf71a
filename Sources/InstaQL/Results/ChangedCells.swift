import Triples

/// Finds the displayed values of an answer that changed, level by level. From a list of changes, it
/// reads only the changed entities.
///
/// Entities beyond the limit of a relation count as displayed.
struct ChangedCells {
  private(set) var list: [AnswerChanges.Cell] = []
  private let old: TripleStore
  private let new: TripleStore
  private let changes: [AttributeID: [ChangeSet.Change]]
  private var known: Set<AnswerChanges.Cell> = []

  /// A function that returns those of the given entities that a level of the answer displays.
  private typealias Shown = (RowSet) -> RowSet

  init(earlier: Answer, later: Answer, _ changes: ChangeSet) {
    old = earlier.store
    new = later.store
    self.changes = changes.net(in: later.store.schema).byAttribute
    let both = RowSet(earlier.rows).intersection(RowSet(later.rows))
    collect(later.prepared) { $0.intersection(both) }
  }

  private mutating func collect(_ plan: PreparedPlan, _ shown: Shown) {
    if changes.keys.allSatisfy({ !plan.attributes.contains($0) }) { return }
    for field in plan.fields {
      guard let changes = changes[field.id] else { continue }
      let seen = shown(RowSet(changes.map(\.entity)))
      for change in changes where seen.contains(change.entity) && change.old != change.new {
        add(change.entity, plan.namespace, field.label, change.old, change.new)
      }
    }
    collectComputed(of: plan, shown)
    for relation in plan.relations {
      guard let link = relation.link else { continue }
      let new = new
      for change in changes[link.attribute.id] ?? [] {
        collect(change, plan.namespace, relation.label, link, shown)
      }
      collect(relation.plan) { entities in
        // If a relation exceeds a limit, it displays nothing, and the answer itself reports the
        // error.
        let matches =
          (try? QueryEngine.matches(relation.plan, among: entities, in: new)) ?? RowSet()
        var found = RowSet()
        for entity in matches {
          let parents = new.reaching(along: link, to: RowSet([entity]))
          if !shown(parents).isEmpty { found.insert(entity) }
        }
        return found
      }
    }
  }

  /// Adds the computed values that changed, for the entities that the changes affect.
  private mutating func collectComputed(of plan: PreparedPlan, _ shown: Shown) {
    if plan.computed.isEmpty { return }
    let dependencies = PlanDependencies(plan, new.schema)
    var touched = RowSet()
    for (attribute, changes) in changes {
      for path in dependencies.computed[attribute] ?? [] {
        touched.formUnion(path.origins(of: changes, in: new))
      }
    }
    for entity in shown(touched).handles {
      for column in plan.computed {
        let (was, now) = (column.value(of: entity, in: old), column.value(of: entity, in: new))
        if was != now { add(entity, plan.namespace, column.name, was, now) }
      }
    }
  }

  /// Adds the cells that display a link that was added, removed or changed.
  private mutating func collect(
    _ change: ChangeSet.Change, _ namespace: String, _ label: String, _ link: Link,
    _ shown: Shown
  ) {
    switch link.direction {
    case .forward:
      if !shown(RowSet([change.entity])).isEmpty {
        add(change.entity, namespace, label, change.old, change.new)
      }
    case .reverse:
      let holder = Value.text(new.id(of: change.entity).text)
      if let near = handle(change.old), !shown(RowSet([near])).isEmpty {
        add(near, namespace, label, holder, nil)
      }
      if let near = handle(change.new), !shown(RowSet([near])).isEmpty {
        add(near, namespace, label, nil, holder)
      }
    }
  }

  private func handle(_ value: Value?) -> EntityHandle? {
    guard case .text(let id)? = value else { return nil }
    return new.handle(of: EntityID(id))
  }

  private mutating func add(
    _ entity: EntityHandle, _ namespace: String, _ label: String, _ old: Value?, _ new: Value?
  ) {
    let cell = AnswerChanges.Cell(
      entity: self.new.id(of: entity), namespace: namespace, label: label, old: old, new: new)
    if known.insert(cell).inserted { list.append(cell) }
  }
}

extension ChangeSet {
  /// Returns the changes, combined to one entry per value: from its first old state to its last new
  /// state. If a value ended as it began, it is omitted.
  func net(in schema: Schema) -> ChangeSet {
    var net: [Change] = []
    var places: [NetCell: Int] = [:]
    for change in changes {
      let isOne = schema.attribute(change.attribute)?.cardinality != .many
      // For an attribute with many values, each value is added and removed separately.
      let cell = NetCell(
        entity: change.entity, attribute: change.attribute,
        value: isOne ? nil : change.old ?? change.new)
      if let place = places[cell] {
        net[place] = Change(
          entity: change.entity, attribute: change.attribute, old: net[place].old,
          new: change.new)
      } else {
        places[cell] = net.count
        net.append(change)
      }
    }
    return ChangeSet(
      changes: net.filter { $0.old != $0.new }, schemaChanged: schemaChanged)
  }

  private struct NetCell: Hashable {
    let entity: EntityHandle
    let attribute: AttributeID
    let value: Value?
  }
}
