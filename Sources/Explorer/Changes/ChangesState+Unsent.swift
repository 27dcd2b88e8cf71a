import InstaQL
import LiveQueries
import Triples

extension ChangesState {
  var stagedCount: Int { count { $0 == .staged } }
  /// The number of staged changes that are being sent.
  var sendingCount: Int { count { $0 != .staged } }

  private func count(_ isCounted: (PendingChange.State) -> Bool) -> Int {
    changes.reduce(0) { $0 + (isCounted($1.state) ? $1.stagedParts : 0) }
  }

  /// The counts of changes that are being sent and that are staged, such as `3 changes staged`; nil
  /// if both are zero.
  var unsent: String? {
    let parts = [
      sendingCount > 0 ? NumberText.count(sendingCount, "change") + " being sent" : nil,
      stagedCount > 0 ? NumberText.count(stagedCount, "change") + " staged" : nil,
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  /// Whether any of the changes is being sent.
  var isSending: Bool { changes.contains { $0.state != .staged } }

  func contains(_ entity: EntityID) -> Bool {
    changes.contains { change in
      change.transaction.steps.contains { $0.entity == .id(entity) }
    }
  }

  /// The entities that are staged for deletion.
  var deletions: Set<EntityID> {
    var deletions: Set<EntityID> = []
    for change in changes where change.isShown {
      for case .deleteEntity(.id(let entity), _) in change.transaction.steps {
        deletions.insert(entity)
      }
    }
    return deletions
  }

  /// Returns the queries for the previous values of all entities that the staged changes update.
  ///
  /// The changes can be undone after they were sent only if these values are loaded.
  func queries(in schema: Schema) -> [QueryPlan] {
    var entities: [String: [EntityID]] = [:]
    for step in changes.filter({ $0.stagedParts > 0 }).flatMap(\.transaction.steps) {
      guard case .addTriple(.id(let entity), let id, _, .update) = step,
        let namespace = schema.attribute(id)?.namespace,
        entities[namespace]?.contains(entity) != true
      else { continue }
      entities[namespace, default: []].append(entity)
    }
    return entities.sorted { $0.key < $1.key }.map { namespace, entities in
      let plan = QueryPlan(namespace)
        .filter(schema.condition(matching: entities.suffix(Self.maxAsked), in: namespace))
      return schema.links(of: namespace).reduce(plan) { plan, link in
        plan.with(link.label) { $0.fields(["id"]) }
      }
    }
  }

  private static let maxAsked = 200
}
