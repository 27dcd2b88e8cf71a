/// A query of one namespace, without Swift types and without a store.
///
/// It is a value: it can be edited, compared, restored and sent. Plans with the same InstaQL share
/// a subscription.
public struct QueryPlan: Hashable, Sendable {
  /// The namespace of the entities; in a nested plan, the label of the link.
  public var namespace: String
  /// The filter; nil matches all entities.
  public var condition: ConditionNode?
  /// The sort keys, most significant first. If empty, entities are ordered by creation.
  public var order: [OrderKey]
  /// The requested part of the answer.
  public var page: Page
  /// The names of the selected attributes and computed columns, in their order. Nil selects all
  /// attributes; an empty list selects only `id`.
  ///
  /// `id` is always included. `*` stands for all attributes. The label of an included link is the
  /// place of its columns; links that are not named follow after the fields.
  public var fields: [String]?
  /// The computed columns that `fields` and `order` may name, sorted by name. Each is a path with
  /// an expression and a single label: its name.
  public private(set) var computed: [AttributePath]
  /// Whether only the number of entities is requested.
  public var isCount: Bool
  /// The paths whose values form groups. If there are any, the answer has one row for each group.
  public var groups: [AttributePath]
  /// The aggregates for each group, or for all entities.
  public var aggregates: [Aggregation]
  /// The condition on rows of groups. Its paths are names of columns, or aggregates that are only
  /// computed for it. Nil keeps all groups.
  public var having: ConditionNode?
  /// Whether rows with equal values of `fields` are combined into one.
  public var isDistinct: Bool
  /// The included links, sorted by label. There is at most one for each label.
  public private(set) var relations: [Relation]

  /// Creates a plan; see the properties. Methods such as ``with(_:)`` and ``count()`` add the other
  /// clauses.
  public init(
    _ namespace: String, condition: ConditionNode? = nil, order: [OrderKey] = [],
    page: Page = .whole, fields: [String]? = nil, groups: [AttributePath] = [],
    aggregates: [Aggregation] = []
  ) {
    self.namespace = namespace
    self.condition = condition
    self.order = order
    self.page = page
    self.fields = fields
    computed = []
    isCount = false
    self.groups = groups
    self.aggregates = aggregates
    isDistinct = false
    relations = []
  }

  /// An included link and its nested plan.
  public struct Relation: Hashable, Sendable {
    /// The label of the link.
    public let label: String
    /// The plan for the linked entities. Its namespace is the label of the link.
    public internal(set) var plan: QueryPlan {
      didSet { plan.namespace = label }
    }

    /// Creates an included link. Without a plan, it includes all linked entities.
    public init(_ label: String, _ plan: QueryPlan? = nil) {
      self.label = label
      self.plan = plan ?? QueryPlan(label)
      self.plan.namespace = label
    }
  }

  /// Whether the plan has only a namespace and no other settings.
  public var isPlain: Bool { self == QueryPlan(namespace) }

  /// Whether the answer is a table of values instead of entities. Only local stores can answer such
  /// a plan.
  public var isSummary: Bool { isDistinct || !groups.isEmpty || !aggregates.isEmpty }

  /// The label in `fields` that selects all attributes.
  public static let allFields = "*"

  /// Returns the computed column with this name; nil for any other name.
  public func computed(_ name: String) -> AttributePath? {
    computed.first { $0.label == name }
  }

  /// Defines a computed column, or replaces the column of the same name. If the path has no
  /// expression, this removes the column.
  public mutating func setComputed(_ column: AttributePath) {
    computed.removeAll { $0.label == column.label }
    guard column.expression != nil else { return }
    let place = computed.firstIndex { column.label.utf8.lexicographicallyPrecedes($0.label.utf8) }
    computed.insert(column, at: place ?? computed.count)
  }

  /// Removes the computed columns that neither the fields nor the order use.
  public mutating func removeUnusedComputed() {
    let named = Set((fields ?? []) + order.map(\.path.dotted))
    computed.removeAll { !named.contains($0.label) }
  }

  /// The computed columns that `fields` selects, in the order of the fields.
  public var shownComputed: [AttributePath] {
    computed.isEmpty ? [] : (fields ?? []).compactMap { computed($0) }
  }

  /// The plain paths that the groups, aggregates, sort keys and computed columns read.
  public var readPaths: [AttributePath] {
    let order = order.map { computed($0.path.dotted) ?? $0.path }
    let aggregates = aggregates + hiddenAggregates
    let paths = groups + order + aggregates.compactMap(\.path) + shownComputed
    return paths.flatMap(\.plainPaths)
  }

  /// The aggregates that only `having` or the order of groups reads, so that the answer does not
  /// show them.
  package var hiddenAggregates: [Aggregation] {
    let sorting =
      groups.isEmpty
      ? []
      : order.compactMap { key -> Aggregation? in
        guard case .aggregate? = key.path.expression else { return nil }
        return key.path.expression?.aggregates.first
      }
    let shown = Set(groups.map(\.dotted))
    return ((having?.aggregates ?? []) + sorting).filter { !shown.contains($0.text) }
  }

  /// Returns the nested plan of `label`; nil when the link is not included.
  public func relation(_ label: String) -> QueryPlan? {
    relations.first { $0.label == label }?.plan
  }

  /// Includes the link `label` with `plan`, in place of an existing plan. If `plan` is nil,
  /// excludes the link, and removes it from `fields`.
  public mutating func setRelation(_ label: String, _ plan: QueryPlan?) {
    let count = relations.count
    relations.removeAll { $0.label == label }
    guard let plan else {
      if relations.count < count, computed(label) == nil { fields?.removeAll { $0 == label } }
      return
    }
    let place =
      relations.firstIndex { label.utf8.lexicographicallyPrecedes($0.label.utf8) }
      ?? relations.count
    relations.insert(Relation(label, plan), at: place)
  }

  /// The nested plan at the end of a path of links; this plan for an empty path.
  ///
  /// The value is nil if the plan does not include the links. Setting a plan also includes the
  /// missing links on the path. Setting nil excludes the last link.
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
