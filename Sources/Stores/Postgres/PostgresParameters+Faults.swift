import InstaQL

// Finds errors in an address. The messages of libpq about them quote parts of the address, which
// may belong to a password.
extension PostgresParameters {
  /// The reason why the address is invalid, without a period at the end; nil if no error is found.
  var fault: String? { Self.isURI(address) ? uriFault : keywordFault }

  private var uriFault: String? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let rest = address[scheme.upperBound...]
    let authority = rest.prefix { $0 != "/" }
    let path = rest[authority.endIndex...].prefix { $0 != "?" }.dropFirst()
    let isPathInPassword = path.firstIndex(of: "@").map { path[$0...].contains("/") } == true
    if let at = authority.firstIndex(of: "@") {
      let host = authority[authority.index(after: at)...].prefix { $0 != "?" }
      if host.contains("@") || isPathInPassword { return Self.unescaped("@", "%40") }
    } else if path.contains("@"), !authority.hasPrefix("[") {
      // The authority ends within the password, unless the name of the database contains the @.
      let port = authority.split(separator: ":", omittingEmptySubsequences: false).dropFirst().last
      let isPort = port?.allSatisfy(\.isNumber) ?? true
      if !isPort || isPathInPassword { return Self.unescaped("/", "%2F") }
    }
    let signs = Array(address.utf8)
    for place in signs.indices where signs[place] == UInt8(ascii: "%") {
      let code = signs[(place + 1)...].prefix(2)
      if code.count < 2 || UInt8(String(decoding: code, as: UTF8.self), radix: 16) == nil {
        return Self.unescaped("%", "%25")
      }
    }
    return nil
  }

  private static func unescaped(_ character: String, _ code: String) -> String {
    "the user name or the password contains '\(character)', which must be written \(code) in an "
      + "address"
  }

  private var keywordFault: String? {
    hasWordsWithoutKeyword
      ? "a word of the address has no keyword. Put a value with spaces in quotes, such as "
        + "password='…'" : nil
  }

  static func unknownParameter(_ word: String) -> String {
    "the address has an unknown parameter '\(word)'"
      + (nearestWord(to: word).map { ". Did you mean '\($0)'?" } ?? "")
  }

  static func nearestWord(to word: String) -> String? {
    NearestName.nearest(word, among: publicWords.union(secretWords).sorted())
  }

  /// The parameters of libpq that contain secrets.
  static let secretWords: Set<String> = [
    "password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key",
  ]

  /// The parameters of libpq that contain no secrets. Values of all others are not shown.
  static let publicWords: Set<String> = [
    "host", "hostaddr", "port", "dbname", "user", "service", "servicefile", "passfile",
    "connect_timeout", "client_encoding", "options", "application_name",
    "fallback_application_name", "keepalives", "keepalives_idle", "keepalives_interval",
    "keepalives_count", "tcp_user_timeout", "replication", "gssencmode", "krbsrvname", "gsslib",
    "gssdelegation", "sslmode", "ssl", "requiressl", "sslnegotiation", "sslcompression", "sslcert",
    "sslkey", "sslkeylogfile", "sslcertmode", "sslrootcert", "sslcrl", "sslcrldir", "sslsni",
    "ssl_min_protocol_version", "ssl_max_protocol_version", "min_protocol_version",
    "max_protocol_version", "requirepeer", "require_auth", "channel_binding",
    "target_session_attrs", "load_balance_hosts", "oauth_issuer", "oauth_client_id", "oauth_scope",
  ]
}
