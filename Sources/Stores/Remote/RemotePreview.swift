import LiveQueries
import Triples

extension RemoteWrites {
  /// What a mutation changes by what is known here, so that it can be told and taken back.
  struct Preview {
    let store: TripleStore
    let changes: ChangeSet
    /// Whether anything is known of each entity that must be there for it.
    var isKnown = true
    /// No state before the change has this number, and every state from then on, at least.
    var number = 0

    /// Those that it changed.
    var entities: Set<EntityID> { Set(changes.changes.map { store.id(of: $0.entity) }) }
  }
}

extension RemoteWrites.Preview {
  /// Each watched query knows a part: the mutation is carried out on the store of the one that knows
  /// most of what it is about, with what only others know of that.
  ///
  /// - Parameter stores: One that knows nothing but the attributes is the last.
  /// - Complexity: O(stores × entities of the mutation × attributes); with deletions, of all entities in
  ///   the stores that know what is deleted, since they may go along.
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
      let told = Set(known.joined().joined().map(\.place.entity))
      self.init(store: store, changes: changes, isKnown: mutation.demanded.isSubset(of: told))
      return
    }
    self.init(store: stores.last ?? TripleStore(), changes: ChangeSet(), isKnown: false)
  }
}

extension PendingMutation {
  /// What has to be there for it.
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

  /// What it changes, and of deletions all that may go along.
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

  /// That what is changed is there, where its attributes came without that.
  fileprivate func presumed(in store: TripleStore) -> [TransactionStep] {
    transaction.steps.compactMap { step in
      guard case .addTriple(.id(let id), let attribute, _, .update) = step,
        let namespace = store.schema.attribute(attribute)?.namespace,
        let identity = store.schema.attribute(namespace, "id")
      else { return nil }
      return .addTriple(.id(id), identity.id, .text(id.text))
    }
  }
}

/// A value that an entity has.
private struct Fact: Hashable {
  struct Place: Hashable {
    let entity: EntityID
    let attribute: AttributeID
  }

  let place: Place
  let value: Value
  /// Whether the attribute has one value at most.
  let isOnly: Bool

  var step: TransactionStep { .addTriple(.id(place.entity), place.attribute, value) }
}

extension TripleStore {
  /// All that is known of an entity.
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
