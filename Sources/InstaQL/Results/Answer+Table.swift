package import Triples

/// What stands behind the table of a plan with groups, aggregates or distinct rows.
extension Answer {
  /// What the values of a column are.
  package enum ColumnKind: Hashable, Sendable {
    /// Values of an attribute.
    case values(Attribute)
    /// Ids of the entities at the end of a link.
    case entities(namespace: String)
    /// What was counted or added up, or nothing where the store knows no such name.
    case numbers
  }

  /// One for each column of the table; empty when there is none.
  package var columnKinds: [ColumnKind] {
    guard let summary = prepared.summary else { return [] }
    return summary.groups.map { $0.source.kind }
      + summary.measures.map { measure in
        switch measure.function {
        case .count, .countDistinct, .sum, .average, .median: .numbers
        case .min, .max: measure.source?.kind ?? .numbers
        }
      }
  }

  /// The plan whose entities a row of the table stands for; nil when there is no table, or when a group
  /// has a value in common that no filter can name.
  package func members(ofRow row: Int) -> QueryPlan? {
    guard let table, let summary = prepared.summary, table.rows.indices.contains(row) else {
      return nil
    }
    if summary.isTotal { return plan.removing(.summary) }
    var members = plan.removing(.summary, .order, .page, .fields, .count)
    for (group, value) in zip(summary.groups, table.rows[row]) {
      // A name that the store does not know puts all entities into one group.
      if case .nowhere = group.source.end { continue }
      guard let condition = group.condition(value) else { return nil }
      members = members.filter(condition)
    }
    return members
  }
}

extension PreparedSummary.Source {
  fileprivate var kind: Answer.ColumnKind {
    switch end {
    case .attribute(let attribute): .values(attribute)
    case .link(let link): .entities(namespace: link.target)
    case .nowhere: .numbers
    }
  }
}

extension PreparedSummary.Group {
  /// That an entity belongs to the group of this value.
  fileprivate func condition(_ value: Value) -> ConditionNode? {
    let path = AttributePath(name)
    switch value {
    case .null: return .isNull(path, true)
    case .array, .object: return nil
    case .bool, .integer, .double, .text:
      if case .link = source.end {
        return .compare(AttributePath(path.labels + ["id"]), .equal, value)
      }
      return .compare(path, .equal, value)
    }
  }
}
