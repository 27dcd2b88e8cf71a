import Triples

/// The recorded steps of an evaluation, which `QueryEngine.explain` returns.
struct EvaluationTrace: Sendable {
  /// A step that has begun, to pass to `end`.
  struct Token {
    fileprivate let place: Int
    fileprivate let start: ContinuousClock.Instant
  }

  private(set) var steps: [Explanation.Step] = []
  private var depth = 0

  /// Records the start of a step. Steps that begin before the `end` of this step become its
  /// children.
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

/// Whether a step's text is for people or for programs.
enum StepWording {
  /// For people. The wording may change in any version.
  case plain
  /// For programs that read the JSON form. The wording never changes.
  case json
}

/// A step's text in two versions, for people and for programs.
struct StepText: ExpressibleByStringInterpolation {
  let plain: String
  let json: String

  init(stringLiteral text: String) { (plain, json) = (text, text) }
  init(plain: String, json: String) { (self.plain, self.json) = (plain, json) }
  init(_ text: (StepWording) -> String) { (plain, json) = (text(.plain), text(.json)) }
}
