extension QueryPlan {
  /// A column that `fields` names.
  package enum Column: Hashable, Sendable {
    /// All attributes.
    case all
    /// The attribute with this label, which the namespace may not have.
    case attribute(String)
    /// The computed column with this name.
    case computed(String)
    /// The columns of an included link.
    case relation(Relation)
  }

  /// The columns in the order of `fields`, and without `fields` all attributes. Included links that
  /// `fields` does not name are not part of it.
  package var namedColumns: [Column] {
    var placed: Set<String> = []
    return (fields ?? [Self.allFields]).compactMap { name in
      if name == Self.allFields { return .all }
      if computed(name) != nil { return .computed(name) }
      if let relation = relations.first(where: { $0.label == name }) {
        // A second mention of a link has no effect.
        return placed.insert(name).inserted ? .relation(relation) : nil
      }
      return .attribute(name)
    }
  }

  /// The included links that `fields` does not name. Their columns follow the named ones.
  package var unnamedRelations: [Relation] {
    relations.filter { fields?.contains($0.label) != true || computed($0.label) != nil }
  }

  /// Whether all attributes are selected, and no single one is named.
  package var selectsAll: Bool {
    namedColumns.contains(.all)
      && namedColumns.allSatisfy {
        switch $0 {
        case .all, .relation: true
        case .attribute, .computed: false
        }
      }
  }
}
