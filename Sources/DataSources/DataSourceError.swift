/// Why a data source could not do what it was asked.
///
/// Compare by ``code``: messages are for people.
///
/// ```swift
/// do throws(DataSourceError) {
///   return try await source.get(id: "theme")
/// } catch where error ~= .notFound {
///   return .dark
/// }
/// ```
public struct DataSourceError: Error, Sendable, Hashable {
  /// What kind of failure it is; the only thing for a program to decide by.
  public enum Code: Sendable, Hashable {
    /// Nothing is stored under what was asked for.
    case notFound
    /// The source does not know queries of this type.
    case unsupportedQuery
    /// The source knows the query, but not this way of carrying it out.
    case unsupportedOperation
    /// The source was never made to have this operation.
    case notImplemented
    /// An argument contradicts itself or the query; nothing was written.
    case illegalArgument
    /// What was given or found breaks a rule of the data.
    case notValid
    /// What is stored or received cannot be read, or what is given cannot be written down.
    case dataSerialization
    /// The network, or the server with an HTTP status; nil when there was no answer at all.
    case network(status: Int?)
    /// The server is not who it should be; nothing was told to it.
    case untrusted(Distrust)
    /// The system refused, with its error number.
    case system(errno: Int32)
    /// The secret store is locked or denied, with the system's status; never said for a missing secret.
    case secretStore(status: Int32)
    /// A store or server understood and said no, with its word for the kind of refusal, such as
    /// `record-not-unique`; nothing was written.
    case refused(type: String)
    /// The call was cancelled; nothing is half done.
    case cancelled
    /// Anything else, in words.
    case failed
  }

  /// Why a server is not trusted.
  public enum Distrust: Sendable, Hashable {
    /// Nobody that is trusted vouches for its certificate.
    case unknownAuthority
    /// Its certificate was valid once.
    case expired
    /// Its certificate will be valid, or this clock is wrong.
    case notYetValid
    /// Its certificate is another host's.
    case ofAnotherHost
  }

  public var code: Code
  /// One sentence for a person: what, where, and what to do next.
  public var message: String
  /// The source that met the failure: `"InMemoryDataSource<User>"`; nil when nobody said.
  public var source: String?
  /// The call that failed; nil when nobody said.
  public var operation: DataOperation?
  /// The underlying error in its own words, if there was one.
  public var cause: String?
  /// What the one who refused adds for those who can read it, as JSON text; nil when nothing.
  public var hint: String?

  public init(
    _ code: Code, _ message: String, source: String? = nil, operation: DataOperation? = nil,
    cause: String? = nil, hint: String? = nil
  ) {
    self.code = code
    self.message = message
    self.source = source
    self.operation = operation
    self.cause = cause
    self.hint = hint
  }

  /// Whether `error` is of the kind `code`: `error ~= .notFound`, `catch where error ~= .cancelled`.
  public static func ~= (error: DataSourceError, code: Code) -> Bool {
    error.code == code
  }
}

/// The calls that a data source can have.
public enum DataOperation: String, Sendable, Hashable, CaseIterable {
  case get, getAll, put, putAll, delete, watch
}

extension DataSourceError: CustomStringConvertible {
  /// The message, and what lay beneath it.
  public var description: String {
    guard let cause, !cause.isEmpty else { return message }
    return "\(message) (\(cause))"
  }
}
