/// The address of a server and an app on it: `ws://host:port/APP-ID`.
///
/// With `wss`, the connection is encrypted. `instant://APP-ID` is an app on Instant's own servers.
package struct ServerAddress: Hashable, Sendable {
  package var host: String
  package var port: Int
  package var isSecure: Bool
  package var appID: String

  /// The URL path for opening sessions.
  package static let sessionPath = "/runtime/session"
  /// The host of Instant's own servers.
  package static let publicHost = "api.instantdb.com"

  package init(host: String, port: Int, isSecure: Bool = false, appID: String) {
    self.host = host
    self.port = port
    self.isSecure = isSecure
    self.appID = appID
  }

  /// Parses an address.
  /// - Throws: ``WebSocketError/address(_:reason:)`` with the reason.
  package init(_ text: String) throws(WebSocketError) {
    func fault(_ reason: String) -> WebSocketError { .address(text, reason: reason) }
    guard let colon = text.firstRange(of: "://") else {
      throw fault("it must begin with ws://, wss:// or instant://")
    }
    let scheme = text[..<colon.lowerBound].lowercased()
    let rest = text[colon.upperBound...]
    guard text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value < 0x7F }) else {
      throw fault("it contains an invalid character")
    }
    switch scheme {
    case "instant":
      let app = rest.split(separator: "/", omittingEmptySubsequences: true)
      guard app.count == 1 else { throw fault("instant:// must be followed by an app id only") }
      self.init(host: Self.publicHost, port: 443, isSecure: true, appID: String(app[0]))
    case "ws", "wss":
      let isSecure = scheme == "wss"
      let slash = rest.firstIndex(of: "/") ?? rest.endIndex
      let (host, port) = try Self.authority(rest[..<slash], isSecure ? 443 : 80, fault)
      let app = rest[slash...].split(separator: "/", omittingEmptySubsequences: true)
      guard app.count <= 1 else {
        throw fault("only an app id may follow the host")
      }
      self.init(
        host: host, port: port, isSecure: isSecure, appID: app.first.map(String.init) ?? "")
    default: throw fault("it must begin with ws://, wss:// or instant://, not \(scheme)://")
    }
  }

  private static func authority(
    _ text: Substring, _ standard: Int, _ fault: (String) -> WebSocketError
  ) throws(WebSocketError) -> (host: String, port: Int) {
    guard !text.contains("@") else {
      throw fault("it must not contain a token. Use SONDE_TOKEN or --token-file")
    }
    var host = text
    var port = standard
    if text.first == "[", let end = text.firstIndex(of: "]") {
      host = text[text.index(after: text.startIndex)..<end]
      let rest = text[text.index(after: end)...]
      guard rest.isEmpty || rest.first == ":" else {
        throw fault("only a port may follow the address in brackets")
      }
      if !rest.isEmpty { port = Int(rest.dropFirst()) ?? -1 }
    } else if let colon = text.lastIndex(of: ":") {
      host = text[..<colon]
      port = Int(text[text.index(after: colon)...]) ?? -1
    }
    guard !host.isEmpty else { throw fault("the host is missing") }
    guard (1...65_535).contains(port) else {
      throw fault("the port must be a number from 1 to 65535")
    }
    return (String(host), port)
  }

  /// Whether the server is on this machine.
  package var isLocal: Bool { Self.isLocal(host) }

  static func isLocal(_ host: String) -> Bool {
    host == "localhost" || host == "::1" || host.hasPrefix("127.")
  }

  /// The host and port for the `Host` header.
  var authority: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// The path and query of the URL for opening a session.
  var target: String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~".utf8)
    let app = appID.utf8.map { byte -> String in
      if plain.contains(byte) { return String(UnicodeScalar(byte)) }
      let hex = String(byte, radix: 16, uppercase: true)
      return "%" + (hex.utf8.count < 2 ? "0" : "") + hex
    }
    return "\(Self.sessionPath)?app_id=\(app.joined())"
  }
}

extension ServerAddress: CustomStringConvertible {
  package var description: String {
    "\(isSecure ? "wss" : "ws")://\(authority)/\(appID)"
  }
}
