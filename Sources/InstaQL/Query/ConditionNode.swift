public import Triples

/// What must hold of an entity: one tree for queries made in Swift, typed as text, or sent as InstaQL.
///
/// A comparison with something missing is false, except `notEqual` and `isNull`; over links it asks
/// whether *some* linked entity fits. Logic has two values, so `not` of a comparison holds for what is missing.
public indirect enum ConditionNode: Hashable, Sendable {
  case compare(AttributePath, Comparison, Value)
  /// The value is one of these; null among them means a stored null. No values match nothing.
  case isIn(AttributePath, [Value])
  /// Null or missing when true, neither when false.
  case isNull(AttributePath, Bool)
  /// Two values of one entity compared; no InstaQL form.
  case compareFields(AttributePath, Comparison, AttributePath)
  /// The id of the entity at the end of the links begins with these hex digits; no links: its own.
  case idStartsWith([String], String)
  /// All hold, each independently of the others: InstaQL's `and` list. None at all always holds.
  case all([ConditionNode])
  /// One of them holds: InstaQL's `or` list. None at all never holds.
  case any([ConditionNode])
  /// All hold, and paths through one link speak of the *same* linked entity: one InstaQL object.
  ///
  /// Make it with `sharing(_:)`, which keeps the parts in the order of their InstaQL keys.
  case together([ConditionNode])
  case not(ConditionNode)
  /// Something of the entities at the other end of a path of links; paths inside begin there.
  case quantified(Quantifier, AttributePath, ConditionNode)
}

/// How many of the linked entities a condition must hold for.
public enum Quantifier: String, CaseIterable, Hashable, Sendable {
  /// At least one.
  case some
  /// Not a single one; holds when there are no linked entities.
  case none
  /// Each of them; holds when there are no linked entities.
  case every

  /// The word of the text form.
  public var spelling: String {
    switch self {
    case .some: "any"
    case .none: "no"
    case .every: "every"
    }
  }
}

extension ConditionNode {
  /// One InstaQL object of these parts: sorted by key; a single part stands for itself.
  public static func sharing(_ parts: [ConditionNode]) -> ConditionNode {
    if parts.count == 1 { return parts[0] }
    return .together(
      parts.sorted { $0.objectKey.utf8.lexicographicallyPrecedes($1.objectKey.utf8) })
  }

  /// The key under which this part stands in an InstaQL object.
  var objectKey: String {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _),
      .compareFields(let path, _, _):
      path.dotted
    case .idStartsWith(let links, _): (links + [Self.idStartsWithKey]).joined(separator: ".")
    case .all, .together: "and"
    case .any: "or"
    case .not: "x-not"
    case .quantified(.some, _, _): "x-any"
    case .quantified(.none, _, _): "x-none"
    case .quantified(.every, _, _): "x-every"
    }
  }

  static let idStartsWithKey = "$entityIdStartsWith"

  /// Both hold, each independently; lists of conditions are joined, not nested.
  public func and(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.all(let mine), .all(let others)): .all(mine + others)
    case (.all(let mine), _): .all(mine + [other])
    case (_, .all(let others)): .all([self] + others)
    case (_, _): .all([self, other])
    }
  }

  /// One of the two holds; lists of conditions are joined, not nested.
  public func or(_ other: ConditionNode) -> ConditionNode {
    switch (self, other) {
    case (.any(let mine), .any(let others)): .any(mine + others)
    case (.any(let mine), _): .any(mine + [other])
    case (_, .any(let others)): .any([self] + others)
    case (_, _): .any([self, other])
    }
  }

  /// The parts that must all hold: those of a top list, otherwise the whole. What an editor shows as chips.
  public var conjuncts: [ConditionNode] {
    if case .all(let parts) = self { return parts }
    return [self]
  }

  /// How many nodes lie above one another; a leaf is 1.
  public var depth: Int {
    switch self {
    case .compare, .isIn, .isNull, .compareFields, .idStartsWith: 1
    case .all(let parts), .any(let parts), .together(let parts):
      1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .not(let inner), .quantified(_, _, let inner): 1 + inner.depth
    }
  }

  /// Calls `body` with every path, from the entity that the query is about: inside a quantifier they are prefixed.
  public func forEachPath(_ body: (AttributePath) -> Void) {
    switch self {
    case .compare(let path, _, _), .isIn(let path, _), .isNull(let path, _): body(path)
    case .compareFields(let path, _, let other):
      body(path)
      body(other)
    case .idStartsWith(let links, _): body(AttributePath(links + ["id"]))
    case .all(let parts), .any(let parts), .together(let parts):
      for part in parts { part.forEachPath(body) }
    case .not(let inner): inner.forEachPath(body)
    case .quantified(_, let link, let inner):
      body(link)
      inner.forEachPath { body($0.prefixed(by: link)) }
    }
  }
}
