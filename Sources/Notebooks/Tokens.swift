package import DataSources

/// Finds tokens for servers: in `--token-file`, or else in the environment, or else in the stored
/// secrets.
///
/// ```swift
/// let tokens = Tokens(secrets: Tokens.secrets(in: folders), file: tokenFile)
/// let credential = try await tokens.credential(for: "wss://example.org/app")
/// ```
///
/// `SONDE_TOKEN` and the file contain the app's token, or a user's token if the options say so.
/// `SONDE_REFRESH_TOKEN` contains a user's token.
package struct Tokens: Sendable {
  private let secrets: any DataSource<String>
  private let file: String?
  private let holder: Credential.Holder?
  private let variable: @Sendable (String) -> String?

  /// Creates a source of tokens.
  ///
  /// - Parameters:
  ///   - secrets: The stored tokens, keyed by the server's address.
  ///   - file: The path given by `--token-file`.
  ///   - holder: The kind of token to use; nil prefers the app's token.
  ///   - variable: Returns the value of an environment variable.
  package init(
    secrets: any DataSource<String>, file: String? = nil, of holder: Credential.Holder? = nil,
    environment variable: @escaping @Sendable (String) -> String? = Folders.variable
  ) {
    self.secrets = secrets
    self.file = file
    self.holder = holder
    self.variable = variable
  }

  /// Returns the tokens of the current user.
  ///
  /// Without a home folder, these are only the tokens in the token file and the environment.
  package static func ofThisUser(
    file: String? = nil, of holder: Credential.Holder? = nil, folders: Folders? = Folders()
  ) -> Tokens {
    Tokens(
      secrets: folders.map(secrets) ?? InMemoryDataSource<String>(), file: file, of: holder)
  }

  /// Returns the stored secrets of this user. On macOS, they are in the keychain; elsewhere, in a
  /// private file.
  package static func secrets(in folders: Folders) -> any DataSource<String> {
    #if canImport(Security)
      SecretDataSource<String>(KeychainSecretStore(service: "sonde"))
    #else
      SecretDataSource<String>(FileSecretStore(path: folders.state + "/secrets"))
    #endif
  }

  /// Returns the credential for the server at `address`; nil if there is none.
  ///
  /// - Throws: `secretStore` when other users can read the token file or the secrets, or when the
  ///   secrets are locked; `notValid` when the token is malformed; errors of reading the file.
  package func credential(for address: String) async throws(DataSourceError) -> Credential? {
    try await find(for: address)?.credential
  }

  /// The place where a token was found.
  package enum Place: Sendable, Equatable {
    case file(String)
    case variable(String)
    case secrets
  }

  /// Returns the credential for the server at `address` and the place where it was found; nil if
  /// there is none.
  ///
  /// - Throws: The errors of ``credential(for:)``.
  package func find(
    for address: String
  ) async throws(DataSourceError) -> (credential: Credential, place: Place)? {
    if let token = try given() {
      return (Credential(token, of: holder ?? .app), file.map { .file($0) } ?? .variable(Self.own))
    }
    if holder != .app, let token = try said(Self.refresh) {
      return (.user(token), .variable(Self.refresh))
    }
    for holder in holder.map({ [$0] }) ?? Credential.Holder.allCases {
      guard let text = try await secrets.kept(Self.key(of: address, holder)) else { continue }
      return (Credential(try Self.token(text, from: "the secret store"), of: holder), .secrets)
    }
    return nil
  }

  private static let own = "SONDE_TOKEN"
  private static let refresh = "SONDE_REFRESH_TOKEN"

  /// Returns the token from the token file, or else from `SONDE_TOKEN`. Nil if there is neither.
  ///
  /// - Throws: The errors of ``credential(for:)``.
  private func given() throws(DataSourceError) -> AccessToken? {
    if let file { return try Self.read(file) }
    return try said(Self.own)
  }

  /// Returns the token that clients of our own server must present; nil if they need no token.
  ///
  /// The token comes from the file, or else from `SONDE_TOKEN`.
  ///
  /// - Parameter origin: The address of the upstream server whose data our server serves; nil if
  ///   there is none. If there is one, `SONDE_TOKEN` is the token for the upstream server, and the
  ///   file contains the token for clients.
  /// - Throws: The errors of ``credential(for:)``; `illegalArgument` when `SONDE_TOKEN` is
  ///   ambiguous.
  package func ofClients(before origin: String?) throws(DataSourceError) -> AccessToken? {
    if let origin, file == nil, try said(Self.own) != nil {
      throw .illegalArgument(
        "SONDE_TOKEN is ambiguous: it could be the token for \(origin) or for this server's "
          + "clients. Pass the clients' token with --token-file FILE, or unset SONDE_TOKEN and "
          + "store the token for \(origin) with: sonde token \(origin)")
    }
    return try given()
  }

  private func said(_ name: String) throws(DataSourceError) -> AccessToken? {
    guard let text = variable(name), !text.isEmpty else { return nil }
    return try Self.token(text, from: name)
  }

  /// Stores a token for the server at `address`, in place of a token of the same kind.
  package func put(_ credential: Credential, for address: String) async throws(DataSourceError) {
    switch credential {
    case .app(let token): try await secrets.put(token.secret, id: Self.key(of: address, .app))
    case .user(let token): try await secrets.put(token.secret, id: Self.key(of: address, .user))
    }
  }

  /// Deletes the tokens of the server at `address`, or only those of one kind. If there are no
  /// tokens, this succeeds.
  package func delete(for address: String) async throws(DataSourceError) {
    let holders = holder.map { [$0] } ?? Credential.Holder.allCases
    try await secrets.delete(ids: holders.map { Self.key(of: address, $0) })
  }

  /// Reads a token file.
  ///
  /// - Throws: `notFound` when the file does not exist, `secretStore` when other users can read
  ///   it, `notValid` when its content is not a token.
  package static func read(_ path: String) throws(DataSourceError) -> AccessToken {
    guard let stamp = try FileSystem().stamp(of: path) else {
      throw DataSourceError(.notFound, "Token file not found: \(path).")
    }
    try stamp.checkPrivate(path, holding: "token")
    guard let bytes = try FileSystem().read(path, upTo: maxTokenBytes) else {
      throw DataSourceError(.notFound, "Token file not found: \(path).")
    }
    return try token(String(decoding: bytes, as: UTF8.self), from: path)
  }

  private static let maxTokenBytes = 65_536

  private static func token(
    _ text: String, from place: String
  ) throws(DataSourceError) -> AccessToken {
    do throws(DataSourceError) {
      return try AccessToken(text)
    } catch {
      throw .notValid("\(place): \(error.message)")
    }
  }

  /// Returns the key of a server's token: the normalized address.
  ///
  /// Scheme and host are in lower case. User, query and trailing slash are removed.
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
