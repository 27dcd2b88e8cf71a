package import DataSources

/// The tokens of servers: what `--token-file` names, else the environment, else what is kept as a
/// secret. What is said on the command line goes before what lies around.
///
/// ```swift
/// let tokens = Tokens(secrets: Tokens.secrets(in: folders), file: tokenFile)
/// let credential = try await tokens.credential(for: "wss://example.org/app")
/// ```
///
/// `SONDE_TOKEN` and the file hold the app's own token, or a user's if that is said;
/// `SONDE_REFRESH_TOKEN` holds a user's.
package struct Tokens: Sendable {
  private let secrets: any DataSource<String>
  private let file: String?
  private let holder: Credential.Holder?
  private let variable: @Sendable (String) -> String?

  /// - Parameters:
  ///   - secrets: Where tokens are kept, by the server's address.
  ///   - file: The file that `--token-file` names.
  ///   - holder: Whose token is wanted; nil takes the app's own where there is one.
  ///   - variable: The environment.
  package init(
    secrets: any DataSource<String>, file: String? = nil, of holder: Credential.Holder? = nil,
    environment variable: @escaping @Sendable (String) -> String? = Folders.variable
  ) {
    self.secrets = secrets
    self.file = file
    self.holder = holder
    self.variable = variable
  }

  /// Those of this user; without a home, what is said on the command line and in the environment.
  package static func ofThisUser(
    file: String? = nil, of holder: Credential.Holder? = nil, folders: Folders? = Folders()
  ) -> Tokens {
    Tokens(
      secrets: folders.map(secrets) ?? InMemoryDataSource<String>(), file: file, of: holder)
  }

  /// The secrets of this user: the keychain on macOS, elsewhere a file for the user alone.
  package static func secrets(in folders: Folders) -> any DataSource<String> {
    #if canImport(Security)
      SecretDataSource<String>(KeychainSecretStore(service: "sonde"))
    #else
      SecretDataSource<String>(FileSecretStore(path: folders.state + "/secrets"))
    #endif
  }

  /// What the server at `address` shall know this user by; nil when there is nothing anywhere.
  ///
  /// - Throws: `secretStore` when the token file or the secrets can be read by others, or the
  ///   secrets are locked; `notValid` when the token is no token; what reading the file throws.
  package func credential(for address: String) async throws(DataSourceError) -> Credential? {
    if let token = try given() { return Credential(token, of: holder ?? .app) }
    if holder != .app, let token = try said("SONDE_REFRESH_TOKEN") { return .user(token) }
    for holder in holder.map({ [$0] }) ?? Credential.Holder.allCases {
      guard let text = try await secrets.kept(Self.key(of: address, holder)) else { continue }
      return Credential(try Self.token(text, from: "the secret store"), of: holder)
    }
    return nil
  }

  /// The token of the file, else of `SONDE_TOKEN`, whatever it is for; nil when there is neither.
  ///
  /// - Throws: As ``credential(for:)``.
  private func given() throws(DataSourceError) -> Token? {
    if let file { return try Self.read(file) }
    return try said("SONDE_TOKEN")
  }

  /// What clients of a server of ours must show: the token of the file, else of `SONDE_TOKEN`; nil when
  /// nothing is asked of them.
  ///
  /// - Parameter origin: The address of the server whose data ours serves, if it is one. `SONDE_TOKEN`
  ///   is then what that one shall know us by, and clients' token stands in the file.
  /// - Throws: As ``credential(for:)``; `illegalArgument` when `SONDE_TOKEN` could be either's.
  package func ofClients(before origin: String?) throws(DataSourceError) -> Token? {
    if let origin, file == nil, try said("SONDE_TOKEN") != nil {
      throw .illegalArgument(
        "SONDE_TOKEN could be meant for \(origin) or for this server's clients. Say with "
          + "--token-file FILE what clients must show; or keep the other with: sonde token \(origin), "
          + "and unset SONDE_TOKEN.")
    }
    return try given()
  }

  private func said(_ name: String) throws(DataSourceError) -> Token? {
    guard let text = variable(name), !text.isEmpty else { return nil }
    return try Self.token(text, from: name)
  }

  /// Keeps a token for the server at `address`, in place of one of the same holder.
  package func put(_ credential: Credential, for address: String) async throws(DataSourceError) {
    switch credential {
    case .app(let token): try await secrets.put(token.secret, id: Self.key(of: address, .app))
    case .user(let token): try await secrets.put(token.secret, id: Self.key(of: address, .user))
    }
  }

  /// Forgets the tokens of the server at `address`, or those of one holder; there need not be any.
  package func delete(for address: String) async throws(DataSourceError) {
    let holders = holder.map { [$0] } ?? Credential.Holder.allCases
    try await secrets.delete(ids: holders.map { Self.key(of: address, $0) })
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
  static func key(of address: String, _ holder: Credential.Holder) -> String {
    let kind =
      switch holder {
      case .app: "token:"
      case .user: "user-token:"
      }
    var address = address[...]
    if let end = address.firstIndex(where: { $0 == "?" || $0 == "#" }) { address = address[..<end] }
    while address.last == "/" { address.removeLast() }
    guard let scheme = address.firstRange(of: "://") else { return kind + address }
    var rest = address[scheme.upperBound...]
    let path = rest.firstIndex(of: "/").map { rest[$0...] } ?? ""
    rest = rest[..<(rest.firstIndex(of: "/") ?? rest.endIndex)]
    if let at = rest.lastIndex(of: "@") { rest = rest[rest.index(after: at)...] }
    return kind + address[..<scheme.upperBound].lowercased() + rest.lowercased() + path
  }
}
