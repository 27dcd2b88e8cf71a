import NIOHTTP1

/// Who may speak to a server at all, by what a request says of where it comes from.
///
/// A server without a token is for this machine. Pages of the web run in a browser on this machine,
/// too, and a socket is open to every page: so a page must be of this machine as well, and the name
/// by which the server was called must be one of this machine's.
struct Admission: Sendable {
  /// Whether a token guards the store.
  let hasToken: Bool

  /// Those of pages; extensions of a browser have others.
  private static let pageSchemes = ["http://", "https://"]
  private static let ownNames: Set<String> = ["localhost", "127.0.0.1", "[::1]", "::1"]

  func admits(_ head: HTTPRequestHead) -> Bool {
    if hasToken { return true }
    if let host = head.headers.first(name: "Host"), !Self.isOwn(host) { return false }
    guard let origin = head.headers.first(name: "Origin") else {
      // A page that loads an image or a script from here sends no origin, but its browser says this.
      return head.headers.first(name: "Sec-Fetch-Site")?.lowercased() != "cross-site"
    }
    guard let scheme = Self.pageSchemes.first(where: origin.lowercased().hasPrefix) else {
      return false
    }
    return Self.isOwn(String(origin.dropFirst(scheme.count)))
  }

  /// Whether a host, with or without a port, is this machine.
  private static func isOwn(_ authority: String) -> Bool {
    var host = authority.prefix { $0 != "/" }
    if host.first != "[", let colon = host.lastIndex(of: ":") { host = host[..<colon] }
    if host.first == "[", let end = host.firstIndex(of: "]") { host = host[...end] }
    return ownNames.contains(host.lowercased())
  }
}
