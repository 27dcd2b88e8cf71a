import InstaQL
import LiveQueries
import Triples

/// What a server is asked before something there is deleted: all that goes with it, so that it can be
/// told, and brought back.
struct Farewell: Sendable, Equatable {
  let entities: [EntityID]
  let namespace: String
  /// What they are called, together.
  let name: String
  /// The entities whole, what they lead to, and the same of what is deleted with them.
  let question: QueryPlan
  /// Where the keys went when it was asked.
  let place: KeyPlace
  /// What is known without the server, in case that it does not tell.
  let known: Catalog
  /// Whether the server has told; it is watched on until the deletion is made.
  var isAnswered = false

  init(
    _ entities: [EntityID], of namespace: String, called name: String, in known: Catalog,
    at place: KeyPlace
  ) {
    (self.entities, self.namespace, self.name, self.place) = (entities, namespace, name, place)
    self.known = known
    question = Self.whole(
      QueryPlan(namespace).filter(
        .isIn(AttributePath(["id"]), entities.map { .text($0.text) })),
      of: namespace, in: known.schema, depth: Self.mostDepth)
  }

  /// Servers refuse to go farther than some relations at once.
  private static let mostDepth = 4

  private static func whole(
    _ plan: QueryPlan, of namespace: String, in schema: Schema, depth: Int
  ) -> QueryPlan {
    schema.links(of: namespace).reduce(plan) { plan, link in
      plan.with(link.label) { linked in
        link.deletesTargets && depth > 0
          ? whole(linked, of: link.target, in: schema, depth: depth - 1) : linked.fields(["id"])
      }
    }
  }
}

extension Link {
  /// Whether what it leads to goes when the entity does that it leads from.
  fileprivate var deletesTargets: Bool {
    (direction == .forward ? attribute.onDeleteReverse : attribute.onDelete) == .cascade
  }
}

extension Farewell {
  /// - Parameter catalog: Nil where the server does not tell what would go.
  fileprivate func order(in catalog: Catalog?) -> Preparation {
    .deletion(
      DeletionOrder(
        entities: entities, namespace: namespace, name: name, catalog: catalog ?? known,
        alsoBy: catalog == nil ? "the server" : nil))
  }
}

extension Model {
  /// Asks the server what would go, and then the person.
  mutating func say(_ farewell: Farewell) -> [Effect] {
    beside.farewell = farewell
    notice = .checkingDeletion
    return settleFarewell()
  }

  /// The server has told what would go.
  mutating func settleFarewell() -> [Effect] {
    guard let farewell = beside.farewell, !farewell.isAnswered else { return [] }
    // What is known before the server has told is no answer.
    let snapshot = beside.snapshot(for: farewell.question).flatMap { snapshot in
      snapshot.freshness.isOfServer ? snapshot : nil
    }
    let isRefused = beside.failure(of: farewell.question) != nil
    guard snapshot != nil || isRefused else { return [] }
    guard prompt == nil, keyPlace == farewell.place else {
      beside.farewell = nil
      notice = .deletionAbandoned
      return []
    }
    beside.farewell?.isAnswered = true
    return prepare(
      farewell.order(
        in: snapshot.map { Catalog(snapshot: unsent?.shown(on: $0) ?? $0) }))
  }

  /// A key was pressed while the server was asked: whatever it is for, nobody waits for that any more.
  mutating func giveUpFarewell() {
    if beside.farewell?.isAnswered == false { beside.farewell = nil }
  }

  /// What was asked before a deletion is of no use once that is made, or given up.
  mutating func endFarewell() {
    if underWay.entities.isEmpty { beside.kept = [] }
    if unsent == nil, underWay.entities.isEmpty { beside.farewells = [] }
    guard let farewell = beside.farewell, farewell.isAnswered, tab.overlays.isEmpty,
      !requests.isPending(.preparation), underWay.entities.isEmpty
    else { return }
    if let unsent, farewell.entities.contains(where: unsent.deleted.contains) {
      beside.farewells.append(farewell)
    }
    beside.farewell = nil
  }
}
