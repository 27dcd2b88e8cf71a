package import InstaQL
package import LiveQueries
import Triples

extension StoreDataSource {
  /// Returns a sentence about strings that a query sorts in another order than in other stores; nil
  /// if there are none.
  ///
  /// - Parameter document: The query; nil for any query of the store.
  package func textOrderRemark(for document: QueryDocument?) async -> String? {
    await (self as? any DatabaseStore)?.remark(onOrderOf: document)
  }
}

extension DatabaseStore {
  fileprivate func remark(onOrderOf document: QueryDocument?) async -> String? {
    guard let document else { return shape.textOrderRemark }
    // If the mapping cannot be read, the query fails with the reason.
    return try? await shape(for: document.plans).textOrderRemark(for: document)
  }
}

extension SchemaMapping {
  /// A sentence about all strings that the database sorts in another order than other stores; nil if
  /// there are none.
  fileprivate var textOrderRemark: String? {
    textOrderRemark(on: names.namespaces.flatMap { $0.values.map(\.attribute) })
  }

  /// Returns a sentence about the strings that the database sorts for a query in another order than
  /// other stores; nil if there are none.
  fileprivate func textOrderRemark(for document: QueryDocument) -> String? {
    textOrderRemark(on: document.plans.flatMap { sortedAttributes(of: $0, in: $0.namespace) })
  }

  private func textOrderRemark(on attributes: [Attribute]) -> String? {
    let texts = attributes.filter(hasOwnOrder)
    if texts.isEmpty { return nil }
    let beginning = "Unlike other stores, the database sorts strings"
    if let ownOrderReason { return "\(beginning) by its own collation, because \(ownOrderReason)." }
    guard sql.isTyped else {
      let columns = Self.list(texts.map { "\($0.namespace).\($0.label)" })
      return "\(beginning) of large tables by the collation of their indexes: \(columns)."
    }
    let tables = Self.list(texts.map(\.namespace))
    // The tables of an Instant server belong to that server.
    if sql.creation != nil {
      return "\(beginning) of large namespaces by its own collation: \(tables)."
    }
    return "\(beginning) of large tables by its own collation: \(tables). To sort them as in other "
      + "stores, add an index with COLLATE \"\(PostgresCatalog.unicodeCollation)\"."
  }

  /// Returns whether the database sorts the strings of an attribute in another order than other
  /// stores.
  private func hasOwnOrder(_ attribute: Attribute) -> Bool {
    guard sql.isTyped else { return sql.collations[attribute.id] != nil }
    guard attribute.checkedType == .string, let type = sql.types[attribute.id] else { return false }
    // The digits of UUIDs have the same order in every collation.
    return type.textOrder == .byDatabase && type.form != .uuid
  }

  /// Returns the attributes that the database compares for a plan: those that it sorts by, and those
  /// whose smallest or largest value it finds.
  private func sortedAttributes(
    of plan: QueryPlan, in namespace: String, isNested: Bool = false
  ) -> [Attribute] {
    let aggregates = plan.aggregates + plan.hiddenAggregates
    var paths = aggregates.filter { [.min, .max].contains($0.function) }.compactMap(\.path)
    // Groups, distinct rows, and linked rows without a limit are sorted in memory.
    if !plan.isSummary, !plan.isCount, !isNested || plan.page.limit != nil {
      paths += plan.order.map(\.path)
    }
    let nested = plan.relations.flatMap { relation in
      schema.link(namespace, relation.label).map {
        sortedAttributes(of: relation.plan, in: $0.target, isNested: true)
      } ?? []
    }
    return paths.compactMap { attribute(at: $0, from: namespace) } + nested
  }

  private func attribute(at path: AttributePath, from namespace: String) -> Attribute? {
    schema.namespace(from: namespace, along: path.links)
      .flatMap { schema.attribute($0, path.label) }
  }

  /// Returns the first of the different names, separated by commas.
  private static func list(_ names: [String]) -> String {
    var seen: Set<String> = []
    let different = names.filter { seen.insert($0).inserted }
    return different.prefix(10).joined(separator: ", ") + (different.count > 10 ? ", …" : "")
  }
}
