public import Triples

/// A description of how a plan was evaluated.
///
/// It contains the steps in their order. Each step has its access path, the estimated and the
/// actual number of entities, and its duration.
public struct Explanation: Sendable {
  /// A step of the evaluation.
  public struct Step: Hashable, Sendable {
    struct JSONTexts: Hashable, Sendable {
      let what: String
      let how: String
    }

    /// What the step evaluates, such as a condition or an included relation.
    public var what: String
    /// How the step finds entities, such as `by id`, `semi-join along author` or
    /// `row by row among 20 rows`.
    public var how: String
    /// The step's texts in the JSON form of the explanation. Their wording never changes.
    let inJSON: JSONTexts
    /// The nesting depth. The steps for a condition's parts follow the condition's own step, one
    /// level deeper.
    public var depth: Int
    /// The estimated number of entities; nil if there is no estimate.
    public var estimate: Int?
    /// The number of entities that the step found.
    public var found: Int
    /// The duration of the step.
    public var time: Duration
  }

  /// The explained plan.
  public let plan: QueryPlan
  /// The steps in the order in which they began.
  public let steps: [Step]
  /// The number of matching entities, or of all groups, regardless of the page.
  public let total: Int
  /// The number of rows of the answer, or of its groups.
  public let rows: Int
  /// Whether `total` is the exact number, and not only the number known so far.
  var isCounted = true
  /// The duration of the whole evaluation.
  public let time: Duration
  /// The simpler query that was sent to a server that does not support the plan.
  ///
  /// It may match more entities than the plan. Nil if the plan itself was sent, or nothing.
  public internal(set) var asked: QueryPlan?
  /// The SQL statements sent to a database.
  public internal(set) var statements: [ServedAnswer.Statement] = []

  /// The explanation as lines of text: first the steps, indented by depth, then the statements and
  /// the total.
  public var lines: [String] {
    let wide = steps.map { $0.depth * 2 + $0.what.count }.max() ?? 0
    let steps = steps.map { step in
      let name = String(repeating: "  ", count: step.depth) + step.what
      let padding = String(repeating: " ", count: max(0, wide - name.count) + 2)
      let estimate = step.estimate.map { "estimated \($0), " } ?? ""
      return "\(name)\(padding)\(step.how); \(estimate)found \(step.found); \(step.time.inWords)"
    }
    let asked =
      asked.map { ["query sent to the server: \($0.text); Sonde evaluates the rest"] } ?? []
    return asked + steps + statements.flatMap(Self.lines) + ["\(result) in \(time.inWords)"]
  }

  /// The numbers of returned and of matching rows or groups.
  private var result: String {
    let noun = plan.groups.isEmpty ? plan.isSummary ? "row" : "matching row" : "group"
    let all = "\(total) \(noun)\(total == 1 ? "" : "s")"
    let isWhole = plan.isCount || plan.isSummary && rows == total
    return isWhole ? all : "\(rows) of \(isCounted ? "" : "at least ")\(all)"
  }

  private static func lines(of statement: ServedAnswer.Statement) -> [String] {
    let values = statement.values.enumerated().map { "\($0 + 1) = \(shortened($1))" }
    return [statement.text] + (values.isEmpty ? [] : ["  with " + values.joined(separator: ", ")])
      + statement.plan.map { "  " + $0 } + ["  \(statement.rows) rows; \(statement.time.inWords)"]
  }

  /// Returns a value as JSON, and only the beginning of a long one, such as a list of keys.
  private static func shortened(_ value: Value) -> String {
    let text = JSONWriter.text(value)
    return text.count <= maxValueLength
      ? text : "\(text.prefix(maxValueLength))… (\(text.count) characters)"
  }

  private static let maxValueLength = 200

  /// The explanation as a JSON object. Times are in microseconds.
  public var json: String {
    var output = JSONOutput()
    output.append("{\"namespace\":")
    output.write(plan.namespace)
    output.append(",\"total\":")
    output.write(Int64(total))
    output.append(",\"rows\":")
    output.write(Int64(rows))
    output.append(",\"microseconds\":")
    output.write(time.inMicroseconds)
    if let asked {
      output.append(",\"asked\":")
      output.write(asked.text)
    }
    output.append(",\"steps\":[")
    for (place, step) in steps.enumerated() {
      if place > 0 { output.append(",") }
      Self.write(step, into: &output)
    }
    output.append("]")
    if !statements.isEmpty {
      output.append(",\"statements\":")
      output.append(raw: JSONWriter.text(.array(statements.map(Self.json))))
    }
    output.append("}")
    return output.text
  }

  private static func json(_ statement: ServedAnswer.Statement) -> Value {
    [
      "sql": .text(statement.text), "values": .array(statement.values),
      "plan": .array(statement.plan.map { .text($0) }), "rows": .integer(Int64(statement.rows)),
      "microseconds": .double(statement.time.inMicroseconds),
    ]
  }

  private static func write(_ step: Step, into output: inout JSONOutput) {
    output.append("{\"what\":")
    output.write(step.inJSON.what)
    output.append(",\"how\":")
    output.write(step.inJSON.how)
    output.append(",\"depth\":")
    output.write(Int64(step.depth))
    if let estimate = step.estimate {
      output.append(",\"estimate\":")
      output.write(Int64(estimate))
    }
    output.append(",\"found\":")
    output.write(Int64(step.found))
    output.append(",\"microseconds\":")
    output.write(step.time.inMicroseconds)
    output.append("}")
  }
}

extension Duration {
  fileprivate var inMicroseconds: Double {
    let (seconds, attoseconds) = components
    let hundredths = seconds * 100_000_000 + attoseconds / 10_000_000_000
    return Double(hundredths) / 100
  }

  /// The duration with a unit, such as `850 ns`, `12.5 µs`, `3.1 ms` or `2.0 s`.
  fileprivate var inWords: String {
    let microseconds = inMicroseconds
    func tenths(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
    if microseconds < 1 { return "\(Int(microseconds * 1000)) ns" }
    if microseconds < 1000 { return tenths(microseconds) + " µs" }
    if microseconds < 1_000_000 { return tenths(microseconds / 1000) + " ms" }
    return tenths(microseconds / 1_000_000) + " s"
  }
}
