/// One namespace's form of a query: what is asked, with neither types nor a store.
///
/// A value: equal plans are equal questions, and a plan can be changed, compared, undone and sent.
/// Its InstaQL is the key under which a subscription is shared.
public struct QueryPlan: Hashable, Sendable {
  /// Whose entities are asked for. In a nested plan it is the label of the link that leads to them.
  public var namespace: String
  /// What must hold; nil asks for all.
  public var condition: ConditionNode?
  /// Most significant first; empty is by creation.
  public var order: [OrderKey]
  public var page: Page
  /// The attributes wanted, `id` always among them; nil is all, empty is `id` alone.
  public var fields: [String]?
  /// Whether only the number of entities is wanted.
  public var isCount: Bool
  /// Paths whose values entities are put together by; the answer is then one row a group.
  public var groups: [AttributePath]
  /// What is worked out for each group, or for all entities together.
  public var aggregates: [Aggregation]
  /// Whether rows with the same values of `fields` are one row.
  public var isDistinct: Bool
  /// The links to follow from each entity, sorted by label, each once.
  public private(set) var relations: [Relation]

  public init(
    _ namespace: String, condition: ConditionNode? = nil, order: [OrderKey] = [],
    page: Page = .whole, fields: [String]? = nil, isCount: Bool = false,
    groups: [AttributePath] = [], aggregates: [Aggregation] = [], isDistinct: Bool = false,
    relations: [Relation] = []
  ) {
    self.namespace = namespace
    self.condition = condition
    self.order = order
    self.page = page
    self.fields = fields
    self.isCount = isCount
    self.groups = groups
    self.aggregates = aggregates
    self.isDistinct = isDistinct
    self.relations = []
    for relation in relations { setRelation(relation.label, relation.plan) }
  }

  /// A link to follow, and what is asked of the entities there.
  public struct Relation: Hashable, Sendable {
    public let label: String
    /// Its namespace is the label: which namespace the link leads to is the schema's to say.
    public internal(set) var plan: QueryPlan {
      didSet { plan.namespace = label }
    }

    public init(_ label: String, _ plan: QueryPlan? = nil) {
      self.label = label
      self.plan = plan ?? QueryPlan(label)
      self.plan.namespace = label
    }
  }

  /// Whether nothing is said but the namespace.
  public var isPlain: Bool { self == QueryPlan(namespace) }

  /// Whether the answer is a table of values rather than entities; only a store on this machine gives it.
  public var isSummary: Bool { isDistinct || !groups.isEmpty || !aggregates.isEmpty }

  /// What is asked at the end of `label`, or nil when the link is not followed.
  public func relation(_ label: String) -> QueryPlan? {
    relations.first { $0.label == label }?.plan
  }

  /// Follows `label` with `plan` instead of whatever was there; nil no longer follows it.
  public mutating func setRelation(_ label: String, _ plan: QueryPlan?) {
    relations.removeAll { $0.label == label }
    guard let plan else { return }
    let place =
      relations.firstIndex { label.utf8.lexicographicallyPrecedes($0.label.utf8) }
      ?? relations.count
    relations.insert(Relation(label, plan), at: place)
  }

  /// The plan reached along links; empty is this one.
  ///
  /// Getting a way not followed gives nil. Setting makes the plans on the way; setting nil removes the last.
  public subscript(along links: [String]) -> QueryPlan? {
    get {
      var plan: QueryPlan? = self
      for link in links { plan = plan?.relation(link) }
      return plan
    }
    set {
      guard let link = links.first else {
        if let newValue { self = newValue }
        return
      }
      let rest = Array(links.dropFirst())
      if rest.isEmpty {
        setRelation(link, newValue)
      } else if newValue != nil || relation(link) != nil {
        var inner = relation(link) ?? QueryPlan(link)
        inner[along: rest] = newValue
        setRelation(link, inner)
      }
    }
  }
}
