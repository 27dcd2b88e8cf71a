/// An error of a query, with its message.
public enum QueryError: Error, Hashable, Sendable {
  /// The query text is invalid.
  case syntax(TextFault)
  /// The JSON is not valid; `line` and `column` count from 1.
  case json(line: Int, column: Int, reason: String)
  /// A part of an InstaQL object is invalid; `path` is for example `cities.$.limit`.
  case invalid(path: String, reason: String)
  /// Names or values do not match the schema. The message equals that of InstantDB's client.
  case validation(ValidationFault)
  /// InstaQL cannot express the query; only local stores can answer it.
  case notExpressible(path: String, reason: String)
  /// The query cannot be expressed as one SQL statement.
  case notInSQL(path: String, reason: String)
  /// A query uses an attribute where a link is required.
  case notALink(label: String, namespace: String)
  /// The program reads a relation that the query does not include.
  case noRelation(label: String, namespace: String)
  /// A plan uses a name that the entity type does not declare. The hint is a sentence.
  case unknownField(String, namespace: String, hint: String?)
  /// A query was run without a store.
  case noStore(namespace: String)
  /// A value is missing, or it does not have the type that the entity requires.
  case decoding(path: String, reason: String)
  /// The store failed. The text is the store's own message.
  case store(String)
  /// The caller canceled the task.
  case cancelled
}

extension QueryError {
  /// A description of the error in one sentence, with its position and advice.
  public var message: String {
    switch self {
    case .syntax(let fault): fault.message
    case .json(let line, let column, let reason):
      "Invalid JSON at line \(line), column \(column): \(reason)."
    case .invalid(let path, let reason):
      path.isEmpty ? reason : "At '\(path)': " + Self.sentence(reason)
    case .validation(let fault): fault.message
    case .notExpressible(let path, let reason):
      "This query cannot be written in InstaQL, because of '\(path)': \(reason). "
        + "Only local stores can run it."
    case .notInSQL(let path, let reason):
      path.isEmpty
        ? "This query cannot be written in SQL: \(reason)."
        : "This query cannot be written in SQL, because of '\(path)': \(reason)."
    case .notALink(let label, let namespace):
      "'\(label)' of '\(namespace)' is an attribute, not a link, so it cannot be followed."
    case .noRelation(let label, let namespace):
      "The query of '\(namespace)' does not include the link '\(label)'. Add: with \(label)"
    case .unknownField(let name, let namespace, _):
      "The entity type of '\(namespace)' does not declare a field '\(name)'."
    case .noStore(let namespace):
      "The query of '\(namespace)' has no store. Set one with in(_:)."
    case .decoding(let path, let reason): "Cannot decode '\(path)': \(reason)."
    case .store(let reason): reason
    case .cancelled: "The query was canceled."
    }
  }

  private static func sentence(_ words: String) -> String {
    words.hasSuffix("?") ? words : words + "."
  }

  /// A suggestion as a sentence; nil if there is none. It is not part of `message`.
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

  /// The line and column of the error in a query text, counted from 1. Columns count characters.
  /// Nil for other errors.
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

extension QueryError: CustomStringConvertible {
  public var description: String { message }
}

/// The position and description of a syntax error in a query text.
public struct TextFault: Hashable, Sendable {
  /// The offset in UTF-8 bytes.
  public var offset: Int
  /// The line, from 1.
  public var line: Int
  /// The column in characters, from 1.
  public var column: Int
  /// What the text must continue with instead.
  var continuation: Continuation
  /// What the text contains instead, or "the end of the text".
  public var found: String
  /// A suggestion for the user; nil when no known word is similar.
  public var hint: String?

  /// Creates a fault; see the properties.
  public init(
    offset: Int, line: Int, column: Int, expected: String, found: String, hint: String? = nil
  ) {
    self.offset = offset
    self.line = line
    self.column = column
    continuation = .other(expected)
    self.found = found
    self.hint = hint
  }

  /// The expected part, such as "a value" or "a closing quote".
  public var expected: String {
    get { continuation.text }
    set { continuation = .other(newValue) }
  }

  /// The fault as a sentence, with its line and column.
  public var message: String {
    let place = line == 1 ? "Character \(column)" : "Line \(line), character \(column)"
    return "\(place): expected \(expected), but found \(found)."
  }
}

/// A query that InstantDB's client rejects before sending it.
public struct ValidationFault: Hashable, Sendable {
  /// The position in the query, such as `cities.$.where.name`; nil for the whole query.
  public var path: String?
  /// A description of the error, as a sentence.
  public var reason: String
  /// A suggestion of the most similar known name, as a sentence; nil if no name is similar.
  public var hint: String?

  /// Creates a fault; see the properties.
  public init(path: String?, reason: String, hint: String? = nil) {
    self.path = path
    self.reason = reason
    self.hint = hint
  }

  /// The exact message of InstantDB's client.
  public var message: String { path.map { "At path '\($0)': \(reason)" } ?? reason }
}
