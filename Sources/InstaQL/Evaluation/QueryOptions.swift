public import Triples

/// Options for answering queries.
public struct QueryOptions: Hashable, Sendable {
  /// Whether a single-valued relation is an object or missing, instead of a list.
  public var infersCardinality: Bool

  /// The rules for comparing values and sharing entities between paths.
  public var rules: Rules

  /// What the store contains. It determines how the page of a query is found.
  public var paging: Paging

  /// What objects contain in addition to the selected fields.
  public var objects: Objects

  /// The maximum size of a JSON answer in bytes, since cyclic relations can create any size from
  /// few entities.
  public var maxBytes: Int

  /// Creates options; see the properties.
  public init(
    infersCardinality: Bool = false, rules: Rules = .recommended, paging: Paging = .whole,
    objects: Objects = .asked, maxBytes: Int = 1 << 30
  ) {
    self.infersCardinality = infersCardinality
    self.rules = rules
    self.paging = paging
    self.objects = objects
    self.maxBytes = maxBytes
  }

  /// The rules to apply where the reference client and its server disagree.
  public enum Rules: Hashable, Sendable {
    /// The rules that Sonde recommends for both client and server. Null has no order, dates are
    /// equal if their instants are, a backslash escapes, and conditions in lists are independent.
    case recommended
    /// The rules of the reference client, for comparison with it; slow. With `dateObjects`, a date
    /// in a query never equals anything.
    case reference(dateObjects: Bool)
  }

  /// What an object in a JSON answer contains.
  public enum Objects: Hashable, Sendable {
    /// An entity's existing attributes and the query's relations, as in InstantDB's client.
    case asked
    /// The content of `asked`, the ids of single-valued links that no relation includes, and null
    /// for missing indexed attributes. InstantDB's server does the same.
    case stored
  }

  /// What the store contains, and so how the page of a query is found.
  public enum Paging: Hashable, Sendable {
    /// The store contains all data, so offsets and cursors are evaluated locally.
    case whole
    /// The store contains a server's page and later changes. The server provides the boundaries of
    /// pages.
    ///
    /// Without boundaries, a page that does not begin at the start is empty, because its rows have
    /// not arrived. For a count, the server sends only a number.
    case served([String: PageInfo], counts: [String: Int] = [:])
    /// A database found the entities of the plan, in order and already limited to the page.
    case found(ServedAnswer.Found)
    /// A database found candidates, among which the plan is evaluated locally.
    case among(ServedAnswer.Found)
  }

  /// Returns these options for a store that contains only a server's answer to one query.
  public func serving(_ served: ServedAnswer) -> QueryOptions {
    var options = self
    options.paging = .served(
      served.pages.mapValues { PageInfo($0) }, counts: served.counts)
    return options
  }

  /// Returns these options for a plan and the snapshot of its query's data.
  ///
  /// A server's page boundaries apply to the query that it received. If it received only a part of
  /// the plan, its answer contains all necessary data, and the page is cut locally.
  public func answering(_ plan: QueryPlan, in snapshot: StoreSnapshot) -> QueryOptions {
    guard let served = snapshot.served else { return self }
    if !served.found.isEmpty {
      var options = self
      if let found = served.found[plan.text] {
        options.paging = .found(found)
      } else if let found = served.found[plan.question.text] {
        options.paging = .among(found)
      }
      return options
    }
    guard plan.question == plan else { return self }
    return serving(served)
  }

  /// The options that Sonde uses by default.
  public static let standard = QueryOptions()
}

extension PageInfo {
  init(_ page: ServedAnswer.Page) {
    self.init(
      start: page.start.map(Cursor.init), end: page.end.map(Cursor.init), hasNext: page.hasNext,
      hasPrevious: page.hasPrevious)
  }
}

extension Cursor {
  init(_ edge: ServedAnswer.Edge) {
    self.init(
      entity: edge.entity, attribute: edge.attribute, value: edge.value,
      createdAt: edge.createdAt)
  }
}
