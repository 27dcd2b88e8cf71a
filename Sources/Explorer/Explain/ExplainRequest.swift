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
  /// The lines to show first: the path by which the user reached an entity that is not a row.
  let way: [TextLine]
  /// The program that evaluates the query if the store is partial: a server or a database.
  var executor = Executor.server
  /// The time that the query on the screen took; nil if it is unknown.
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

  /// The kind of program that evaluates the queries of a partial store.
  enum Executor: String, Sendable {
    case server, database
  }
}
