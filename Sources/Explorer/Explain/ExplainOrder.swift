import InstaQL
import Triples

/// A question how a query is answered, and perhaps why one entity is among its rows or is not.
package struct ExplainOrder: Sendable, Equatable {
  let plan: QueryPlan
  /// Of a store elsewhere it holds the entity alone.
  let snapshot: StoreSnapshot
  let entity: EntityID?
  /// Of a store elsewhere, whether the entity is among the rows that came; nil where all is known.
  let isShown: Bool?
  /// How one came to what is no row of the query: told before the rest.
  let way: [TextLine]
  /// Who answers for a store elsewhere.
  var keeper = Keeper.server

  /// The answer, in lines.
  /// - Complexity: O(matches of the query).
  package var lines: [TextLine] {
    way + Explained.lines(plan, entity, in: snapshot, isShown: isShown, by: keeper)
  }

  /// Who answers the queries of a store of which not all is here.
  enum Keeper: String, Sendable {
    case server, database
  }
}
