public import DataSources

/// The address of a server: `http://host:port/path`, or `https://…` with a verified certificate.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  /// The protocol of an address, which determines whether the connection is encrypted.
  public enum Scheme: String, Sendable, Hashable, CaseIterable {
    /// HTTP without encryption, or encrypted with a verified certificate.
    case http, https

    var port: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  /// The scheme, `http` or `https`.
  public var scheme: Scheme
  /// The host: a name, or an IP address without brackets.
  public var host: String
  /// The TCP port.
  public var port: Int
  /// The path of the address, without a trailing `/`. The path of each request is appended to it.
  public var path: String

  /// Creates an address from its parts.
  /// - Parameter port: The port; nil for the scheme's default port (80 or 443).
  public init(scheme: Scheme = .http, host: String, port: Int? = nil, path: String = "") {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.port
    self.path = path
  }

  /// Parses an address.
  /// - Throws: `illegalArgument` when the text is not an address.
  public init(_ text: String) throws(DataSourceError) {
    guard let scheme = Scheme.allCases.first(where: { text.hasPrefix($0.rawValue + "://") }) else {
      throw .illegalArgument("\(text) is not an HTTP address. Use https://host:port/path.")
    }
    let rest = text.dropFirst(scheme.rawValue.count + 3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let (host, port) = try Self.parse(authority: rest[..<end], scheme, of: text)
    var path = String(rest[end...])
    while path.hasSuffix("/") { path.removeLast() }
    self.init(scheme: scheme, host: host, port: port, path: path)
  }

  /// Parses `host`, `host:port` or `[IPv6]:port`.
  private static func parse(
    authority: Substring, _ scheme: Scheme, of text: String
  ) throws(DataSourceError) -> (String, Int) {
    var host = authority
    var digits = "\(scheme.port)"[...]
    let afterBrackets = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBrackets...].lastIndex(of: ":") {
      host = authority[..<colon]
      digits = authority[authority.index(after: colon)...]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, !host.contains("@") else {
      throw .illegalArgument("\(text) has no valid host. Use \(scheme.rawValue)://host:port/path.")
    }
    guard let port = Int(digits), (1...65_535).contains(port) else {
      throw .illegalArgument("\(text) has an invalid port. Use a number from 1 to 65535.")
    }
    return (String(host), port)
  }

  /// The host and port for the `Host` header; the scheme's default port is omitted.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == scheme.port ? host : "\(host):\(port)"
  }

  /// The address as text; the scheme's default port is omitted.
  public var description: String { "\(scheme.rawValue)://\(authority)\(path)" }
}
