public import Triples

/// A condition on an entity, as a tree. Queries from Swift, text and InstaQL use the same tree.
///
/// A comparison with a missing value is false, except `notEqual` and `isNull`. A comparison at the
/// end of links is true if at least one linked entity matches. Every condition is either true or
/// false, so `not` of a comparison is true for missing values.
public indirect enum ConditionNode: Hashable, Sendable {
  /// Some value at the path satisfies this comparison with a value.
  case compare(AttributePath, Comparison, Value)
  /// The value at the path is one of the given values. A null in the list stands for a stored null.
  /// If the list is empty, nothing matches.
  case isIn(AttributePath, [Value])
  /// With `true`, the value is null or missing. With `false`, there is a value other than null.
  case isNull(AttributePath, Bool)
  /// Compares two values of one entity. InstaQL cannot express this condition.
  case compareFields(AttributePath, Comparison, AttributePath)
  /// The id of the entity, or of an entity at the end of the links, begins with these hexadecimal
  /// digits.
  case idStartsWith([String], String)
  /// All parts are true, independently of each other, like InstaQL's `and` list. It is true if
  /// there are no parts.
  case all([ConditionNode])
  /// At least one part is true, like InstaQL's `or` list. It is false if there are no parts.
  case any([ConditionNode])
  /// All parts are true, and paths through the same link refer to the *same* linked entity, like
  /// one InstaQL object.
  ///
  /// Create it with `sharing(_:)`, which sorts the parts by their InstaQL keys.
  case together([ConditionNode])
  /// The exact opposite of a condition. This includes missing values.
  case not(ConditionNode)
  /// The condition holds for some, none or all of the entities at the end of the links. Its paths
  /// begin at these entities.
  case quantified(Quantifier, AttributePath, ConditionNode)
  /// Compares the number of entities at the end of a path of links with a given number.
  case linkCount(AttributePath, Comparison, Int)
}

/// How many linked entities must satisfy a condition.
public enum Quantifier: String, CaseIterable, Hashable, Sendable {
  /// At least one of the linked entities.
  case some
  /// None of the linked entities. True if there are no linked entities.
  case none
  /// All linked entities. True if there are no linked entities.
  case every

  /// The keyword in query text: `any`, `no` or `every`.
  public var spelling: String {
    switch self {
    case .some: "any"
    case .none: "no"
    case .every: "every"
    }
  }
}

extension ConditionNode {
  /// Returns the condition of one InstaQL object with these parts, sorted by key. Paths through the
  /// same link lead to the same entity.
  ///
  /// A single part is returned unchanged.
  public static func sharing(_ parts: [ConditionNode]) -> ConditionNode {
    if parts.count == 1 { return parts[0] }
    return .together(
      parts.sorted { $0.objectKey.utf8.lexicographicallyPrecedes($1.objectKey.utf8) })
  }

  /// The key of this condition in an InstaQL object.
  var objectKey: String {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _),
      .compareFields(let path, _, _):
      path.key
    case .idStartsWith(let links, _): (links + [Self.idStartsWithKey]).joined(separator: ".")
    case .all, .together: "and"
    case .any: "or"
    case .not: "x-not"
    case .quantified(.some, _, _): "x-any"
    case .quantified(.none, _, _): "x-none"
    case .quantified(.every, _, _): "x-every"
    case .linkCount: "x-count"
    }
  }

  static let idStartsWithKey = "$entityIdStartsWith"

  /// Returns the condition that both conditions are true, independently of each other. Nested `all`
  /// lists are merged.
  public func and(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.all(let mine), .all(let others)): .all(mine + others)
    case (.all(let mine), _): .all(mine + [other])
    case (_, .all(let others)): .all([self] + others)
    case (_, _): .all([self, other])
    }
  }

  /// Returns the condition that at least one of two conditions is true. Nested `any` lists are
  /// merged.
  public func or(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.any(let mine), .any(let others)): .any(mine + others)
    case (.any(let mine), _): .any(mine + [other])
    case (_, .any(let others)): .any([self] + others)
    case (_, _): .any([self, other])
    }
  }

  /// The parts of a top-level `all`, which must all be true. For any other condition, the condition
  /// itself.
  public var conjuncts: [ConditionNode] {
    if case .all(let parts) = self { return parts }
    return [self]
  }

  /// The depth of the tree. A leaf has depth 1.
  public var depth: Int {
    switch self {
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith, .linkCount: 1
    case .all(let parts), .any(let parts), .together(let parts):
      1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .not(let inner), .quantified(_, _, let inner): 1 + inner.depth
    }
  }

  /// The aggregates that the condition compares: in `having`, those of the groups.
  var aggregates: [Aggregation] {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      path.expression?.aggregates ?? []
    case .compareFields(let path, _, let other):
      [path, other].flatMap { $0.expression?.aggregates ?? [] }
    case .all(let parts), .any(let parts), .together(let parts): parts.flatMap(\.aggregates)
    case .not(let inner): inner.aggregates
    case .linkCount(let links, _, _): ValueExpression.aggregate(.count, links).aggregates
    case .idStartsWith, .quantified: []
    }
  }

  /// Calls `body` with each plain path that the condition reads, beginning at the queried entity.
  ///
  /// For a path in a quantifier, it passes the path with the quantifier's link in front. For a
  /// computed value, it passes the paths that the value reads.
  public func forEachPath(_ body: (AttributePath) -> Void) {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _):
      path.forEachPlain(body)
    case .compareFields(let path, _, let other):
      path.forEachPlain(body)
      other.forEachPlain(body)
    case .idStartsWith(let links, _): body(AttributePath(links + ["id"]))
    case .all(let parts), .any(let parts), .together(let parts):
      for part in parts { part.forEachPath(body) }
    case .not(let inner): inner.forEachPath(body)
    case .quantified(_, let link, let inner):
      body(link)
      inner.forEachPath { body($0.prefixed(by: link)) }
    case .linkCount(let links, _, _): body(AttributePath(links.labels + ["id"]))
    }
  }
}
