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
  let place: Preparing.Place
  /// Whether the server has told; it is watched on until the deletion is made.
  var isAnswered = false

  init(
    _ entities: [EntityID], of namespace: String, called name: String, in schema: Schema,
    at place: Preparing.Place
  ) {
    (self.entities, self.namespace, self.name, self.place) = (entities, namespace, name, place)
    question = Self.whole(
      QueryPlan(namespace).filter(
        .isIn(AttributePath(["id"]), entities.map { .text($0.text) })),
      of: namespace, in: schema, depth: Self.mostDepth)
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

extension Model {
  /// Asks the server what would go, and then the person.
  mutating func say(_ farewell: Farewell) -> [Effect] {
    beside.farewell = farewell
    notice = Notice(text: "The server is asked what would go")
    return settleFarewell()
  }

  /// The server has told what would go.
  mutating func settleFarewell() -> [Effect] {
    guard let farewell = beside.farewell, !farewell.isAnswered else { return [] }
    if let failure = beside.failure(of: farewell.question) {
      beside.farewell = nil
      notice = Notice(text: failure.message, isError: true)
      return []
    }
    guard let snapshot = beside.snapshot(for: farewell.question) else { return [] }
    notice = nil
    guard prompt == nil, listeningPlace == farewell.place else {
      beside.farewell = nil
      notice = Notice(text: "Nothing is deleted: it is asked for where one was before")
      return []
    }
    beside.farewell?.isAnswered = true
    return prepare(
      .deletion(
        DeletionOrder(
          entities: farewell.entities, namespace: farewell.namespace, name: farewell.name,
          catalog: Catalog(snapshot: unsent?.shown(on: snapshot) ?? snapshot), alsoBy: nil)))
  }

  /// What was asked before a deletion is of no use once that is made, or given up.
  mutating func endFarewell() {
    guard beside.farewell?.isAnswered == true, tab.overlays.isEmpty, !preparing.isOn,
      underWay.entities.isEmpty
    else { return }
    beside.farewell = nil
  }
}
