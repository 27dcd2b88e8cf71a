public import DataSources

/// An HTTP request as a value. It can be repeated, compared, and used as the key of a cached
/// answer.
///
/// Its description and its key contain the method, the path and the parameters. They omit headers
/// and the body, which may contain secrets.
public struct HTTPRequestQuery: KeyQuery, CustomStringConvertible {
  /// The HTTP method. Each kind of call (get, put, delete) accepts certain methods.
  public enum Method: String, Sendable, Hashable, CaseIterable {
    /// Reads objects, for get and getAll.
    case get = "GET"
    /// Checks whether an object exists, without reading it; for get of a source of ``NoResponse``.
    case head = "HEAD"
    /// Replaces or creates objects, for put and putAll.
    case put = "PUT"
    /// Sends objects, for put and putAll.
    case post = "POST"
    /// Sends only the changes of an object, for put and putAll.
    case patch = "PATCH"
    /// Deletes objects, for delete.
    case delete = "DELETE"
  }

  /// The body of a put, post or patch when the call has no object to send.
  public enum Body: Sendable, Hashable {
    /// JSON text, which is sent unchanged.
    case json([UInt8])
    /// Form fields, which are sent percent-encoded.
    case form([String: String])
  }

  /// The HTTP method, which must match the call.
  public var method: Method
  /// The path of the request. It begins with `/` and is appended to the path of the client's
  /// address.
  public var path: String
  /// The query parameters of the URL. They are sent sorted by name.
  public var parameters: [String: String]
  /// The headers of this request only. For headers of all requests, use ``HTTPClient``.
  public var headers: [String: String]
  /// The body to send if the call has no object.
  public var body: Body?

  /// Creates a request for a path below the client's address.
  public init(
    _ method: Method, _ path: String, parameters: [String: String] = [:],
    headers: [String: String] = [:], body: Body? = nil
  ) {
    self.method = method
    self.path = path
    self.parameters = parameters
    self.headers = headers
    self.body = body
  }

  /// The key of a cached answer: the method, the path and the parameters.
  public var key: String { "\(method.rawValue) \(target)" }
  public var description: String { key }

  /// The path and the parameters, percent-encoded, as in the request line.
  var target: String {
    let path = PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
    return parameters.isEmpty ? path : path + "?" + PercentEncoding.form(parameters)
  }
}

/// A query that an ``HTTPDataSource`` can send. An extension of a query type returns its request:
///
/// ```swift
/// extension SearchQuery: HTTPQuery {
///   var request: HTTPRequestQuery { HTTPRequestQuery(.get, "/search", parameters: ["q": text]) }
/// }
/// ```
public protocol HTTPQuery: Query {
  /// The HTTP request to send for the query.
  var request: HTTPRequestQuery { get }
}

extension HTTPRequestQuery: HTTPQuery {
  /// The query itself.
  public var request: HTTPRequestQuery { self }
}

/// The object type for a server whose responses are not needed. They are not decoded.
public struct NoResponse: Codable, Sendable, Hashable {
  /// Creates the only value of the type.
  public init() {}
}
