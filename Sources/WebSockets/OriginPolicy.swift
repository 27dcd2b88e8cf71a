import NIOHTTP1

/// Decides by a request's origin and host whether to accept the request.
///
/// A server without a token is only for programs on this machine. But a web page in a browser on
/// this machine can open sockets, too. So the page's origin must be local, and the request must use
/// a local host name.
struct OriginPolicy: Sendable {
  /// Whether a token protects the store.
  let hasToken: Bool

  /// The URL schemes of web pages. Browser extensions have other schemes.
  private static let pageSchemes = ["http://", "https://"]
  private static let ownNames: Set<String> = ["localhost", "127.0.0.1", "[::1]", "::1"]

  func admits(_ head: HTTPRequestHead) -> Bool {
    if hasToken { return true }
    if let host = head.headers.first(name: "Host"), !Self.isOwn(host) { return false }
    guard let origin = head.headers.first(name: "Origin") else {
      // A page that loads an image or a script sends no origin. But the browser adds this header to
      // the request.
      return head.headers.first(name: "Sec-Fetch-Site")?.lowercased() != "cross-site"
    }
    guard let scheme = Self.pageSchemes.first(where: origin.lowercased().hasPrefix) else {
      return false
    }
    return Self.isOwn(String(origin.dropFirst(scheme.count)))
  }

  /// Returns whether a host, with or without a port, is a name of this machine.
  private static func isOwn(_ authority: String) -> Bool {
    var host = authority.prefix { $0 != "/" }
    if host.first != "[", let colon = host.lastIndex(of: ":") { host = host[..<colon] }
    if host.first == "[", let end = host.firstIndex(of: "]") { host = host[...end] }
    return ownNames.contains(host.lowercased())
  }
}
