import InstaQL
import TerminalUI
import Triples

/// A request to explain how a query is evaluated and whether an entity matches it.
package struct ExplainRequest: Sendable, Equatable {
  let plan: QueryPlan
  /// The snapshot in which the query is evaluated. For a remote store, it contains only the entity.
  let snapshot: StoreSnapshot
  let entity: EntityID?
  /// For a partial store, whether the loaded rows contain the entity; nil for a complete store.
  let isShown: Bool?
  /// The lines shown first: the path to an entity that is not a row of the query.
  let way: [TextLine]
  /// The program that evaluates the queries if the store is partial.
  var executor = Executor.server
  /// The time that it took to query the rows on the screen; nil if there are none.
  var elapsed: Duration?

  /// The lines of the explanation.
  ///
  /// - Complexity: O(matches of the query).
  package var lines: [TextLine] {
    way + Explained.lines(plan, entity, in: snapshot, isShown: isShown, by: executor)
      + (elapsed.map {
        [TextLine("  Loading the rows on the screen took \(NumberText.elapsed($0))", .dim)]
      } ?? [])
  }

  /// A program that evaluates the queries of a partial store.
  enum Executor: String, Sendable {
    case server, database
  }
}
