public import Triples

/// Options for answering queries.
public struct QueryOptions: Hashable, Sendable {
  /// Whether a single-valued relation is written as one object, and omitted if it has no entity.
  /// Otherwise it is written as a list.
  public var infersCardinality: Bool

  /// The rules for comparing values, and for paths that lead through the same linked entities.
  public var rules: Rules

  /// What the store contains: all data, a server's page, or a database's result.
  public var paging: Paging

  /// Which keys a JSON object has in addition to the selected fields.
  public var objects: Objects

  /// The maximum size of a JSON answer in bytes. Cyclic relations can make a huge answer from few
  /// entities.
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

  /// The rules to apply where InstantDB's client and its server disagree.
  public enum Rules: Hashable, Sendable {
    /// Sonde's rules. Null is not less or greater than anything, dates are equal if they are the
    /// same instant, a backslash escapes a wildcard, and the conditions in `and` and `or` lists are
    /// independent.
    case recommended
    /// The rules of InstantDB's client, for tests that compare Sonde with the client. They are
    /// slow.
    ///
    /// With `dateObjects`, dates are JavaScript objects, which equal no value in a query.
    case reference(dateObjects: Bool)
  }

  /// Which keys an object in a JSON answer has.
  public enum Objects: Hashable, Sendable {
    /// The attributes that the entity has, and the query's relations, as InstantDB's client writes
    /// them.
    case asked
    /// As `asked`, and in addition the ids of single-valued links that no relation includes, and
    /// null for missing indexed attributes.
    ///
    /// InstantDB's server writes objects in this way.
    case stored
  }

  /// What the store contains, which determines how the page of a query is found.
  public enum Paging: Hashable, Sendable {
    /// The store contains all data. Offsets and cursors are evaluated locally.
    case whole
    /// The store contains a server's page and later changes. The server also sent the boundaries of
    /// the page.
    ///
    /// A page that does not begin at the first entity is empty until its boundaries arrive. For a
    /// count, the server sends only a number.
    case served([String: PageInfo], counts: [String: Int] = [:])
    /// A database found the plan's entities. They are in order, and only those of the page.
    case found(ServedAnswer.Found)
    /// A database found candidates. The plan is then evaluated locally, among these candidates
    /// only.
    case among(ServedAnswer.Found)
  }

  /// Returns these options for a store that contains only a server's answer to one query.
  public func serving(_ served: ServedAnswer) -> QueryOptions {
    var options = self
    options.paging = .served(
      served.pages.mapValues { PageInfo($0) }, counts: served.counts)
    return options
  }

  /// Returns these options for answering `plan` in a snapshot that the store returned for it.
  ///
  /// The page boundaries of a server apply only if it received the whole plan. If it received a
  /// simpler query, its answer contains all data that the plan needs, and the page is cut locally.
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
