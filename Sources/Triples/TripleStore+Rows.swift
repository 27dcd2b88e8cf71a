/// Finds sets of rows for the query engine.
extension TripleStore {
  /// Returns the entities of a namespace.
  package func rows(of namespace: String) -> RowSet {
    guard let column = memberships[namespace] else { return RowSet() }
    return columns[column].content.rows(.stored, isDate: false, within: nil)
  }

  /// Returns the entities with a value that satisfies a predicate. If `within` is not nil, only its
  /// entities are considered.
  package func rows(
    _ attribute: AttributeID, _ predicate: ValuePredicate, within: RowSet? = nil
  ) -> RowSet {
    guard let number = numbers[attribute], let description = attributes[number] else {
      return RowSet()
    }
    let column = columns[number].content
    switch column.kind {
    case .membership: return members(column, predicate, within)
    case .target, .targetList: return linked(column, predicate, within)
    case .value, .valueList:
      return column.rows(
        predicate, isDate: description.checkedType == .date, isUnique: description.isUnique,
        within: within)
    }
  }

  /// Returns an estimate of the number of entities that satisfy a predicate, without finding them.
  package func estimate(_ attribute: AttributeID, _ predicate: ValuePredicate) -> Int {
    guard let number = numbers[attribute], let description = attributes[number] else { return 0 }
    let filled = columns[number].content.filled
    let isUnique = description.isUnique || columns[number].content.kind == .membership
    switch predicate {
    case .equal: return isUnique ? min(1, filled) : filled / 32 + 1
    case .oneOf(let values):
      return isUnique ? min(values.count, filled) : min(filled, (filled / 32 + 1) * values.count)
    case .range(.some, .some): return filled / 8 + 1
    case .range: return filled / 3 + 1
    case .like, .matches: return filled / 10 + 1
    case .null: return filled / 16
    case .notEqual, .notNull, .stored: return filled
    }
  }

  /// Returns the entities that link to any of `targets`.
  package func sources(_ attribute: AttributeID, pointingTo targets: RowSet) -> RowSet {
    guard let number = numbers[attribute] else { return RowSet() }
    return columns[number].content.sources(of: targets)
  }

  /// Returns the entities that any of `sources` link to.
  package func targets(_ attribute: AttributeID, of sources: RowSet) -> RowSet {
    guard let number = numbers[attribute] else { return RowSet() }
    return columns[number].content.targets(of: sources)
  }

  /// Returns the target of each entity's link in a to-one link column, or `UInt32.max` without a
  /// link.
  package func ends(of entities: [EntityHandle], column: Int) -> [UInt32] {
    with(column) { $0.pointee.ends(of: entities) }
  }

  /// Returns the members whose id satisfies a predicate. The value of an `id` attribute is the
  /// entity's id.
  private func members(_ column: Column, _ predicate: ValuePredicate, _ within: RowSet?) -> RowSet {
    switch predicate {
    case .equal(let value): return members(column, [value], within)
    case .oneOf(let values): return members(column, values, within)
    case .null: return RowSet()
    case .stored, .notNull: return column.rows(.stored, isDate: false, within: within)
    case .notEqual, .range, .like, .matches:
      let test = CellTest(predicate.negatedIfNotEqual, isDate: false)
      let wanted = predicate.negatedIfNotEqual == predicate
      return column.rows(.stored, isDate: false, within: within)
        .filterRows { test.matches(.text(entities.content.id($0).text)) == wanted }
    }
  }

  private func members(_ column: Column, _ ids: [Value], _ within: RowSet?) -> RowSet {
    var result = RowSet()
    for row in idRows(ids) where column.isPresent(row) && within?.contains(row: row) != false {
      result.insert(row: row)
    }
    return result
  }

  /// Returns the rows with a link that satisfies a predicate on the id of its target.
  private func linked(_ column: Column, _ predicate: ValuePredicate, _ within: RowSet?) -> RowSet {
    let all = within.map { column.rows(.stored, isDate: false, within: $0) }
    switch predicate {
    case .stored, .notNull: return all ?? column.rows(.stored, isDate: false, within: nil)
    case .null: return RowSet()
    case .equal(let value): return linked(column, to: idRows([value]), within)
    case .oneOf(let values): return linked(column, to: idRows(values), within)
    case .notEqual, .range, .like, .matches:
      let test = CellTest(predicate.negatedIfNotEqual, isDate: false)
      let wanted = predicate.negatedIfNotEqual == predicate
      return (all ?? column.rows(.stored, isDate: false, within: nil)).filterRows { row in
        column.targets(row).contains {
          test.matches(.text(entities.content.id($0).text)) == wanted
        }
      }
    }
  }

  private func linked(_ column: Column, to targets: [UInt32], _ within: RowSet?) -> RowSet {
    let sources = column.sources(of: RowSet(rows: targets))
    return within.map { sources.intersection($0) } ?? sources
  }

  private func idRows(_ ids: [Value]) -> [UInt32] {
    ids.compactMap {
      guard case .text(let id) = $0 else { return nil }
      return entities.content.row(of: EntityID(id))
    }
  }
}

extension ValuePredicate {
  /// The predicate with `notEqual` replaced by `equal`, for callers that negate the result.
  fileprivate var negatedIfNotEqual: ValuePredicate {
    if case .notEqual(let value) = self { return .equal(value) }
    return self
  }
}

extension RowSet {
  func filterRows(_ isIncluded: (UInt32) -> Bool) -> RowSet {
    var result = RowSet()
    forEachRow { if isIncluded($0) { result.insert(row: $0) } }
    return result
  }
}
