public import Triples

/// A condition on an entity, as a tree: the same for queries from Swift, text and InstaQL.
///
/// A comparison with a missing value is false, except `notEqual` and `isNull`; over links it
/// requires *some* linked entity to match. Logic is two-valued, so `not` of a comparison is true
/// for missing values.
public indirect enum ConditionNode: Hashable, Sendable {
  /// Some value at the path compares with this one.
  case compare(AttributePath, Comparison, Value)
  /// The value is one of these; null among them is a stored null. An empty list matches nothing.
  case isIn(AttributePath, [Value])
  /// True matches null or missing values, false all others.
  case isNull(AttributePath, Bool)
  /// Compares two values of one entity; it has no InstaQL form.
  case compareFields(AttributePath, Comparison, AttributePath)
  /// The id of the entity at the end of the links begins with these hex digits; without links,
  /// its own id.
  case idStartsWith([String], String)
  /// All are true, independently of each other: InstaQL's `and` list. Empty is always true.
  case all([ConditionNode])
  /// At least one is true: InstaQL's `or` list. Empty is never true.
  case any([ConditionNode])
  /// All are true, and paths through the same link refer to the *same* linked entity: one InstaQL
  /// object.
  ///
  /// Create it with `sharing(_:)`, which sorts the parts by their InstaQL keys.
  case together([ConditionNode])
  /// The exact opposite, also for missing values.
  case not(ConditionNode)
  /// A condition on the entities at the end of a path of links; inner paths start there.
  case quantified(Quantifier, AttributePath, ConditionNode)
  /// Compares the number of entities at the end of a path of links with a given number.
  case linkCount(AttributePath, Comparison, Int)
}

/// How many of the linked entities must satisfy a condition.
public enum Quantifier: String, CaseIterable, Hashable, Sendable {
  /// At least one.
  case some
  /// None of them; true without linked entities.
  case none
  /// All of them; true without linked entities.
  case every

  /// The keyword in the text form.
  public var spelling: String {
    switch self {
    case .some: "any"
    case .none: "no"
    case .every: "every"
    }
  }
}

extension ConditionNode {
  /// One InstaQL object of these parts, sorted by key; a single part is returned itself.
  public static func sharing(_ parts: [ConditionNode]) -> ConditionNode {
    if parts.count == 1 { return parts[0] }
    return .together(
      parts.sorted { $0.objectKey.utf8.lexicographicallyPrecedes($1.objectKey.utf8) })
  }

  /// The key of this part in an InstaQL object.
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

  /// Both conditions, independently of each other; lists are joined, not nested.
  public func and(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.all(let mine), .all(let others)): .all(mine + others)
    case (.all(let mine), _): .all(mine + [other])
    case (_, .all(let others)): .all([self] + others)
    case (_, _): .all([self, other])
    }
  }

  /// At least one of the two conditions; lists are joined, not nested.
  public func or(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.any(let mine), .any(let others)): .any(mine + others)
    case (.any(let mine), _): .any(mine + [other])
    case (_, .any(let others)): .any([self] + others)
    case (_, _): .any([self, other])
    }
  }

  /// The parts that must all be true: those of a top-level list, otherwise the whole condition.
  public var conjuncts: [ConditionNode] {
    if case .all(let parts) = self { return parts }
    return [self]
  }

  /// The depth of the tree; a leaf has depth 1.
  public var depth: Int {
    switch self {
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith, .linkCount: 1
    case .all(let parts), .any(let parts), .together(let parts):
      1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .not(let inner), .quantified(_, _, let inner): 1 + inner.depth
    }
  }

  /// Calls `body` with every plain path from the query's entity, also those that a value is computed
  /// from; paths in quantifiers are prefixed.
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
