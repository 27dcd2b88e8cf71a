import Triples

/// The connection string of a PostgreSQL database: a URI, or keywords such as `host=… dbname=…`.
///
/// libpq takes missing parameters from the environment, service files and `~/.pgpass`.
public struct PostgresParameters: Hashable, Sendable {
  /// The connection string without the `#` and the name of an app.
  private let address: String
  /// The name of an app of a self-hosted Instant server, written after `#`; nil without a name.
  let app: String?
  /// How stores on this address detect changes of other programs.
  public var liveMode = PostgresLiveMode.automatic

  /// Returns whether a text is a PostgreSQL address: a URI or a keyword string.
  public static func isAddress(_ text: String) -> Bool {
    let lower = text.lowercased()
    if lower.hasPrefix("postgres://") || lower.hasPrefix("postgresql://") { return true }
    let words = ["host=", "hostaddr=", "port=", "dbname=", "user=", "service="]
    return words.contains { lower.hasPrefix($0) }
  }

  /// Parses a connection string.
  public init(_ text: String) {
    guard text.contains("://"), let mark = text.lastIndex(of: "#") else {
      (address, app) = (text, nil)
      return
    }
    address = String(text[..<mark])
    let name = String(text[text.index(after: mark)...])
    app = name.isEmpty ? nil : name
  }

  /// The parameters for libpq. Later parameters override the parameters in the address.
  var keywords: [(String, String)] {
    [
      ("connect_timeout", PostgresSettings.connectTimeoutSeconds), ("dbname", address),
      ("fallback_application_name", "sonde"), ("client_encoding", "UTF8"),
    ]
  }

  /// The address without its password, for titles, messages and stored state.
  public var shown: String {
    var shown = address
    if let password = uriPassword {
      shown.replaceSubrange(password, with: "…")
    }
    if !address.contains("://"), let password = keywordPassword {
      shown.replaceSubrange(password, with: "…")
    } else if let query = queryPassword(in: shown) {
      shown.replaceSubrange(query, with: "…")
    }
    return app.map { shown + "#" + $0 } ?? shown
  }

  /// The name of the database; if the address contains no name, the address.
  public var name: String {
    let plain = shown
    guard let scheme = plain.firstRange(of: "://") else {
      let word = plain.split(separator: " ").first { $0.hasPrefix("dbname=") }
      return word.map { String($0.dropFirst("dbname=".count)) } ?? "postgres"
    }
    let rest = plain[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }
    let database = rest.split(separator: "/", omittingEmptySubsequences: false).dropFirst().first
    let name = database.map(String.init) ?? ""
    let base = name.isEmpty ? "postgres" : name
    return app.map { base + "#" + $0 } ?? base
  }

  /// Removes the password from a message of libpq.
  func withoutPassword(_ words: String) -> String {
    var words = words.split(whereSeparator: \.isNewline).joined(separator: "; ")
    for range in [uriPassword, keywordPassword, queryPassword(in: address)].compactMap({ $0 }) {
      let password = address[range]
      guard !password.isEmpty else { continue }
      for part in [String(password), Self.decoded(String(password))] {
        words = words.replacing(part, by: "…")
      }
    }
    return words
  }

  private var uriPassword: Range<String.Index>? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let authority = address[scheme.upperBound...]
    // An unescaped @ or / may belong to the password, so more than the password may be removed.
    let limit = authority.firstIndex(of: "?") ?? authority.endIndex
    guard let at = authority[..<limit].lastIndex(of: "@"),
      let colon = authority[..<at].firstIndex(of: ":")
    else { return nil }
    return authority.index(after: colon)..<at
  }

  private func queryPassword(in text: String) -> Range<String.Index>? {
    for word in ["?password=", "&password=", "?sslpassword=", "&sslpassword="] {
      guard let found = text.firstRange(of: word) else { continue }
      let end = text[found.upperBound...].firstIndex(of: "&") ?? text.endIndex
      return found.upperBound..<end
    }
    return nil
  }

  private var keywordPassword: Range<String.Index>? {
    guard !address.contains("://"), let word = address.firstRange(of: "password=") else {
      return nil
    }
    let start = word.upperBound
    guard address[start...].first == "'" else {
      return start..<(address[start...].firstIndex(of: " ") ?? address.endIndex)
    }
    var place = address.index(after: start)
    while place < address.endIndex, address[place] != "'" {
      if address[place] == "\\" { place = address.index(after: place) }
      if place < address.endIndex { place = address.index(after: place) }
    }
    return start..<(place < address.endIndex ? address.index(after: place) : place)
  }

  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let code = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(code)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  fileprivate func replacing(_ part: String, by other: String) -> String {
    guard !part.isEmpty else { return self }
    var (result, rest) = ("", self[...])
    while let found = rest.firstRange(of: part) {
      result += rest[..<found.lowerBound] + other
      rest = rest[found.upperBound...]
    }
    return result + rest
  }
}
