extension QueryPlan {
  /// The paths to the fields of each link that `fields` can include without `with`. These are the
  /// links that `fields` names, and whose plans only name fields.
  var fieldPaths: [String: [AttributePath]] {
    var paths: [String: [AttributePath]] = [:]
    for case .relation(let relation) in namedColumns where relation.plan.hasOnlyFieldPaths {
      paths[relation.label] = relation.plan.leafPaths.map {
        AttributePath([relation.label] + $0.labels)
      }
    }
    return paths
  }

  /// Whether the plan consists only of named fields and of links with named fields.
  private var hasOnlyFieldPaths: Bool {
    guard let fields, !fields.isEmpty, fields.count == namedColumns.count,
      unnamedRelations.isEmpty
    else { return false }
    var plain = QueryPlan(namespace, fields: fields)
    for relation in relations { plain.setRelation(relation.label, relation.plan) }
    return self == plain
      && namedColumns.allSatisfy {
        switch $0 {
        case .all, .computed: false
        // A path that ends with 'count' is the number of linked entities.
        case .attribute(let name): name.lowercased() != "count" && !name.contains(".")
        case .relation(let relation): relation.plan.hasOnlyFieldPaths
        }
      }
  }

  private var leafPaths: [AttributePath] {
    namedColumns.flatMap { column -> [AttributePath] in
      switch column {
      case .all, .computed: []
      case .attribute(let name): [AttributePath([name])]
      case .relation(let relation):
        relation.plan.leafPaths.map { AttributePath([relation.label] + $0.labels) }
      }
    }
  }
}
