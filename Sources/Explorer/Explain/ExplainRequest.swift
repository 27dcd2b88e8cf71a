import InstaQL
import Triples

/// A request to explain how a query is evaluated and whether an entity matches it.
package struct ExplainRequest: Sendable, Equatable {
  let plan: QueryPlan
  /// For a remote store it contains only the entity.
  let snapshot: StoreSnapshot
  let entity: EntityID?
  /// Whether the rows of a remote store contain the entity; nil if everything is known.
  let isShown: Bool?
  /// The path to an entity that is no row of the query, shown first.
  let way: [TextLine]
  /// The program that evaluates the queries of a partial store.
  var executor = Executor.server

  /// The explanation as lines.
  ///
  /// - Complexity: O(matches of the query).
  package var lines: [TextLine] {
    way + Explained.lines(plan, entity, in: snapshot, isShown: isShown, by: executor)
  }

  /// The program that evaluates the queries of a partial store.
  enum Executor: String, Sendable {
    case server, database
  }
}
