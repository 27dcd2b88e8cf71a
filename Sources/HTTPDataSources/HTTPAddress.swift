public import DataSources

/// Where a server is: `http://host:port/path`, or `https://…` for one that proves who it is.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  public enum Scheme: String, Sendable, Hashable, CaseIterable {
    case http, https

    var port: Int {
      switch self {
      case .http: 80
      case .https: 443
      }
    }
  }

  public var scheme: Scheme
  public var host: String
  public var port: Int
  /// What comes before the path of every request; without a `/` at the end.
  public var path: String

  /// - Parameter port: The scheme's own (80, 443) when nil.
  public init(scheme: Scheme = .http, host: String, port: Int? = nil, path: String = "") {
    self.scheme = scheme
    self.host = host
    self.port = port ?? scheme.port
    self.path = path
  }

  /// - Throws: `illegalArgument` saying what is wrong with the text.
  public init(_ text: String) throws(DataSourceError) {
    guard let scheme = Scheme.allCases.first(where: { text.hasPrefix($0.rawValue + "://") }) else {
      throw .illegalArgument("\(text) is no address; write https://host:port/path.")
    }
    let rest = text.dropFirst(scheme.rawValue.count + 3)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let (host, port) = try Self.parse(authority: rest[..<end], scheme, of: text)
    var path = String(rest[end...])
    while path.hasSuffix("/") { path.removeLast() }
    self.init(scheme: scheme, host: host, port: port, path: path)
  }

  /// `host`, `host:port` or `[IPv6]:port`.
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
      throw .illegalArgument("\(text) names no host; write \(scheme.rawValue)://host:port/path.")
    }
    guard let port = Int(digits), (1...65_535).contains(port) else {
      throw .illegalArgument("\(text): the port is a number from 1 to 65535.")
    }
    return (String(host), port)
  }

  /// Host and port as the header `Host` has them.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == scheme.port ? host : "\(host):\(port)"
  }

  public var description: String { "\(scheme.rawValue)://\(authority)\(path)" }
}
