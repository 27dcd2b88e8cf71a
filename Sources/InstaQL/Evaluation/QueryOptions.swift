public import Triples

/// How a query is to be answered, where more than one way is right.
public struct QueryOptions: Hashable, Sendable {
  /// Whether a relation that the schema says leads to at most one entity gives that object itself,
  /// or nothing, instead of a list.
  public var infersCardinality: Bool

  /// By which rules values are compared and paths share entities.
  public var rules: Rules

  /// Whose pages are cut.
  public var paging: Paging

  /// What objects hold beside what was asked for.
  public var objects: Objects

  /// The greatest JSON answer in bytes; cyclic relations can make any size out of few entities.
  public var mostBytes: Int

  public init(
    infersCardinality: Bool = false, rules: Rules = .recommended, paging: Paging = .whole,
    objects: Objects = .asked, mostBytes: Int = 1 << 30
  ) {
    self.infersCardinality = infersCardinality
    self.rules = rules
    self.paging = paging
    self.objects = objects
    self.mostBytes = mostBytes
  }

  /// Where the reference client and its server disagree, which of them is right.
  public enum Rules: Hashable, Sendable {
    /// What is recommended for an engine that both sides share: null is in no order, dates are equal
    /// when they are the same instant, a backslash escapes, conditions in lists are independent.
    case recommended
    /// What the reference client does, value by value and slowly; for comparing with it. With date
    /// objects, dates equal nothing that is written in a query.
    case reference(dateObjects: Bool)
  }

  /// What the objects of a JSON answer hold.
  public enum Objects: Hashable, Sendable {
    /// The attributes that an entity has, and the relations of the query: what InstantDB's client
    /// makes of an answer.
    case asked
    /// Also the ids at the ends of its own links to at most one that no relation follows, and null for
    /// each indexed attribute that it lacks: what InstantDB's server makes of it.
    case stored
  }

  /// What a page is cut from.
  public enum Paging: Hashable, Sendable {
    /// The store holds everything: offsets and cursors are counted here.
    case whole
    /// The store holds what a server sent for its page, and changes made since; the server said
    /// where the page of a namespace begins and ends.
    ///
    /// Without that, a page that does not begin at the start is empty: its rows have not come yet.
    /// Of what is only counted the server sends nothing but the number.
    case served([String: PageInfo], counts: [String: Int] = [:])
    /// A database found the entities of the plan, in its order and cut to its page.
    case found(ServedAnswer.Found)
    /// A database found the entities among which those of the plan are: the rest is done here.
    case among(ServedAnswer.Found)
  }

  /// These options for a store that holds no more than what a server sent for one query.
  public func serving(_ served: ServedAnswer) -> QueryOptions {
    var options = self
    options.paging = .served(
      served.pages.mapValues { PageInfo($0) }, counts: served.counts)
    return options
  }

  /// These options for a plan and the snapshot that a store gave for its question.
  ///
  /// A server's pages are those of what it was asked. Where that was less than the plan, what it sent
  /// holds all that is needed, and is cut here.
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
