public import Triples

/// The result of a plan: the matching entities in order. Values are read from the snapshot on
/// access.
///
/// ```swift
/// let answer = try QueryEngine.answer(plan, in: store)
/// for city in answer.rows { print(answer.value(city, "name")) }
/// ```
public struct Answer: Sendable {
  /// The snapshot in which the plan was evaluated.
  public let store: TripleStore
  /// The entities of the page, in order. Empty for a count.
  public let rows: [EntityHandle]
  /// The boundaries of the page; nil when the plan has neither a page nor an order.
  public let pageInfo: PageInfo?
  /// The number of all matching entities.
  public let total: Int
  package let prepared: PreparedPlan
  /// The table of a plan with groups, aggregates or distinct rows; otherwise nil. If there is a
  /// table, `total` counts its rows, and `rows` is empty.
  public let table: SummaryTable?
  /// The loaded range of rows, if the page is too long to load at once. Nil when `rows` is the
  /// whole page.
  package let window: Window?

  /// The loaded range of rows in a page that is too long to load at once.
  package struct Window: Hashable, Sendable {
    /// The number of rows in the page before the first loaded row.
    package var skipped: Int
    /// The number of rows in the whole page; nil while they are being counted.
    package var pageCount: Int?
    /// Whether `pageCount` is an estimate.
    package var isEstimate: Bool

    /// Creates the range of rows that a database returned. Nil when these rows are the whole page.
    init?(_ found: ServedAnswer.Found) {
      if found.skipped == 0, found.pageCount == found.rows.count { return nil }
      (skipped, pageCount, isEstimate) = (found.skipped, found.pageCount, found.isEstimate)
    }
  }

  init(
    store: TripleStore, rows: [EntityHandle], pageInfo: PageInfo?, total: Int,
    prepared: PreparedPlan, table: SummaryTable? = nil, window: Window? = nil
  ) {
    self.window = window
    self.store = store
    self.rows = rows
    self.pageInfo = pageInfo
    self.total = total
    self.prepared = prepared
    self.table = table
  }

  /// The answered plan.
  public var plan: QueryPlan { prepared.plan }

  /// The number of rows in the whole page or in `table`. `rows` may contain fewer.
  package var pageCount: Int {
    if let table { return table.rows.count }
    return window.map { $0.pageCount ?? total } ?? rows.count
  }

  /// The namespace of the entities.
  public var namespace: String { prepared.namespace }

  /// The number of matches if the plan requests only a count; otherwise nil.
  public var count: Int? { plan.isCount && table == nil ? total : nil }

  /// The attributes of each object: the selected attributes and `id`.
  public var fields: [Attribute] { prepared.fields }

  /// Returns the value of an entity's attribute. Nil when the value is missing, or the namespace
  /// has no such attribute.
  public func value(_ entity: EntityHandle, _ label: String) -> Value? {
    guard let attribute = store.schema.attribute(namespace, label) else { return nil }
    return store.value(entity, attribute.id)
  }

  /// The labels of the plan's relations.
  public var relations: [String] { prepared.relations.map(\.label) }

  /// Returns whether a relation is a single object, which may be missing, rather than a list.
  public func isSingular(_ relation: String) -> Bool {
    prepared.relation(relation)?.isSingular ?? false
  }

  /// Returns the linked entities of an included relation, with the filter and order of its plan.
  ///
  /// - Throws: `noRelation` when the plan does not include the relation.
  public func related(
    _ relation: String, of entity: EntityHandle
  ) throws(QueryError) -> Answer {
    guard let found = prepared.relation(relation) else {
      throw .noRelation(label: relation, namespace: namespace)
    }
    guard let link = found.link else {
      return Answer(store: store, rows: [], pageInfo: nil, total: 0, prepared: found.plan)
    }
    return try QueryEngine.answer(
      found.plan, among: RowSet(store.targets(entity, link)), in: store)
  }
}

extension Answer {
  /// Returns the answer with only these rows. The page boundaries and the total stay those of the
  /// whole answer.
  package func showing(_ rows: ArraySlice<EntityHandle>) -> Answer {
    Answer(
      store: store, rows: Array(rows), pageInfo: pageInfo, total: total, prepared: prepared,
      table: table, window: window)
  }

  /// Returns an answer without rows, but with the boundaries of the whole page. It ends a page that
  /// is written in parts.
  ///
  /// - Parameter first: The page boundaries of the first part.
  package func closing(_ first: PageInfo?) -> Answer {
    let info = pageInfo.map {
      PageInfo(
        start: first?.start, end: $0.end, hasNext: $0.hasNext,
        hasPrevious: first?.hasPrevious ?? $0.hasPrevious)
    }
    return Answer(
      store: store, rows: [], pageInfo: info, total: total, prepared: prepared, table: table)
  }

  /// Creates an answer with the rows of `other`, for a plan that differs from its plan only in the
  /// relations.
  package init(_ other: Answer, as prepared: PreparedPlan) {
    self.init(
      store: other.store, rows: other.rows, pageInfo: other.pageInfo, total: other.total,
      prepared: prepared, table: other.table, window: other.window)
  }

  /// A copy of the answer in which single-valued relations are objects instead of lists.
  package var inferringCardinality: Answer {
    let options = QueryOptions(infersCardinality: true, paging: prepared.paging)
    // The plan was prepared before, so preparing it again cannot fail.
    guard let prepared = try? QueryEngine.prepare(plan, store.schema, options: options) else {
      return self
    }
    return Answer(self, as: prepared)
  }

  /// Returns the answer with additional entities at the end, in a store that contains their data.
  package func adding(_ more: [EntityHandle], in store: TripleStore) -> Answer {
    Answer(
      store: store, rows: rows + more, pageInfo: pageInfo, total: total + more.count,
      prepared: prepared)
  }

  /// Returns an answer to the same plan with exactly these entities.
  package func choosing(_ rows: [EntityHandle]) -> Answer {
    Answer(store: store, rows: rows, pageInfo: nil, total: rows.count, prepared: prepared)
  }
}

extension Answer: Equatable {
  /// Returns whether two answers have the same plan, the same rows, and the same state of a store.
  public static func == (a: Answer, b: Answer) -> Bool {
    a.rows == b.rows && a.total == b.total && a.pageInfo == b.pageInfo && a.plan == b.plan
      && a.window == b.window
      && a.store.isIdentical(to: b.store)
  }
}
