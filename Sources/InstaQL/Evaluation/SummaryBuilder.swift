import Triples

/// Builds the table of a plan with groups, aggregates or distinct rows.
struct SummaryBuilder {
  /// The maximum number of memberships: an entity in two groups has two. If there are more, the
  /// query fails.
  private static let maxMemberships = 20_000_000

  private let summary: PreparedSummary
  private let store: TripleStore
  private var places: [[Value]: Int] = [:]
  private var rows: [(key: [Value], measures: [Accumulator])] = []
  private var memberships = 0

  init(_ summary: PreparedSummary, in store: TripleStore) {
    self.summary = summary
    self.store = store
    if summary.isTotal { _ = row(of: []) }
  }

  /// Adds an entity to each group that it belongs to.
  ///
  /// - Throws: `store` when the entities belong to too many groups.
  mutating func add(_ entity: EntityHandle) throws(QueryError) {
    var keys: [[Value]] = [[]]
    for group in summary.groups {
      let values = values(of: entity, at: group.source)
      if values.count < 2 {
        let value = values.first ?? .null
        for place in keys.indices { keys[place].append(value) }
      } else {
        memberships += keys.count * values.count
        guard memberships < Self.maxMemberships else { throw Self.tooMany }
        keys = keys.flatMap { key in values.map { key + [$0] } }
      }
    }
    for key in keys { add(entity, toRow: row(of: key)) }
  }

  private static let tooMany = QueryError.store(
    "There are too many groups. Group by fewer links, or filter first.")

  private mutating func add(_ entity: EntityHandle, toRow row: Int) {
    for (place, measure) in summary.measures.enumerated() {
      guard let source = measure.source else {
        rows[row].measures[place].addEntity()
        continue
      }
      let type = source.type
      for value in values(of: entity, at: source) {
        rows[row].measures[place].add(value, measure.function, type)
      }
    }
  }

  /// Returns the index of the group with this key; adds the group if it is new.
  ///
  /// Keys such as 1 and 1.0 are equal. The table shows the key that was added first.
  private mutating func row(of key: [Value]) -> Int {
    let plain = zip(key, summary.groups).map { $0.comparable(as: $1.source.type) }
    if let place = places[plain] { return place }
    places[plain] = rows.count
    rows.append((key, summary.measures.map { _ in Accumulator() }))
    return rows.count - 1
  }

  /// Returns the non-null values of an entity at a path. If several links lead to the same entity,
  /// its value is read once.
  private func values(of entity: EntityHandle, at source: PreparedSummary.Source) -> [Value] {
    var ends = [entity]
    for link in source.links {
      ends = ends.count == 1 ? store.targets(ends[0], link) : distinct(ends, link)
    }
    switch source.end {
    case .nowhere: return []
    case .computed(let expression):
      let value = expression.value(of: entity, in: store)
      return value == .null ? [] : [value]
    case .attribute(let attribute):
      return ends.compactMap { store.value($0, attribute.id) }.filter { $0 != .null }
    case .link(let link):
      return distinct(ends, link).map { .text(store.id(of: $0).text) }
    }
  }

  private func distinct(_ entities: [EntityHandle], _ link: Link) -> [EntityHandle] {
    RowSet(entities.flatMap { store.targets($0, link) }).handles
  }

  // MARK: The table

  /// Returns the table with the rows of the page, and the number of rows of all pages.
  func table(_ page: Page) -> (table: SummaryTable, total: Int) {
    let all = summary.sortedMatches(
      rows.map { row in
        row.key + zip(row.measures, summary.measures).map { $0.result($1.function) }
      })
    let kept = summary.isTotal ? all : Self.cut(all, page)
    return (SummaryTable(columns: summary.columns, rows: summary.shown(kept)), all.count)
  }

  static func cut(_ rows: [[Value]], _ page: Page) -> [[Value]] {
    let skipped = page.offset ?? 0
    if let last = page.last { return Array(rows.dropLast(skipped).suffix(last)) }
    return Array(rows.dropFirst(skipped).prefix(page.limit ?? page.first ?? .max))
  }
}

extension PreparedSummary {
  /// Returns the rows that satisfy `having`, sorted.
  func sortedMatches(_ rows: [[Value]]) -> [[Value]] {
    sorted(having.map { having in rows.filter(having.holds) } ?? rows)
  }

  /// Sorts rows by the plan's sort keys, then by the values of their groups. Each row contains
  /// first its group values, then its aggregates.
  private func sorted(_ rows: [[Value]]) -> [[Value]] {
    if isDistinct || isTotal { return rows }
    let types = groups.map(\.source.type)
    let own = types.indices.map { (column: $0, isDescending: false) }
    let order = order + own
    let keyed = rows.map { row in
      (row: row, keys: order.map { key(row[$0.column], column: $0.column, types) })
    }
    return keyed.sorted { a, b in
      for (place, part) in order.enumerated() {
        let isCollated =
          part.column < types.count && types[part.column] == .string
        let found = a.keys[place].compare(b.keys[place], collated: isCollated)
        if found != 0 { return part.isDescending ? found > 0 : found < 0 }
      }
      return false
    }.map(\.row)
  }

  private func key(_ value: Value, column: Int, _ types: [CheckedType?]) -> SortValue {
    if column < types.count {
      let type = types[column]
      return SortValue(
        value, type == .date ? .instants : type == .string ? .collated : .codeUnits)
    }
    let type = measures[column - types.count].source?.type
    return SortValue(value, type == .date ? .instants : .codeUnits)
  }
}

extension PreparedSummary.Source {
  /// The type of the values, if it is known.
  var type: CheckedType? {
    switch end {
    case .attribute(let attribute): attribute.checkedType
    case .computed(let expression): expression.type
    case .link, .nowhere: nil
    }
  }
}

extension Value {
  /// Returns the canonical form of the value: equal values have the same form. For 1.0 it is 1, for
  /// a date its milliseconds.
  func comparable(as type: CheckedType?) -> Value {
    if type == .date, let instant = Instant(queryValue: self) {
      return .integer(instant.milliseconds)
    }
    if case .double(let number) = self, let whole = Int64(exactly: number) {
      return .integer(whole)
    }
    return self
  }
}
