import DataSources
import DataSourcesTesting
import Notebooks
import Testing

private let address = "wss://example.org/app"

@Suite struct `Tokens of servers` {
  private let secrets = InMemoryDataSource<String>()

  @Test func `the file has precedence over the variable, and the variable over the secrets`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.write(" of-file\n", to: "token")
    let file = folder.file("token")
    try await Tokens(secrets: secrets).put(.app(AccessToken("of-secrets")), for: address)
    let said: @Sendable (String) -> String? = { $0 == "SONDE_TOKEN" ? "of-variable" : nil }

    let all = Tokens(secrets: secrets, file: file, environment: said)
    let two = Tokens(secrets: secrets, environment: said)
    let one = Tokens(secrets: secrets) { _ in "" }

    #expect(try await all.credential(for: address) == .app(AccessToken("of-file")))
    #expect(try await two.credential(for: address) == .app(AccessToken("of-variable")))
    #expect(try await one.credential(for: address) == .app(AccessToken("of-secrets")))
    #expect(try await all.find(for: address)?.place == .file(file))
    #expect(try await two.find(for: address)?.place == .variable("SONDE_TOKEN"))
    #expect(try await one.find(for: address)?.place == .secrets)
  }

  @Test func `a token is the app's by default, or a user's by option`() async throws {
    let folder = TemporaryFolder()
    try folder.write("a", to: "token")
    let file = folder.file("token")
    let both = ["SONDE_TOKEN": "b", "SONDE_REFRESH_TOKEN": "c"]

    let users = Tokens(secrets: secrets, file: file, of: .user) { _ in nil }
    let ofVariable = Tokens(secrets: secrets, of: .user) { both[$0] }
    let refresh = Tokens(secrets: secrets) { $0 == "SONDE_REFRESH_TOKEN" ? "c" : nil }
    let appsOnly = Tokens(secrets: secrets, of: .app) { $0 == "SONDE_REFRESH_TOKEN" ? "c" : nil }

    #expect(try await users.credential(for: address) == .user(AccessToken("a")))
    #expect(try await ofVariable.credential(for: address) == .user(AccessToken("b")))
    #expect(try await refresh.credential(for: address) == .user(AccessToken("c")))
    #expect(try await appsOnly.credential(for: address) == nil)
  }

  @Test func `the app's token and a user's are stored separately`() async throws {
    func tokens(of holder: Credential.Holder?) -> Tokens {
      Tokens(secrets: secrets, of: holder) { _ in nil }
    }
    try await tokens(of: nil).put(.app(AccessToken("a")), for: address)
    try await tokens(of: nil).put(.user(AccessToken("u")), for: address)

    #expect(try await tokens(of: nil).credential(for: address) == .app(AccessToken("a")))
    #expect(try await tokens(of: .user).credential(for: address) == .user(AccessToken("u")))

    try await tokens(of: .app).delete(for: address)
    #expect(try await tokens(of: nil).credential(for: address) == .user(AccessToken("u")))
    try await tokens(of: nil).delete(for: address)
    #expect(try await tokens(of: nil).credential(for: address) == nil)
  }

  @Test func `the clients' token is in the file, or in an unambiguous variable`()
    async throws
  {
    let folder = TemporaryFolder()
    try folder.write("of-file", to: "token")
    let file = folder.file("token")
    let said: @Sendable (String) -> String? = { $0 == "SONDE_TOKEN" ? "of-variable" : nil }
    func tokens(_ file: String?, _ said: @escaping @Sendable (String) -> String?) -> Tokens {
      Tokens(secrets: secrets, file: file, environment: said)
    }
    try await tokens(nil, said).put(.app(AccessToken("of-secrets")), for: address)

    #expect(try tokens(nil, said).ofClients(before: nil) == AccessToken("of-variable"))
    #expect(try tokens(file, said).ofClients(before: nil) == AccessToken("of-file"))
    #expect(try tokens(file, said).ofClients(before: address) == AccessToken("of-file"))
    #expect(try tokens(nil) { _ in nil }.ofClients(before: address) == nil)
    #expect(
      try await tokens(nil, said).credential(for: address) == .app(AccessToken("of-variable")))
    let unclear = await failure { () throws(DataSourceError) in
      try tokens(nil, said).ofClients(before: address)
    }
    #expect(unclear?.code == .illegalArgument)
    #expect(unclear?.message.contains("--token-file FILE") == true)
  }

  @Test func `the clients' token is never taken from the secrets`() async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }
    try await tokens.put(.app(AccessToken("a")), for: address)

    #expect(try tokens.ofClients(before: nil) == nil)
    #expect(try Tokens(secrets: secrets) { _ in "b" }.ofClients(before: nil) == AccessToken("b"))
  }

  @Test func `a server without a stored token has none`() async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }

    try await tokens.put(.app(AccessToken("a")), for: "wss://example.org/other")
    try await tokens.delete(for: address)

    #expect(try await tokens.credential(for: address) == nil)
  }

  @Test(arguments: [
    "WSS://Example.org/app", "wss://example.org/app/", "wss://me:pw@example.org/app?x=1#y",
  ])
  func `equivalent addresses have the same token`(other: String) async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }
    try await tokens.put(.app(AccessToken("a")), for: address)

    #expect(try await tokens.credential(for: other) == .app(AccessToken("a")))
    try await tokens.delete(for: other)
    #expect(try await tokens.credential(for: address) == nil)
  }

  @Test(arguments: ["wss://example.org/App", "ws://example.org/app", "wss://example.com/app"])
  func `another address has another token`(other: String) async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }
    try await tokens.put(.app(AccessToken("a")), for: address)

    #expect(try await tokens.credential(for: other) == nil)
  }

  @Test(arguments: [0o640, 0o604])
  func `a token file that other users can read is rejected with advice`(mode: Int) async throws {
    let folder = TemporaryFolder()
    try folder.write("s3cret", to: "token", mode: mode)
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.credential(for: address)
    }

    #expect(error?.code == .secretStore(status: 13))
    #expect(error?.message.hasSuffix("Run: chmod 600 \(folder.file("token"))") == true)
  }

  @Test(arguments: ["", " \n", "two\nlines", "a\u{1B}b"])
  func `an invalid token is rejected without printing it`(text: String) async throws {
    let folder = TemporaryFolder()
    try folder.write(text, to: "token")
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.credential(for: address)
    }

    #expect(error?.code == .notValid)
    #expect(error?.message.hasPrefix(folder.file("token") + ": ") == true)
    #expect(error?.message.contains("two") == false)
  }

  @Test func `a huge token file is not read completely`() async throws {
    let folder = TemporaryFolder()
    try folder.write(String(repeating: "x", count: 1_000_000), to: "token")
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.credential(for: address)
    }

    #expect(error?.code == .system(errno: 27))
  }

  @Test func `a missing token file is an error with its path`() async throws {
    let tokens = Tokens(secrets: secrets, file: "/nowhere/token") { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.credential(for: address)
    }

    #expect(error?.code == .notFound)
    #expect(error?.message == "Token file not found: /nowhere/token.")
  }

  @Test func `locked secrets are an error, not a missing token`() async throws {
    let folder = TemporaryFolder()
    try folder.write("{}", to: "secrets", mode: 0o644)
    let secrets = SecretDataSource<String>(FileSecretStore(path: folder.file("secrets")))

    let error = await failure { () throws(DataSourceError) in
      try await Tokens(secrets: secrets) { _ in nil }.credential(for: address)
    }

    #expect(error?.code == .secretStore(status: 13))
  }

  @Test func `a token is redacted in descriptions`() throws {
    let token = try AccessToken("s3cret")
    var dumped = ""
    dump([token], to: &dumped)

    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("s3cret"))
    }
  }
}
