public import Triples

/// What a plan evaluates to: which entities, in which order. Their values are read from the snapshot
/// when somebody looks.
///
/// ```swift
/// let answer = try QueryEngine.answer(plan, in: store)
/// for city in answer.rows { print(answer.value(city, "name")) }
/// ```
public struct Answer: Sendable {
  /// The store as of the moment that was asked about.
  public let store: TripleStore
  /// The entities of the page, in order. Empty when only their number was asked for.
  public let rows: [EntityHandle]
  /// Where the page lies; nil when the plan says neither page nor order.
  public let pageInfo: PageInfo?
  /// How many entities match, the whole of which the page is a part.
  public let total: Int
  package let prepared: PreparedPlan
  /// The values that a plan with groups, aggregates or distinct rows asks for; `total` then counts all
  /// its rows, and there are no entities.
  public let table: SummaryTable?
  /// Which stretch of its page the rows are; nil when they are all of it.
  package let stretch: Stretch?

  /// A stretch of a page that is too long to be had at once.
  package struct Stretch: Hashable, Sendable {
    /// How many rows of the page stand before the first one here.
    package var skipped: Int
    /// How many rows the page has; nil while they are being counted.
    package var pageCount: Int?
    /// Whether that number is an estimate.
    package var isEstimate: Bool

    /// Nil when the rows found are the whole page.
    init?(_ found: ServedAnswer.Found) {
      if found.skipped == 0, found.pageCount == found.rows.count { return nil }
      (skipped, pageCount, isEstimate) = (found.skipped, found.pageCount, found.isEstimate)
    }
  }

  init(
    store: TripleStore, rows: [EntityHandle], pageInfo: PageInfo?, total: Int,
    prepared: PreparedPlan, table: SummaryTable? = nil, stretch: Stretch? = nil
  ) {
    self.stretch = stretch
    self.store = store
    self.rows = rows
    self.pageInfo = pageInfo
    self.total = total
    self.prepared = prepared
    self.table = table
  }

  public var plan: QueryPlan { prepared.plan }

  /// How many rows the page has, of which `rows` may be a stretch.
  package var pageCount: Int { stretch.map { $0.pageCount ?? total } ?? rows.count }

  /// The namespace of the entities.
  public var namespace: String { prepared.namespace }

  /// How many match, when the plan asks for no more than that.
  public var count: Int? { plan.isCount && table == nil ? total : nil }

  /// The attributes of each object: those asked for, `id` among them.
  public var fields: [Attribute] { prepared.fields }

  /// The value under a label of the entity: nil when missing or no attribute of this namespace.
  public func value(_ entity: EntityHandle, _ label: String) -> Value? {
    guard let attribute = store.schema.attribute(namespace, label) else { return nil }
    return store.value(entity, attribute.id)
  }

  /// The labels of the relations that the plan follows.
  public var relations: [String] { prepared.relations.map(\.label) }

  /// Whether a relation gives one object or none, rather than a list.
  public func isSingular(_ relation: String) -> Bool {
    prepared.relation(relation)?.isSingular ?? false
  }

  /// The entities that a relation of the plan leads to, filtered and ordered as its plan says.
  ///
  /// - Throws: `noRelation` when the plan does not follow it.
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
  /// The same answer with only some of its rows; what it says of the page and the whole stays.
  package func showing(_ rows: ArraySlice<EntityHandle>) -> Answer {
    Answer(
      store: store, rows: Array(rows), pageInfo: pageInfo, total: total, prepared: prepared,
      table: table, stretch: stretch)
  }

  /// The end of a page that is written in parts: none of its rows, and where all of it begins and ends.
  ///
  /// - Parameter first: What the answer of the first part says of its page.
  package func closing(_ first: PageInfo?) -> Answer {
    let info = pageInfo.map {
      PageInfo(
        start: first?.start, end: $0.end, hasNext: $0.hasNext,
        hasPrevious: first?.hasPrevious ?? $0.hasPrevious)
    }
    return Answer(
      store: store, rows: [], pageInfo: info, total: total, prepared: prepared, table: table)
  }

  /// The same rows as an answer to a plan that asks for less beside them.
  package init(_ other: Answer, as prepared: PreparedPlan) {
    self.init(
      store: other.store, rows: other.rows, pageInfo: other.pageInfo, total: other.total,
      prepared: prepared, table: other.table, stretch: other.stretch)
  }

  /// The same answer, in which a relation to at most one gives that object itself, or nothing, instead
  /// of a list.
  package var inferringCardinality: Answer {
    let options = QueryOptions(infersCardinality: true, paging: prepared.paging)
    // What was prepared once can be prepared again.
    guard let prepared = try? QueryEngine.prepare(plan, store.schema, options: options) else {
      return self
    }
    return Answer(self, as: prepared)
  }

  /// The same answer from a store that knows more, with entities at the end that it has only there.
  package func adding(_ more: [EntityHandle], in store: TripleStore) -> Answer {
    Answer(
      store: store, rows: rows + more, pageInfo: pageInfo, total: total + more.count,
      prepared: prepared)
  }

  /// An answer of some entities of its namespace, which are all there is.
  package func choosing(_ rows: [EntityHandle]) -> Answer {
    Answer(store: store, rows: rows, pageInfo: nil, total: rows.count, prepared: prepared)
  }
}

extension Answer: Equatable {
  /// Equal when the same was asked of the same state of a store.
  public static func == (a: Answer, b: Answer) -> Bool {
    a.rows == b.rows && a.total == b.total && a.pageInfo == b.pageInfo && a.plan == b.plan
      && a.stretch == b.stretch
      && a.store.isIdentical(to: b.store)
  }
}
