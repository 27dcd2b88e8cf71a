public import DataSources

/// One request, as a value: it can be sent again, compared, and be the key of a cached answer.
///
/// Its text and its key tell the method, the path and the parameters; headers and bodies, which may
/// hold secrets, stay out of both.
public struct HTTPRequestQuery: KeyQuery, CustomStringConvertible {
  public enum Method: String, Sendable, Hashable {
    case get = "GET"
    case put = "PUT"
    case post = "POST"
    case delete = "DELETE"
  }

  /// What a put or post sends when the call gives no object.
  public enum Body: Sendable, Hashable {
    /// JSON text, as it is sent.
    case json([UInt8])
    /// Fields of a form, sent percent-encoded.
    case form([String: String])
  }

  public var method: Method
  /// Begins with `/`; comes after the path of the source's address.
  public var path: String
  /// Always in the address, sorted by name.
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

  /// The path with the parameters, percent-encoded.
  var target: String {
    let path = PercentEncoding.path(path.hasPrefix("/") ? path : "/" + path)
    return parameters.isEmpty ? path : path + "?" + PercentEncoding.form(parameters)
  }
}

/// A query that an ``HTTPDataSource`` can send. What it means as a request is said beside it:
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

/// The object of a source whose server answers nothing worth reading: no answer is decoded.
public struct NoResponse: Codable, Sendable, Hashable {
  public init() {}
}
