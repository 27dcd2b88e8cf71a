import InstaQL
import Triples

/// The tables, columns and links in earlier catalogs of a database.
///
/// A query of one that no longer exists would seem to find nothing.
struct EarlierNames {
  /// The labels of the columns and links, keyed by namespace; none for partitions. Empty until the
  /// catalog is read again.
  private var labels: [String: Set<String>] = [:]

  mutating func add(_ shape: SchemaMapping) {
    for namespace in shape.names.namespaces.map(\.table.name) {
      let known =
        shape.schema.attributes(of: namespace).map(\.label)
        + shape.schema.links(of: namespace).map(\.label)
      labels[namespace, default: []].formUnion(known)
    }
    for partition in shape.schema.partitions.keys where labels[partition] == nil {
      labels[partition] = []
    }
  }

  /// Returns the first table or column that a plan reads and that no longer exists, such as `the
  /// column item.name`; nil if there is none.
  func missing(in plan: QueryPlan, _ shape: SchemaMapping) -> String? {
    missing(in: plan, of: plan.namespace, shape)
  }

  private func missing(
    in plan: QueryPlan, of namespace: String, _ shape: SchemaMapping
  ) -> String? {
    guard let known = labels[namespace] else { return nil }
    guard shape.schema.namespace(queriedAs: namespace) != nil else {
      return "the table \(namespace)"
    }
    var paths = plan.readPaths + (plan.fields ?? []).map { AttributePath([$0]) }
    plan.condition?.forEachPath { paths.append($0) }
    for path in paths {
      if let name = missing(along: path, from: namespace, shape.schema) { return name }
    }
    for relation in plan.relations {
      if let link = shape.schema.link(namespace, relation.label) {
        if let name = missing(in: relation.plan, of: link.target, shape) { return name }
      } else if known.contains(relation.label) {
        return "the link \(namespace).\(relation.label)"
      }
    }
    return nil
  }

  private func missing(
    along path: AttributePath, from namespace: String, _ schema: Schema
  ) -> String? {
    var namespace = namespace
    for label in path.labels {
      if let link = schema.link(namespace, label) {
        namespace = link.target
      } else if schema.attribute(namespace, label) != nil {
        return nil
      } else {
        let isKnown = labels[namespace]?.contains(label) == true
        return isKnown ? "the column \(namespace).\(label)" : nil
      }
    }
    return nil
  }
}
