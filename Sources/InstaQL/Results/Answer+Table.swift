package import Triples

/// The columns of an answer's table, and the entities behind each row.
extension Answer {
  /// The kind of values in a table's column.
  package enum ColumnKind: Hashable, Sendable {
    /// Values of an attribute.
    case values(Attribute)
    /// Ids of linked entities in this namespace.
    case entities(namespace: String)
    /// Numbers of entities or of distinct values.
    case counts
    /// Results of functions or expressions. This also stands for an empty column with an unknown
    /// name.
    case numbers
  }

  /// The kind of each column of the table; empty if there is no table.
  package var columnKinds: [ColumnKind] {
    guard let summary = prepared.summary else { return [] }
    return summary.groups.map { $0.source.kind }
      + summary.shownMeasures.map { measure in
        switch measure.function {
        case .count, .countDistinct: .counts
        case .sum, .average, .median: .numbers
        case .min, .max: measure.source?.kind ?? .numbers
        }
      }
  }

  /// Returns the attribute whose average or median a column of the table shows; nil for any other
  /// column.
  package func averagedAttribute(ofColumn place: Int) -> Attribute? {
    guard let summary = prepared.summary else { return nil }
    let measure = place - summary.groups.count
    guard summary.shownMeasures.indices.contains(measure) else { return nil }
    switch summary.measures[measure].function {
    case .average, .median: break
    case .count, .countDistinct, .sum, .min, .max: return nil
    }
    guard case .attribute(let attribute)? = summary.measures[measure].source?.end else {
      return nil
    }
    return attribute
  }

  /// Returns a plan for the entities that a table row summarizes. Nil if there is no table, or if a
  /// group's value is a list or an object, which no condition can select.
  package func members(ofRow row: Int) -> QueryPlan? {
    guard let table, let summary = prepared.summary, table.rows.indices.contains(row) else {
      return nil
    }
    if summary.isTotal { return plan.removing(.summary) }
    var members = plan.removing(.summary, .order, .page, .fields, .count)
    for (place, (group, value)) in zip(summary.groups, table.rows[row]).enumerated() {
      // If the name is unknown, all entities are in one group.
      if case .nowhere = group.source.end { continue }
      guard let condition = group.condition(path(ofGroup: place, group.name), value, store.schema)
      else {
        return nil
      }
      members = members.filter(condition)
    }
    return members
  }

  /// Returns the group that a table row summarizes; nil if there is no such row.
  package func group(ofRow row: Int) -> AnswerGroup? {
    guard let table, let summary = prepared.summary, table.rows.indices.contains(row) else {
      return nil
    }
    let count = summary.groups.count
    return AnswerGroup(
      names: Array(table.columns.prefix(count)), values: Array(table.rows[row].prefix(count)))
  }

  /// Returns the table row of a group; nil if the table has no such group.
  package func row(of group: AnswerGroup) -> Int? {
    guard let table, self.group(ofRow: 0)?.names == group.names else { return nil }
    return table.rows.firstIndex { $0.prefix(group.values.count).elementsEqual(group.values) }
  }

  /// Returns the path of a group's column, to use in a condition on the entities. Nil for the column
  /// of an aggregate, and for a group with an unknown name.
  package func groupPath(ofColumn place: Int) -> AttributePath? {
    guard let groups = prepared.summary?.groups, groups.indices.contains(place) else { return nil }
    if case .nowhere = groups[place].source.end { return nil }
    return path(ofGroup: place, groups[place].name)
  }

  /// Returns the path to use in a condition that selects the entities of a group.
  private func path(ofGroup place: Int, _ name: String) -> AttributePath {
    let path =
      plan.groups.indices.contains(place)
      ? plan.groups[place] : plan.computed(name) ?? AttributePath(name)
    // If a column only names a plain path, the condition uses that path itself.
    return path.expression.map { AttributePath(computing: $0) } ?? path
  }
}

/// What identifies a group: the names and the values of the columns by which the rows are grouped.
package struct AnswerGroup: Hashable, Sendable {
  package let names: [String]
  package let values: [Value]
}

extension PreparedSummary.Source {
  fileprivate var kind: Answer.ColumnKind {
    switch end {
    case .attribute(let attribute): .values(attribute)
    case .link(let link): .entities(namespace: link.target)
    case .computed, .nowhere: .numbers
    }
  }
}

extension PreparedSummary.Group {
  /// Returns the condition that an entity belongs to the group with this value. Nil if the value is
  /// a list or an object.
  ///
  /// - Parameter path: The path of the group.
  fileprivate func condition(
    _ path: AttributePath, _ value: Value, _ schema: Schema
  ) -> ConditionNode? {
    switch value {
    case .null: return .isNull(path, true)
    case .array, .object: return nil
    case .bool, .integer, .double, .text:
      if case .link(let link) = source.end {
        let label = schema.identityLabel(of: link.target)
        return .compare(AttributePath(path.labels + [label]), .equal, value)
      }
      return .compare(path, .equal, value)
    }
  }
}
