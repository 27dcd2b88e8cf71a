import Triples

/// The position and sort values of a known row, at which keyset pagination begins or ends.
package struct SQLAnchor: Hashable, Sendable {
  /// The number of rows before this row.
  package var position: Int
  /// This row's sort values, as texts; nil for NULL.
  package var values: [String?]
  /// Whether the row itself is read, too.
  package var isIncluded: Bool

  package init(position: Int, values: [String?], isIncluded: Bool = false) {
    self.position = position
    self.values = values
    self.isIncluded = isIncluded
  }
}

// Pages in an order that an index provides. PostgreSQL's indexes place NULLs last, but the query
// language places them first. So the rows are read in two halves, those with a value and those
// without, each in the order of the index.
extension SQLWriter {
  private enum Half { case nulls, values, both }

  /// Returns a PostgreSQL statement for the rows of a window. In addition to `columns`, it selects
  /// the sort values as texts.
  mutating func typedRows(
    of plan: QueryPlan, _ window: SQLWindow, _ columns: (String) -> [String],
    after anchor: SQLAnchor?, before end: SQLAnchor?
  ) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    let parts = try order(of: plan, row).map { part in
      var part = part
      part.isDescending = part.isDescending != window.isReversed
      return part
    }
    // A statement in two halves also selects the place in its half.
    let anchor = anchor.flatMap { $0.values.count >= parts.count ? $0 : nil }
    let skipped = window.skipped - (anchor.map { $0.position + 1 } ?? 0)
    let count = window.count ?? dialect.maxRows ?? .max
    func select(_ parts: [OrderPart]) -> String {
      let selected = columns(row.alias) + parts.map { "(\($0.text))::text" }
      return "SELECT \(selected.joined(separator: ", ")) "
        + "FROM \(table(plan.namespace, row.alias))"
    }
    guard let first = parts.first, first.isNullable, first.column != nil || first.cell != nil,
      names.large.contains(plan.namespace)
    else {
      let condition = Self.both(
        anchor.map { after($0, parts, .both) }, end.map { before($0, parts, .both) })
      return select(parts) + whereClause(Self.both(filter, condition)) + orderClause(parts)
        + " LIMIT " + bind(number: count) + offset(skipped)
    }
    let (total, overflows) = count.addingReportingOverflow(skipped)
    let halves: [Half] = first.isDescending ? [.values, .nulls] : [.nulls, .values]
    var texts: [String] = []
    for (number, half) in halves.enumerated() {
      let startsInValues = anchor.map { $0.values[0] != nil }
      // The anchor is in the other half, so all rows of this half come before it.
      if number == 0, let startsInValues, startsInValues != (half == .values) { continue }
      let isHere = startsInValues == (half == .values)
      let (joined, isInHalf, sorted) = try rows(of: half, parts, row)
      let place = Self.both(
        isHere ? anchor.map { after($0, sorted, half) } : nil,
        end.flatMap { before($0, sorted, half, isFirst: number == 0) })
      let limit = bind(number: overflows ? .max : total)
      // The second half is read only if the first half does not have enough rows.
      let isNeeded = texts.isEmpty ? nil : "(SELECT count(*) FROM sonde_first) < \(limit)"
      let condition = Self.both(Self.both(filter, isInHalf), Self.both(place, isNeeded))
      texts.append(
        "SELECT q.*, \(number) AS sonde_half, row_number() OVER () AS sonde_place FROM ("
          + select(sorted) + joined + whereClause(condition)
          + orderClause(half == .nulls ? Array(sorted.dropFirst()) : sorted)
          + " LIMIT " + limit + ") AS q")
    }
    let both = texts.count > 1
    return (both ? "WITH sonde_first AS MATERIALIZED (\(texts[0])) " : "") + "SELECT u.* FROM ("
      + (both ? "SELECT * FROM sonde_first UNION ALL " : "") + "\(texts[texts.count - 1])) AS u"
      + " ORDER BY u.sonde_half, u.sonde_place LIMIT " + bind(number: count) + offset(skipped)
  }

  /// Returns the parts of a statement for one half of the rows: those with a value of the first
  /// sort key, or those without.
  private mutating func rows(
    of half: Half, _ parts: [OrderPart], _ row: Place
  ) throws(QueryError) -> (join: String, condition: String, parts: [OrderPart]) {
    var parts = parts
    let isNull = half == .nulls
    guard let attribute = parts[0].cell, let table = names.cells[attribute.id] else {
      parts[0].isNullable = false
      return ("", "\(parts[0].column ?? parts[0].text) IS \(isNull ? "" : "NOT ")NULL", parts)
    }
    let (from, joined, value) = cell(table, row)
    let texts = try typedOrder(value, attribute).map(\.text)
    guard half == .values else {
      return (
        "", "NOT EXISTS (SELECT 1 FROM \(from) WHERE \(joined) AND \(texts[0]) IS NOT NULL)", parts
      )
    }
    for (place, text) in texts.enumerated() { parts[place].text = text }
    return (" JOIN \(from) ON \(joined)", "\(texts[0]) IS NOT NULL", parts)
  }

  private mutating func offset(_ skipped: Int) -> String {
    skipped > 0 ? " OFFSET " + bind(number: skipped) : ""
  }

  private static func both(_ one: String?, _ other: String?) -> String? {
    guard let one, let other else { return one ?? other }
    return "(\(one)) AND (\(other))"
  }

  /// Returns the condition that a row of a half comes before the row that has these sort values; nil
  /// if all of its rows do.
  ///
  /// - Parameter isFirst: Whether all rows of the half come before those of the other half.
  private mutating func before(
    _ end: SQLAnchor, _ parts: [OrderPart], _ half: Half, isFirst: Bool
  ) -> String? {
    guard (end.values[0] == nil) == (half == .nulls) else { return isFirst ? nil : Self.never }
    return before(end, parts, half)
  }

  /// Returns the condition that a row comes before the row that has these sort values.
  private mutating func before(
    _ end: SQLAnchor, _ parts: [OrderPart], _ half: Half
  ) -> String {
    let reversed = parts.map { part in
      var part = part
      part.isDescending.toggle()
      return part
    }
    return after(end, reversed, half)
  }

  /// Returns the condition that a row comes after the row that has these sort values.
  ///
  /// - Parameter half: Which rows are read: those whose first sort value is NULL, those whose first
  ///   sort value is not NULL, or both.
  private mutating func after(
    _ anchor: SQLAnchor, _ parts: [OrderPart], _ half: Half
  ) -> String {
    var (values, parts) = (anchor.values[...], parts[...])
    if half == .nulls { (values, parts) = (values.dropFirst(), parts.dropFirst()) }
    let bound = zip(parts, values).map { part, value in
      value.map { "\(bind(.text($0)))::\(part.type)" }
    }
    let isPlain = zip(parts, bound).allSatisfy { part, value in
      value != nil && (!part.isNullable || half == .values && part.text == parts.first?.text)
    }
    let directions = Set(parts.map(\.isDescending))
    if isPlain, directions.count == 1, let isDescending = directions.first {
      let columns = parts.map(\.text).joined(separator: ", ")
      let row = bound.compactMap { $0 }.joined(separator: ", ")
      let comparison = (isDescending ? "<" : ">") + (anchor.isIncluded ? "=" : "")
      return "(\(columns)) \(comparison) (\(row))"
    }
    var choices: [String] = []
    var equal: [String] = []
    for (part, value) in zip(parts, bound) {
      let further: String? =
        if let value {
          part.isDescending
            ? part.isNullable
              ? "(\(part.text) < \(value) OR \(part.text) IS NULL)" : "\(part.text) < \(value)"
            : "\(part.text) > \(value)"
        } else {
          part.isDescending ? nil : "\(part.text) IS NOT NULL"
        }
      if let further { choices.append((equal + [further]).joined(separator: " AND ")) }
      equal.append(value.map { "\(part.text) = \($0)" } ?? "\(part.text) IS NULL")
    }
    if anchor.isIncluded { choices.append(equal.joined(separator: " AND ")) }
    let any = choices.isEmpty ? Self.never : "(" + choices.joined(separator: ") OR (") + ")"
    // A separate condition on the first column lets PostgreSQL start within the index.
    guard let first = parts.first, let value = bound.first ?? nil,
      half == .values || !(first.isNullable && first.isDescending)
    else { return any }
    return "\(first.text) \(first.isDescending ? "<=" : ">=") \(value) AND (\(any))"
  }

  /// Returns a statement that counts the matching rows, and stops counting at `maxCount`.
  mutating func cappedCount(of plan: QueryPlan, maxCount: Int) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    return "SELECT count(*) FROM (SELECT 1 FROM " + table(plan.namespace, row.alias)
      + whereClause(filter) + " LIMIT " + bind(number: maxCount) + ") AS t"
  }

  /// Returns a statement for the position of the next row after `start` that satisfies `condition`.
  /// After the last row, the search continues with the first.
  mutating func placeOfMatch(
    _ plan: QueryPlan, matching condition: ConditionNode?, after start: Int, isReversed: Bool
  ) throws(QueryError) -> String {
    let (row, filter) = try matching(plan)
    let order = orderClause(try order(of: plan, row))
    let hit = try condition.map { node throws(QueryError) in try self.condition(node, row, depth: 0)
    }
    let place = bind(number: start + 1)
    return "SELECT place - 1 FROM (SELECT row_number() OVER (\(order.dropFirst())) AS place, "
      + "\(hit ?? Self.always) AS hit FROM \(table(plan.namespace, row.alias))"
      + whereClause(filter)
      + ") AS q WHERE hit ORDER BY place \(isReversed ? "<" : ">") \(place) DESC, "
      + "place \(isReversed ? "DESC" : "ASC") LIMIT 1"
  }
}
