public import DataSources

/// A request as a value: it can be repeated, compared, and used as the key of a cached answer.
///
/// Its description and its key contain the method, the path and the parameters. They omit headers
/// and the body, which may contain secrets.
public struct HTTPRequestQuery: KeyQuery, CustomStringConvertible {
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  /// The body of a put or post without an object.
  public enum Body: Sendable, Hashable {
    /// JSON text, sent unchanged.
    case json([UInt8])
    /// Form fields, sent percent-encoded.
    case form([String: String])
  }

  public var method: Method
  /// Begins with `/` and is appended to the path of the source's address.
  public var path: String
  /// Query parameters of the URL, sorted by name.
  public var parameters: [String: String]
  public var headers: [String: String]
  public var body: Body?

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

  public var key: String { "\(method.rawValue) \(target)" }
  public var description: String { key }

  /// The percent-encoded path with its parameters.
  var target: String {
    let path = PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
    return parameters.isEmpty ? path : path + "?" + PercentEncoding.form(parameters)
  }
}

/// A query that an ``HTTPDataSource`` can send. An extension defines its request:
///
/// ```swift
/// extension SearchQuery: HTTPQuery {
///   var request: HTTPRequestQuery { HTTPRequestQuery(.get, "/search", parameters: ["q": text]) }
/// }
/// ```
public protocol HTTPQuery: Query {
  var request: HTTPRequestQuery { get }
}

extension HTTPRequestQuery: HTTPQuery {
  public var request: HTTPRequestQuery { self }
}

/// The object type of a source whose server sends no useful response; it is not decoded.
public struct NoResponse: Codable, Sendable, Hashable {
  public init() {}
}
