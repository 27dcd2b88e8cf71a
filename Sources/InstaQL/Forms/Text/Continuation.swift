/// What a query text must continue with. Messages describe it, and completion offers it.
enum Continuation: Hashable, Sendable {
  case namespace, field, link
  /// The name of a field or link that the namespace has.
  case fieldOf(String)
  /// A value, or a certain kind of value.
  case value(String = "a value")
  /// A comparison of the number of linked entities.
  case countComparison
  /// `and` or `or`, or something else that can follow a condition.
  case connective(String)
  /// A clause, or something else that can follow one.
  case clause(String)
  /// One of these words or signs.
  case words([String], areQuoted: Bool = true)
  /// Anything else.
  case other(String)
  /// Something that had to come earlier, so that no continuation is valid.
  case earlier(String)

  /// The description in messages.
  var text: String {
    switch self {
    case .namespace: "a namespace"
    case .field: "a field name"
    case .link: "a link"
    case .fieldOf(let namespace): "a field of '\(namespace)'"
    case .countComparison: "a comparison of the number, such as > 0"
    case .words(let words, let areQuoted): Self.list(areQuoted ? words.map { "'\($0)'" } : words)
    case .value(let text), .connective(let text), .clause(let text), .other(let text),
      .earlier(let text):
      text
    }
  }

  private static func list(_ words: [String]) -> String {
    (words.count > 1 ? words.dropLast().joined(separator: ", ") + " or " : "") + (words.last ?? "")
  }
}

extension Continuation: ExpressibleByStringInterpolation {
  init(stringLiteral text: String) { self = .other(text) }
}
