/// The connection string of a PostgreSQL database: a URI, or keywords such as `host=… dbname=…`.
///
/// libpq takes missing parameters from the environment, service files and `~/.pgpass`.
public struct PostgresParameters: Hashable, Sendable {
  /// The connection string without the `#` and the name of an app.
  let address: String
  /// The name of an app of a self-hosted Instant server, written after `#`; nil without a name.
  let app: String?
  /// How stores on this address detect changes of other programs.
  public var liveMode = PostgresLiveMode.automatic
  /// Whether the database of an Instant server is opened as ordinary tables, not as one of its apps.
  public var opensTables = false
  /// The hosts to connect to; nil for those of the address and the environment.
  var hosts: PostgresHosts?

  /// Returns whether a text is a PostgreSQL address: a URI or a keyword string.
  public static func isAddress(_ text: String) -> Bool {
    if isURI(text) { return true }
    let lower = text.lowercased()
    guard let sign = lower.firstIndex(of: "=") else { return false }
    let word = String(lower[..<sign])
    let usual = ["host", "hostaddr", "port", "dbname", "user", "password", "service"]
    if usual.contains(word) { return true }
    // The first keyword may be misspelled. The text could also be the name of a file.
    guard word.allSatisfy({ $0.isLetter || $0 == "_" }) else { return false }
    return usual.contains { lower.contains(" \($0)=") }
      || nearestWord(to: word).map(secretWords.contains) == true
  }

  static func isURI(_ text: String) -> Bool {
    let lower = text.lowercased()
    return lower.hasPrefix("postgres://") || lower.hasPrefix("postgresql://")
  }

  /// Creates parameters from a connection string, as `psql` accepts it.
  ///
  /// A URI may end in `#` and the id or title of an app of a self-hosted Instant server. Mistakes in
  /// the string are reported when a store is opened.
  public init(_ text: String) {
    // libpq knows the scheme only in lower case.
    let text = Self.isURI(text) ? Self.withLowercaseScheme(text) : text
    guard Self.isURI(text), let mark = text.lastIndex(of: "#"),
      !Self.isInPassword(mark, of: text)
    else {
      (address, app) = (text, nil)
      return
    }
    address = String(text[..<mark])
    let name = String(text[text.index(after: mark)...])
    app = name.isEmpty ? nil : name
  }

  private static func withLowercaseScheme(_ text: String) -> String {
    let scheme = text.prefix { $0 != ":" }
    return scheme.lowercased() + text[scheme.endIndex...]
  }

  /// Returns whether a character of a URI belongs to the password, which ends at the first `@`.
  private static func isInPassword(_ place: String.Index, of text: String) -> Bool {
    guard let scheme = text.firstRange(of: "://"), place >= scheme.upperBound else { return false }
    return !text[scheme.upperBound..<place].contains { $0 == "@" || $0 == "/" }
      && text[place...].contains("@")
  }

  /// The parameters for libpq. Later parameters override the parameters in the address.
  var keywords: [(String, String)] {
    [
      ("dbname", address), ("fallback_application_name", "sonde"), ("client_encoding", "UTF8"),
    ] + (hosts?.keywords ?? [])
  }

  /// The address without its password, for titles, messages and stored state.
  public var shown: String {
    var shown = address
    for password in passwords.reversed() { shown.replaceSubrange(password, with: "…") }
    return app.map { shown + "#" + $0 } ?? shown
  }

  /// Returns the bytes of an address with `*` for each byte of its secrets.
  public static func masked(_ text: String) -> [UInt8] {
    var bytes = Array(text.utf8)
    let parameters = Self(text)
    let address = parameters.address
    for secret in parameters.passwords {
      let start = address.utf8.distance(from: address.startIndex, to: secret.lowerBound)
      let end = address.utf8.distance(from: address.startIndex, to: secret.upperBound)
      for place in start..<end { bytes[place] = UInt8(ascii: "*") }
    }
    return bytes
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
  ///
  /// A password that equals another part of the address, such as the user, is not a secret.
  func withoutPassword(_ words: String) -> String {
    // libpq begins a line of advice with a tab.
    var words = words.replacing("\n\t", by: ". ").split(whereSeparator: \.isNewline)
      .joined(separator: "; ")
    if let unknown = unknownWords.first(where: { words.contains("\"\($0)\"") }) {
      return Self.unknownParameter(unknown)
    }
    let shown = shown
    for range in passwords {
      let password = address[range]
      guard !password.isEmpty else { continue }
      let text = String(password)
      let plain = Self.isURI(address) ? Self.decoded(text) : Self.unquoted(text)
      for part in [text, plain] where !shown.contains(part) {
        words = words.replacing(part, by: "…")
      }
    }
    return words
  }

  /// Returns the value of a keyword string without its quotes and backslashes.
  private static func unquoted(_ text: String) -> String {
    var rest = text.hasPrefix("'") ? text.dropFirst() : text[...]
    if text.hasPrefix("'"), rest.last == "'" { rest = rest.dropLast() }
    var plain = ""
    while let character = rest.popFirst() {
      if character == "\\", let next = rest.popFirst() {
        plain.append(next)
      } else {
        plain.append(character)
      }
    }
    return plain
  }

  /// The places of all passwords in the address, in order, and of the values of unknown parameters.
  private var passwords: [Range<String.Index>] {
    func secret(_ values: [(word: String, value: Range<String.Index>)]) -> [Range<String.Index>] {
      values.filter { !Self.publicWords.contains($0.word) }.map(\.value)
    }
    if Self.isURI(address) { return [uriPassword].compactMap { $0 } + secret(queryValues) }
    let (values, others) = keywordValues
    return (secret(values) + others).sorted { $0.lowerBound < $1.lowerBound }
  }

  private var uriPassword: Range<String.Index>? {
    guard let scheme = address.firstRange(of: "://") else { return nil }
    let authority = address[scheme.upperBound...]
    // An unescaped @, / or ? may belong to the password, so more than the password may be removed.
    let first = authority.prefix { $0 != "/" }.firstIndex(of: "@") ?? authority.startIndex
    let limit = authority[first...].firstIndex(of: "?") ?? authority.endIndex
    guard let at = authority[..<limit].lastIndex(of: "@"),
      let colon = authority[..<at].firstIndex(of: ":")
    else { return nil }
    return authority.index(after: colon)..<at
  }

  /// The parameters after the `?` of a URI.
  private var queryValues: [(word: String, value: Range<String.Index>)] {
    let start = uriPassword?.upperBound ?? address.startIndex
    guard let mark = address[start...].firstIndex(of: "?") else { return [] }
    return address[address.index(after: mark)...].split(separator: "&").compactMap { part in
      part.firstIndex(of: "=").map { sign in
        (Self.decoded(String(part[..<sign])), part.index(after: sign)..<part.endIndex)
      }
    }
  }

  /// The parameters of a keyword string, and the words without a keyword, which may be parts of a
  /// password with spaces.
  private var keywordValues:
    (values: [(word: String, value: Range<String.Index>)], others: [Range<String.Index>])
  {
    var values: [(word: String, value: Range<String.Index>)] = []
    var others: [Range<String.Index>] = []
    var rest = address[...]
    func addOthers(_ words: some Collection<Substring>) {
      guard let first = words.first else { return }
      others.append(first.startIndex..<words.reduce(first.endIndex) { $1.endIndex })
    }
    while let sign = rest.firstIndex(of: "=") {
      let words = rest[..<sign].split(separator: " ")
      addOthers(words.dropLast())
      rest = rest[rest.index(after: sign)...].drop { $0 == " " }
      let start = rest.startIndex
      let isQuoted = rest.first == "'"
      if isQuoted { rest = rest.dropFirst() }
      while let character = rest.first, character != (isQuoted ? "'" : " ") {
        rest = rest.dropFirst(character == "\\" ? 2 : 1)
      }
      if isQuoted { rest = rest.dropFirst() }
      values.append((words.last.map(String.init) ?? "", start..<rest.startIndex))
    }
    addOthers(rest.split(separator: " "))
    return (values, others)
  }

  /// Whether a keyword string contains words without a keyword.
  var hasWordsWithoutKeyword: Bool { !keywordValues.others.isEmpty }

  /// The parameters that libpq does not know.
  private var unknownWords: [String] {
    (Self.isURI(address) ? queryValues : keywordValues.values).map(\.word)
      .filter { !Self.publicWords.contains($0) && !Self.secretWords.contains($0) }
  }

  static func decoded(_ text: String) -> String {
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
