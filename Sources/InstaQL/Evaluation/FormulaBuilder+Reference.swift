import Triples

/// Builds conditions by the rules of InstantDB's client.
///
/// These rules compare values as JavaScript does. All paths in one JSON object lead through the
/// same linked entities, including paths of conditions that also match missing values.
extension FormulaBuilder {
  func question(_ comparison: Comparison, _ value: Value) -> ValueQuestion {
    let plain = ValueQuestion(comparison, value)
    guard rules != .recommended, comparison != .notEqual,
      !(comparison == .equal && value == .null)
    else { return plain }
    return .reference(.compare(comparison, value))
  }

  func question(isIn values: [Value]) -> ValueQuestion {
    rules == .recommended ? .positive(.oneOf(values)) : .reference(.isIn(values))
  }

  func reference(_ attribute: Attribute, _ question: ReferenceTest.Question) -> ReferenceTest {
    ReferenceTest(
      attribute: attribute, question: question,
      hasDateObjects: rules == .reference(dateObjects: true))
  }

  /// One way to satisfy a condition: the links to follow, and the test at their end. For example,
  /// `city.name != "Lyon"` is also satisfied if the city is missing.
  struct Alternative {
    var links: [Link]
    var test: Formula
  }

  /// The maximum number of combinations of alternatives in one filter. If there are more, the
  /// filter is `invalid`.
  private static let maxCombinations = 256

  /// Returns a formula that requires all parts. Their paths lead through the same linked entities.
  ///
  /// A condition that also matches missing values has several alternatives. Each combination of
  /// alternatives becomes one pattern.
  mutating func joint(
    _ parts: [ConditionNode], in namespace: String, depth: Int
  ) throws(QueryError) -> Formula {
    var combinations: [[Alternative]] = [[]]
    for part in parts {
      let alternatives = try alternatives(part, in: namespace, depth: depth)
      if combinations.count * alternatives.count > Self.maxCombinations {
        throw .invalid(
          path: "",
          reason: "The filter combines too many conditions that also match missing values (more "
            + "than \(Self.maxCombinations) combinations). Remove some of these conditions.")
      }
      combinations = combinations.flatMap { taken in alternatives.map { taken + [$0] } }
    }
    return .disjunction(
      combinations.map { alternatives in
        var pattern = JointPatternBuilder(namespace: namespace)
        for alternative in alternatives { pattern.add(alternative.links, alternative.test) }
        return pattern.formula
      })
  }

  private mutating func alternatives(
    _ node: ConditionNode, in namespace: String, depth: Int
  ) throws(QueryError) -> [Alternative] {
    let asked: (path: AttributePath, question: ValueQuestion)? =
      switch node {
      case .compare(let path, let comparison, let value): (path, question(comparison, value))
      case .isIn(let path, let values): (path, question(isIn: values))
      case .isNull(let path, let isNull): (path, isNull ? .isNull : .positive(.notNull))
      default: nil
      }
    guard let asked, !asked.path.isOwn else {
      return [Alternative(links: [], test: try build(node, in: namespace, depth: depth))]
    }
    guard let links = try links(asked.path.links, from: namespace) else { return [] }
    var alternatives = [
      Alternative(
        links: links,
        test: try end(asked.path.label, of: links.last?.target ?? namespace, asking: asked.question)
      )
    ]
    guard asked.question.holdsForMissing else { return alternatives }
    for (place, link) in links.enumerated() {
      let start = place == 0 ? namespace : links[place - 1].target
      alternatives.append(
        Alternative(
          links: Array(links.prefix(place)), test: missing(.linked(link, .always), of: start)))
    }
    return alternatives
  }
}
