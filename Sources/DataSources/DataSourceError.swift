/// The reason why a call to a data source failed.
///
/// Compare by ``code``; messages are for users. A code is also a pattern for `catch` and `switch`:
///
/// ```swift
/// do {
///   return try await source.get(id: "theme")
/// } catch .notFound {
///   return .dark
/// }
/// ```
public struct DataSourceError: Error, Sendable, Hashable {
  /// The kind of failure. Programs should make decisions by the code only.
  public enum Code: Sendable, Hashable {
    /// The source stores nothing for the query.
    case notFound
    /// The source does not support queries of this type.
    case unsupportedQuery
    /// The source supports the query, but not in combination with this operation or policy.
    case unsupportedOperation
    /// The source does not implement this operation.
    case notImplemented
    /// An argument is invalid or contradicts the query. Nothing was written.
    case illegalArgument
    /// The object that a call passed or read violates a validation rule.
    case notValid
    /// Stored or received data cannot be decoded, or an object cannot be encoded.
    case dataSerialization
    /// The network failed, or the server answered with an HTTP error status. The status is nil if
    /// there was no answer.
    case network(status: Int?)
    /// The client does not trust the server's certificate. No request was sent.
    case untrusted(Distrust)
    /// A system call failed with this `errno`.
    case system(errno: Int32)
    /// The secret store is locked or denied access. `status` is the system's error code. A missing
    /// secret is `notFound` instead.
    case secretStore(status: Int32)
    /// A store or server rejected the request, and nothing was written. `type` is the server's name
    /// for the kind of rejection, such as `record-not-unique`.
    case refused(type: String)
    /// The caller canceled the call. No partial result remains.
    case cancelled
    /// Any other failure.
    case failed
  }

  /// The reason why a server's certificate is not trusted.
  public enum Distrust: Sendable, Hashable {
    /// No trusted authority signed the certificate.
    case unknownAuthority
    /// The certificate has expired.
    case expired
    /// The certificate is not valid yet, or the local clock is wrong.
    case notYetValid
    /// The certificate is for another host.
    case ofAnotherHost
  }

  /// The kind of failure.
  public var code: Code
  /// A sentence for the user that says what failed, where, and what to do next.
  public var message: String
  /// The type of the source that failed, such as `"InMemoryDataSource<User>"`; nil if it is
  /// unknown.
  public var source: String?
  /// The operation that failed; nil if it is unknown.
  public var operation: DataOperation?
  /// The description of the underlying error; nil if there is none.
  public var cause: String?
  /// Details from the server or store that rejected the call, as JSON text; nil when there are
  /// none.
  public var hint: String?

  /// Creates an error.
  /// - Parameter message: A sentence for the user; see ``message``.
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

  /// Returns whether `error` has the given code: `error ~= .notFound`,
  /// `catch where error ~= .cancelled`.
  public static func ~= (error: DataSourceError, code: Code) -> Bool {
    error.code == code
  }
}

extension DataSourceError.Code {
  /// Returns whether `error` is a ``DataSourceError`` with this code: `catch .notFound`,
  /// `case .cancelled`.
  public static func ~= (code: DataSourceError.Code, error: any Error) -> Bool {
    (error as? DataSourceError)?.code == code
  }
}

/// The operations that a data source can support.
public enum DataOperation: String, Sendable, Hashable, CaseIterable {
  /// Reading one object, or several.
  case get, getAll
  /// Writing one object, or several.
  case put, putAll
  /// Deleting the objects that a query selects.
  case delete
  /// Watching the objects that a query selects.
  case watch
}

extension DataSourceError: CustomStringConvertible {
  /// The message, followed by the cause in parentheses.
  public var description: String {
    guard let cause, !cause.isEmpty else { return message }
    return "\(message) (\(cause))"
  }
}
