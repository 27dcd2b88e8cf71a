import LiveQueries
import Triples

extension RemoteWrites {
  /// The effect of a mutation on the data in this process, used to report and undo the mutation.
  struct Preview {
    let store: TripleStore
    let changes: ChangeSet
    /// Whether the data in this process contains all entities that the mutation updates or deletes.
    var isKnown = true
    /// The number of the first state that contains the change.
    var number = 0

    /// The changed entities.
    var entities: Set<EntityID> { Set(changes.changes.map { store.id(of: $0.entity) }) }
  }
}

extension RemoteWrites.Preview {
  /// Computes the effect of a mutation on the data of the watched queries.
  ///
  /// Each watched query contains only a part of the data. Therefore this takes the store with the
  /// most values of the mutation's entities, adds the values that only other stores have, and
  /// applies the mutation.
  ///
  /// - Parameter stores: The stores of the watched queries. The last store contains only
  ///   attributes.
  /// - Complexity: O(stores × entities of the mutation × attributes). Because of cascades, a
  ///   deletion counts as a change of all entities in each store that contains the deleted entity.
  init(of mutation: PendingMutation, by stores: [TripleStore]) {
    let subjects = mutation.subjects(in: stores)
    let known = stores.map { store in subjects.map { store.facts(of: $0) } }
    let amounts = known.map { $0.reduce(0) { $0 + $1.count } }
    let best = amounts.indices.max { amounts[$0] < amounts[$1] } ?? 0
    for place in [best, stores.count - 1] where stores.indices.contains(place) {
      var store = stores[place]
      let facts = Set(known[place].joined())
      let settled = Set(facts.filter(\.isOnly).map(\.place))
      let news = known.joined().joined().filter {
        !facts.contains($0) && !settled.contains($0.place)
      }
      _ = try? store.transact(
        Transaction(mutation.presumed(in: store) + news.map(\.step)), at: mutation.created,
        rules: .optimistic)
      let changes = try? store.transact(
        mutation.transaction, at: mutation.created, rules: .optimistic)
      guard let changes else { continue }
      let existing = Set(known.joined().joined().map(\.place.entity))
      self.init(store: store, changes: changes, isKnown: mutation.demanded.isSubset(of: existing))
      return
    }
    self.init(store: stores.last ?? TripleStore(), changes: ChangeSet(), isKnown: false)
  }
}

extension PendingMutation {
  /// The entities that the mutation updates or deletes, so that the server must already have them.
  fileprivate var demanded: Set<EntityID> {
    Set(
      transaction.steps.compactMap { step -> EntityID? in
        switch step {
        case .addTriple(.id(let id), _, _, .update), .deleteEntity(.id(let id), _): id
        case .addTriple, .deepMergeTriple, .retractTriple, .deleteEntity, .ruleParameters,
          .addAttribute, .updateAttribute, .deleteAttribute, .restoreAttribute:
          nil
        }
      })
  }

  /// Returns the changed entities, and all entities that a cascade may delete.
  fileprivate func subjects(in stores: [TripleStore]) -> Set<EntityID> {
    var subjects: Set<EntityID> = []
    for step in transaction.steps {
      guard case .id(let id)? = step.entity, subjects.insert(id).inserted,
        case .deleteEntity = step
      else { continue }
      for store in stores where store.handle(of: id) != nil {
        for entity in store.allEntities { subjects.insert(store.id(of: entity)) }
      }
    }
    return subjects
  }

  /// Returns steps that add the `id` of each entity that the mutation updates.
  ///
  /// The answer to a query may contain attributes of an entity without its `id`.
  fileprivate func presumed(in store: TripleStore) -> [TransactionStep] {
    transaction.steps.compactMap { step in
      guard case .addTriple(.id(let id), let attribute, _, .update) = step,
        let namespace = store.schema.attribute(attribute)?.namespace,
        let identity = store.schema.identity(of: namespace)
      else { return nil }
      return .addTriple(.id(id), identity.id, .text(id.text))
    }
  }
}

/// One value of an attribute of an entity.
private struct Fact: Hashable {
  struct Place: Hashable {
    let entity: EntityID
    let attribute: AttributeID
  }

  let place: Place
  let value: Value
  /// Whether the attribute has cardinality one.
  let isOnly: Bool

  var step: TransactionStep { .addTriple(.id(place.entity), place.attribute, value) }
}

extension TripleStore {
  /// Returns all known values of an entity.
  fileprivate func facts(of id: EntityID) -> [Fact] {
    guard let entity = handle(of: id) else { return [] }
    return schema.attributes.flatMap { attribute in
      values(entity, attribute.id).map {
        Fact(
          place: Fact.Place(entity: id, attribute: attribute.id), value: $0,
          isOnly: attribute.cardinality == .one)
      }
    }
  }
}
