package import Triples

/// The parts of a `SELECT` statement for rows of one table.
package struct SQLSelection: Hashable, Sendable {
  /// The `WHERE` condition, with the placeholders `?1`, `?2` and so on.
  package var condition: String
  /// The terms of `ORDER BY`. The last term is the table's key.
  package var order: String
  package var limit: Int?
  package var offset: Int?
  /// The values to bind, in the order of their placeholders' numbers.
  package var values: [Value]
}

/// A query that may consist of a single plan: a typed `EntityQuery`, or an untyped `QueryDocument`.
package protocol PlannedQuery {
  /// The plan, if the query has only one; otherwise nil.
  var onlyPlan: QueryPlan? { get }
}

extension EntityQuery: PlannedQuery {
  package var onlyPlan: QueryPlan? { plan }
}

extension QueryDocument: PlannedQuery {
  package var onlyPlan: QueryPlan? { plans.count == 1 ? plans[0] : nil }
}

extension QueryPlan {
  /// Returns the parts of a `SELECT` statement for a SQLite table whose columns are unknown.
  ///
  /// Every name in the plan stands for the column with that name, except `id`, which stands for the
  /// column `key`.
  /// - Throws: `notInSQL` for links, groups, aggregates, cursors and pages from the end; `invalid`
  ///   for an invalid page.
  package func sqlSelection(table: String, key: String) throws(QueryError) -> SQLSelection {
    try checkIsListing()
    var names = SQLNames()
    names.key = key
    names.isPlainKey = true
    var schema = Schema()
    for label in ["id"] + ownLabels {
      let attribute = Attribute(id: AttributeID(label), namespace: namespace, label: label)
      schema.set(attribute)
      names.columns[attribute.id] = label == "id" ? key : label
    }
    var writer = SQLWriter(dialect: .sqlite, schema: schema, names: names)
    let row = SQLWriter.Place(namespace, SQLWriter.quoted(table))
    let condition = try self.condition.map { node throws(QueryError) in
      try writer.condition(node, row, depth: 0)
    }
    let values = writer.values
    let order = writer.orderClause(try writer.order(of: self, row))
    return SQLSelection(
      condition: condition ?? SQLWriter.always, order: String(order.dropFirst(" ORDER BY ".count)),
      limit: page.limit ?? page.first, offset: page.offset, values: values)
  }

  /// Throws `notInSQL` if the plan selects anything but whole rows of one table.
  private func checkIsListing() throws(QueryError) {
    func refuse(_ reason: String) -> QueryError { .notInSQL(path: namespace, reason: reason) }
    if let fault = page.fault {
      throw .invalid(path: "\(namespace).$.\(fault.option)", reason: fault.reason)
    }
    if isCount || isSummary || having != nil {
      throw refuse("the data source supports only rows, not counts, groups or aggregates")
    }
    if !relations.isEmpty { throw refuse("the data source does not support links") }
    if page.after != nil || page.before != nil || page.last != nil {
      throw refuse("the data source supports only 'limit' and 'offset' for paging")
    }
    var paths = order.filter { !$0.isCreation }.map(\.path)
    condition?.forEachPath { paths.append($0) }
    if let path = paths.first(where: { !$0.isOwn }) {
      throw refuse("'\(path.dotted)' follows a link, but the data source does not support links")
    }
  }

  /// The names that the condition and the order use, without `id`.
  private var ownLabels: Set<String> {
    var labels = Set(order.filter { !$0.isCreation }.map(\.path.label))
    condition?.forEachPath { labels.insert($0.label) }
    return labels.subtracting(["id"])
  }
}
