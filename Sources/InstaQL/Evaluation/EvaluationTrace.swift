import Triples

/// The steps of an evaluation, for `QueryEngine.explain`.
struct EvaluationTrace: Sendable {
  /// A step in progress.
  struct Token {
    fileprivate let place: Int
    fileprivate let start: ContinuousClock.Instant
  }

  private(set) var steps: [Explanation.Step] = []
  private var depth = 0

  /// Records the start of a step. Steps that start before it ends are nested in it.
  mutating func begin(_ what: String, _ how: String, estimate: Int? = nil) -> Token {
    steps.append(
      Explanation.Step(
        what: what, how: how, depth: depth, estimate: estimate, found: 0, time: .zero))
    depth += 1
    return Token(place: steps.count - 1, start: ContinuousClock().now)
  }

  mutating func end(_ token: Token?, found: Int) {
    guard let token else { return }
    depth -= 1
    steps[token.place].found = found
    steps[token.place].time = ContinuousClock().now - token.start
  }
}
