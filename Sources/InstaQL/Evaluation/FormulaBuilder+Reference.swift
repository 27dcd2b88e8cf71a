import Triples

/// Conditions as the reference client understands them: what is asked of values, and paths that meet
/// in every object, also where they ask for what may be missing.
extension FormulaBuilder {
  func question(_ comparison: Comparison, _ value: Value) -> Question {
    let plain = Question(comparison, value)
    guard rules != .recommended, comparison != .notEqual,
      !(comparison == .equal && value == .null)
    else { return plain }
    return .reference(.compare(comparison, value))
  }

  func question(isIn values: [Value]) -> Question {
    rules == .recommended ? .positive(.oneOf(values)) : .reference(.isIn(values))
  }

  func reference(_ attribute: Attribute, _ question: ReferenceTest.Question) -> ReferenceTest {
    ReferenceTest(
      attribute: attribute, question: question,
      hasDateObjects: rules == .reference(dateObjects: true))
  }

  /// One way in which a condition can hold: links to follow, and what is asked at their end.
  struct DependencyPath {
    var links: [Link]
    var test: Formula
  }

  /// So many combinations of ways are tried; with more the conditions are taken one by one.
  private static let maxCombinations = 256

  /// All parts hold, their paths meeting. What may be missing can be so in several ways, and each
  /// combination of ways is a pattern of its own.
  mutating func met(
    _ parts: [ConditionNode], in namespace: String, depth: Int
  ) throws(QueryError) -> Formula {
    var combinations: [[DependencyPath]] = [[]]
    for part in parts {
      let ways = try ways(part, in: namespace, depth: depth)
      if combinations.count * ways.count > Self.maxCombinations {
        throw .invalid(path: "", reason: "Too many conditions that ask for what may be missing")
      }
      combinations = combinations.flatMap { taken in ways.map { taken + [$0] } }
    }
    return .disjunction(
      combinations.map { ways in
        var pattern = JointPatternBuilder(namespace: namespace)
        for way in ways { pattern.add(way.links, way.test) }
        return pattern.formula
      })
  }

  private mutating func ways(
    _ node: ConditionNode, in namespace: String, depth: Int
  ) throws(QueryError) -> [DependencyPath] {
    let asked: (path: AttributePath, question: Question)? =
      switch node {
      case .compare(let path, let comparison, let value): (path, question(comparison, value))
      case .isIn(let path, let values): (path, question(isIn: values))
      case .isNull(let path, let isNull): (path, isNull ? .isNull : .positive(.notNull))
      default: nil
      }
    guard let asked, !asked.path.isOwn else {
      return [DependencyPath(links: [], test: try build(node, in: namespace, depth: depth))]
    }
    guard let links = try links(asked.path.links, from: namespace) else { return [] }
    var ways = [
      DependencyPath(
        links: links,
        test: try end(asked.path.label, of: links.last?.target ?? namespace, asking: asked.question)
      )
    ]
    guard asked.question.holdsForMissing else { return ways }
    for (place, link) in links.enumerated() {
      let start = place == 0 ? namespace : links[place - 1].target
      ways.append(
        DependencyPath(
          links: Array(links.prefix(place)), test: missing(.linked(link, .always), of: start)))
    }
    return ways
  }
}
