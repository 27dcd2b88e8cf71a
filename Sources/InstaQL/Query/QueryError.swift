/// What can be wrong with a query, and the sentences that say so.
public enum QueryError: Error, Hashable, Sendable {
  /// The text cannot be read.
  case syntax(TextFault)
  /// The JSON cannot be read; `line` and `column` from 1.
  case json(line: Int, column: Int, reason: String)
  /// A part of an InstaQL object is not what it must be; `path` as in `cities.$.limit`.
  case invalid(path: String, reason: String)
  /// The names or values do not fit the schema, in the words of InstantDB's own client.
  case validation(ValidationFault)
  /// There is no InstaQL for this; it can only be answered here.
  case notExpressible(path: String, reason: String)
  /// One SQL statement cannot say this.
  case notInSQL(path: String, reason: String)
  /// An attribute stands where only a link can be followed.
  case notALink(label: String, namespace: String)
  /// A nested relation was asked for that the plan does not follow.
  case noRelation(label: String, namespace: String)
  /// A plan asks for what the type of its entities does not declare; the hint is a sentence.
  case unknownField(String, namespace: String, hint: String?)
  /// A query was run without anything to ask.
  case noStore(namespace: String)
  /// A value is not of the type wanted.
  case decoding(path: String, reason: String)
  /// The store could not answer, in its own words.
  case store(String)
  case cancelled
}

extension QueryError {
  /// One sentence: where, what, and what to do next.
  public var message: String {
    switch self {
    case .syntax(let fault): fault.message
    case .json(let line, let column, let reason):
      "This is no JSON: line \(line), column \(column): \(reason)."
    case .invalid(let path, let reason):
      path.isEmpty ? reason : "At '\(path)': " + Self.sentence(reason)
    case .validation(let fault): fault.message
    case .notExpressible(let path, let reason):
      "InstaQL cannot say this (\(path)): \(reason). Only a store on this machine can answer it."
    case .notInSQL(let path, let reason): "SQL cannot say this (\(path)): \(reason)."
    case .notALink(let label, let namespace):
      "'\(label)' of '\(namespace)' is an attribute, not a link: it cannot be followed."
    case .noRelation(let label, let namespace):
      "The query of '\(namespace)' does not follow '\(label)'. Add: with \(label)"
    case .unknownField(let name, let namespace, _):
      "'\(namespace)' declares no '\(name)' in its fields."
    case .noStore(let namespace): "No store to ask for '\(namespace)'. Name one with in(_:)."
    case .decoding(let path, let reason): "'\(path)' cannot be read: \(reason)."
    case .store(let reason): reason
    case .cancelled: "The query was cancelled."
    }
  }

  private static func sentence(_ words: String) -> String {
    words.hasSuffix("?") ? words : words + "."
  }

  /// What was probably meant, as a sentence; kept apart from `message`, whose words are fixed.
  public var hint: String? {
    switch self {
    case .syntax(let fault): fault.hint
    case .validation(let fault): fault.hint
    case .unknownField(_, _, let hint): hint
    case .json, .invalid, .notExpressible, .notInSQL, .notALink, .noRelation, .noStore,
      .decoding, .store, .cancelled:
      nil
    }
  }

  /// Line and column from 1, columns in characters, for what stands in a text.
  public var position: (line: Int, column: Int)? {
    switch self {
    case .syntax(let fault): (fault.line, fault.column)
    case .json(let line, let column, _): (line, column)
    case .invalid, .validation, .notExpressible, .notInSQL, .notALink, .noRelation, .unknownField,
      .noStore, .decoding, .store, .cancelled:
      nil
    }
  }
}

/// Where a query text cannot be read, and why.
public struct TextFault: Hashable, Sendable {
  /// In bytes of UTF-8, from 0.
  public var offset: Int
  /// From 1.
  public var line: Int
  /// From 1, counting characters as people see them.
  public var column: Int
  /// What would have fitted: "a value", "closing quote".
  public var expected: String
  /// What stands there instead: a piece of the text, or "the end of the text".
  public var found: String
  public var hint: String?

  public init(
    offset: Int, line: Int, column: Int, expected: String, found: String, hint: String? = nil
  ) {
    self.offset = offset
    self.line = line
    self.column = column
    self.expected = expected
    self.found = found
    self.hint = hint
  }

  public var message: String {
    let place = line == 1 ? "Column \(column)" : "Line \(line), column \(column)"
    return "\(place): expected \(expected), but found \(found)."
  }
}

/// What InstantDB's client would refuse before asking, with its path and its words.
public struct ValidationFault: Hashable, Sendable {
  /// As in `cities.$.where.name`; nil when the whole query is meant.
  public var path: String?
  public var reason: String
  /// The nearest known name, as a sentence.
  public var hint: String?

  public init(path: String?, reason: String, hint: String? = nil) {
    self.path = path
    self.reason = reason
    self.hint = hint
  }

  /// The exact text of that client.
  public var message: String { path.map { "At path '\($0)': \(reason)" } ?? reason }
}
