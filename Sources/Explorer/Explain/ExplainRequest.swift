package import InstaQL
import TerminalUI
import Triples

/// A request to explain how a query is evaluated and whether an entity matches it.
package struct ExplainRequest: Sendable, Equatable {
  let plan: QueryPlan
  /// The snapshot in which the query is evaluated. For a partial store, it contains only the entity,
  /// once the answer to `dataQuery` has arrived.
  var snapshot: StoreSnapshot
  let entity: EntityID?
  /// For a partial store, whether the loaded rows contain the entity; nil for a complete store.
  var isShown: Bool?
  /// How the database evaluates the query; nil if that is not known.
  var evaluation: [String]?
  /// The lines to show first: the path by which the user reached an entity that is not a row.
  let way: [TextLine]
  /// The program that evaluates the query if the store is partial: a server or a database.
  var executor = Executor.server
  /// The time that the query on the screen took; nil if it is unknown.
  var elapsed: Duration?

  /// The query for the statements of a database and their query plans; nil for another store.
  package var databaseQuery: QueryDocument? {
    isShown != nil && executor == .database ? QueryDocument(plan) : nil
  }

  /// The query for the entity and for all data that the conditions test; nil without an entity.
  var dataQuery: QueryPlan? {
    guard let entity else { return nil }
    let schema = snapshot.store.schema
    var query = QueryPlan(plan.namespace)
      .filter(schema.condition(matching: entity, in: plan.namespace))
    plan.condition?.forEachPath { query = query.following($0.labels.dropLast()) }
    return query
  }

  /// The kind of program that evaluates the queries of a partial store.
  enum Executor: String, Sendable {
    case server, database
  }
}
