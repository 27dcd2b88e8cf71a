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
  mutating func begin(
    _ what: StepText, _ how: StepText, estimate: Int? = nil
  ) -> Token {
    steps.append(
      Explanation.Step(
        what: what.plain, how: how.plain, inJSON: .init(what: what.json, how: how.json),
        depth: depth, estimate: estimate, found: 0, time: .zero))
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

/// How the texts of a step are worded.
enum StepWording {
  /// A wording for people, which may change at any time.
  case plain
  /// A wording for programs, which never changes.
  case json
}

/// A text of a step, in both wordings.
struct StepText: ExpressibleByStringInterpolation {
  let plain: String
  let json: String

  init(stringLiteral text: String) { (plain, json) = (text, text) }
  init(plain: String, json: String) { (self.plain, self.json) = (plain, json) }
  init(_ text: (StepWording) -> String) { (plain, json) = (text(.plain), text(.json)) }
}
