package import DataSources

/// The tokens of servers: `SONDE_TOKEN`, else the token file, else what is kept as a secret.
///
/// ```swift
/// let tokens = Tokens(secrets: Tokens.secrets(in: folders), file: tokenFile)
/// let token = try await tokens.token(for: "wss://example.org/app")
/// ```
package struct Tokens: Sendable {
  private let secrets: any DataSource<String>
  private let file: String?
  private let variable: @Sendable (String) -> String?

  /// - Parameters:
  ///   - secrets: Where tokens are kept, by the server's address.
  ///   - file: The file that `--token-file` names.
  ///   - variable: The environment.
  package init(
    secrets: any DataSource<String>, file: String? = nil,
    environment variable: @escaping @Sendable (String) -> String? = Folders.variable
  ) {
    self.secrets = secrets
    self.file = file
    self.variable = variable
  }

  /// The secrets of this user: the keychain on macOS, elsewhere a file for the user alone.
  package static func secrets(in folders: Folders) -> any DataSource<String> {
    #if canImport(Security)
      SecretDataSource<String>(KeychainSecretStore(service: "sonde"))
    #else
      SecretDataSource<String>(FileSecretStore(path: folders.state + "/secrets"))
    #endif
  }

  /// The token for the server at `address`; nil when there is none anywhere.
  ///
  /// - Throws: `secretStore` when the token file or the secrets can be read by others, or the
  ///   secrets are locked; `notValid` when the token is no token; what reading the file throws.
  package func token(for address: String) async throws(DataSourceError) -> Token? {
    if let text = variable("SONDE_TOKEN"), !text.isEmpty {
      return try Self.token(text, from: "SONDE_TOKEN")
    }
    if let file { return try Self.read(file) }
    guard let text = try await secrets.kept(Self.key(of: address)) else { return nil }
    return try Self.token(text, from: "the secret store")
  }

  /// Keeps `token` for the server at `address`.
  package func put(_ token: Token, for address: String) async throws(DataSourceError) {
    try await secrets.put(token.secret, id: Self.key(of: address))
  }

  /// Forgets the token of the server at `address`; there need not be one.
  package func delete(for address: String) async throws(DataSourceError) {
    try await secrets.delete(id: Self.key(of: address))
  }

  /// Reads a token file, as `--token-file` names it.
  ///
  /// - Throws: `notFound` when there is no such file, `secretStore` when others than its owner can
  ///   read it, `notValid` when what it holds is no token.
  package static func read(_ path: String) throws(DataSourceError) -> Token {
    guard let stamp = try Disk().stamp(of: path) else {
      throw DataSourceError(.notFound, "There is no token file \(path).")
    }
    try stamp.checkPrivate(path, holding: "token")
    guard let bytes = try Disk().read(path, upTo: longestTokenBytes) else {
      throw DataSourceError(.notFound, "There is no token file \(path).")
    }
    return try token(String(decoding: bytes, as: UTF8.self), from: path)
  }

  private static let longestTokenBytes = 65_536

  private static func token(
    _ text: String, from place: String
  ) throws(DataSourceError) -> Token {
    do throws(DataSourceError) {
      return try Token(text)
    } catch {
      throw .notValid("\(place): \(error.message)")
    }
  }

  /// The name of a server's token: the address without what varies in writing it. Scheme and host in
  /// lower case; no user, no query, no slash at the end.
  static func key(of address: String) -> String {
    var address = address[...]
    if let end = address.firstIndex(where: { $0 == "?" || $0 == "#" }) { address = address[..<end] }
    while address.last == "/" { address.removeLast() }
    guard let scheme = address.firstRange(of: "://") else { return "token:" + address }
    var rest = address[scheme.upperBound...]
    let path = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    rest = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)]
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    return "token:" + address[..<scheme.upperBound].lowercased() + rest.lowercased() + path
  }
}
