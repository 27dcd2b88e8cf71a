package import Triples

// Finds the names that a store had earlier. A query of such a name would seem to find nothing.
extension QueryPlan {
  /// Returns the first table, column or link that the plan reads and that no longer exists, such as
  /// `column item.name`; nil if there is none.
  package func lostName(in schema: Schema) -> String? {
    schema.earlierLabels.isEmpty ? nil : lostName(of: namespace, in: schema)
  }

  private func lostName(of namespace: String, in schema: Schema) -> String? {
    guard let earlier = schema.earlierLabels[namespace] else { return nil }
    guard schema.namespace(queriedAs: namespace) != nil else { return "table \(namespace)" }
    var paths = readPaths + (fields ?? []).map { AttributePath([$0]) }
    condition?.forEachPath { paths.append($0) }
    for path in paths {
      if let name = schema.lostName(along: path, from: namespace) { return name }
    }
    for relation in relations {
      if let link = schema.link(namespace, relation.label) {
        if let name = relation.plan.lostName(of: link.target, in: schema) { return name }
      } else if earlier.contains(relation.label) {
        return "link \(namespace).\(relation.label)"
      }
    }
    return nil
  }
}

extension Schema {
  fileprivate func lostName(along path: AttributePath, from start: String) -> String? {
    let (links, namespace) = follow(path.labels, from: start)
    guard links.count < path.labels.count else { return nil }
    let label = path.labels[links.count]
    guard attribute(namespace, label) == nil,
      earlierLabels[namespace]?.contains(label) == true
    else { return nil }
    return "column \(namespace).\(label)"
  }
}
