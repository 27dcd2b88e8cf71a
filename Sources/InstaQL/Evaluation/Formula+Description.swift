import Triples

extension Formula: CustomStringConvertible {
  /// The formula as query text, shown by `explain`.
  var description: String { described(in: .plain) }

  /// Returns the formula as text for people or programs. Deeply nested parts are written as `…`.
  func described(in wording: StepWording, depth: Int = 0) -> String {
    guard depth < 8 else { return "…" }
    func nested(_ formula: Formula) -> String { formula.described(in: wording, depth: depth + 1) }
    switch self {
    case .always: return wording == .plain ? "all rows" : "everything"
    case .never: return "nothing"
    case .stored(let attribute, let predicate):
      return attribute.label + " " + predicate.inWords
    case .reference(let test): return test.attribute.label + " as the reference client compares"
    case .identity(let predicate): return "id " + predicate.inWords
    case .identityPrefix(let prefix): return "id begins \(prefix)"
    case .linked(let link, .always): return "has " + link.label
    case .linked(let link, let inner):
      return link.label + " → " + nested(inner)
    case .compared(let comparison):
      return comparison.left.attribute.label + " \(comparison.relation) "
        + comparison.right.attribute.label
    case .counted(let links, let comparison, let count):
      let path = links.map(\.label).joined(separator: ".")
      return "count(\(path)) \(comparison.spelling) \(count)"
    case .computed(let test): return test.described(in: wording)
    case .not(let inner): return "not (" + nested(inner) + ")"
    case .all(let parts): return Self.list(parts, " and ", nested)
    case .any(let parts): return Self.list(parts, " or ", nested)
    case .joint(let pattern):
      let tests = pattern.variables.dropFirst().map {
        $0.namespace + ": " + nested($0.test)
      }
      let start = wording == .plain ? "conditions on the same linked rows" : "paths that meet"
      return start + " (" + tests.joined(separator: ", ") + ")"
    }
  }

  private static func list(
    _ parts: [Formula], _ word: String, _ described: (Formula) -> String
  ) -> String {
    let shown = parts.prefix(4).map(described)
    let more = parts.count > 4 ? ["… \(parts.count - 4) more"] : []
    return "(" + (shown + more).joined(separator: word) + ")"
  }
}

extension ValuePredicate {
  fileprivate var inWords: String {
    switch self {
    case .equal(let value): "= " + value.brief
    case .oneOf(let values):
      "in (" + values.prefix(3).map(\.brief).joined(separator: ", ")
        + (values.count > 3 ? ", … \(values.count - 3) more)" : ")")
    case .notEqual(let value): "!= " + value.brief
    case .range(let lower, let upper):
      [
        lower.map { ($0.isInclusive ? ">= " : "> ") + $0.value.brief },
        upper.map { ($0.isInclusive ? "<= " : "< ") + $0.value.brief },
      ].compactMap { $0 }.joined(separator: " and ")
    case .like(let pattern):
      (pattern.ignoresCase ? "ilike " : "like ") + Value.text(pattern.text).brief
    case .matches(let pattern): "matches " + Value.text(pattern.text).brief
    case .null: "is a stored null"
    case .notNull: "is not null"
    case .stored: "is stored"
    }
  }
}

extension Value {
  /// The value as query text, truncated if it is long.
  fileprivate var brief: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .text(let text):
      "\"" + (text.utf8.count > 40 ? String(text.prefix(36)) + "…" : text) + "\""
    case .array: "[…]"
    case .object: "{…}"
    }
  }
}

extension ComputedTest {
  /// Returns the tested value and the result that the test requires, such as `age is null`.
  fileprivate func described(in wording: StepWording) -> String {
    switch test {
    case .cell: wording == .plain ? "comparison of \(text) with a value" : text + " passes the test"
    case .different: wording == .plain ? text + " != a value" : text + " differs"
    case .isNull: text + " is null"
    case .isStored: text + " is not null"
    case .compared: text
    }
  }
}
