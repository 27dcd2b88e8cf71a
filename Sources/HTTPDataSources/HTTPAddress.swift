public import DataSources

/// Where a server is: `http://host:port/path`.
public struct HTTPAddress: Sendable, Hashable, CustomStringConvertible {
  public var host: String
  public var port: Int
  /// What comes before the path of every request; without a `/` at the end.
  public var path: String

  public init(host: String, port: Int = 80, path: String = "") {
    self.host = host
    self.port = port
    self.path = path
  }

  /// - Throws: `illegalArgument` saying what is wrong with the text.
  public init(_ text: String) throws(DataSourceError) {
    guard text.hasPrefix("http://") else {
      throw .illegalArgument(
        text.hasPrefix("https://")
          ? "\(text): https is not supported yet; use http:// to a server that you trust."
          : "\(text) is no address; write http://host:port/path.")
    }
    let rest = text.dropFirst("http://".count)
    let end = rest.firstIndex(of: "/") ?? rest.endIndex
    let (host, port) = try Self.parse(authority: rest[..<end], of: text)
    var path = String(rest[end...])
    while path.hasSuffix("/") { path.removeLast() }
    self.init(host: host, port: port, path: path)
  }

  /// `host`, `host:port` or `[IPv6]:port`.
  private static func parse(
    authority: Substring, of text: String
  ) throws(DataSourceError) -> (String, Int) {
    var host = authority
    var digits: Substring = "80"
    let afterBrackets = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[afterBrackets...].lastIndex(of: ":") {
      host = authority[..<colon]
      digits = authority[authority.index(after: colon)...]
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
    guard !host.isEmpty, !host.contains("@") else {
      throw .illegalArgument("\(text) names no host; write http://host:port/path.")
    }
    guard let port = Int(digits), (1...65_535).contains(port) else {
      throw .illegalArgument("\(text): the port is a number from 1 to 65535.")
    }
    return (String(host), port)
  }

  /// Host and port as the header `Host` has them.
  var authority: String {
    let host = host.contains(":") ? "[\(host)]" : host
    return port == 80 ? host : "\(host):\(port)"
  }

  public var description: String { "http://\(authority)\(path)" }
}
