import DataSources
import DataSourcesTesting
import Notebooks
import Testing

private let address = "wss://example.org/app"

@Suite struct `Tokens of servers` {
  private let secrets = InMemoryDataSource<String>()

  @Test func `the variable goes before the file, the file before the secrets`() async throws {
    let folder = TemporaryFolder()
    try folder.write(" of-file\n", to: "token")
    let file = folder.file("token")
    try await Tokens(secrets: secrets).put(Token("of-secrets"), for: address)

    let all = Tokens(secrets: secrets, file: file) { $0 == "SONDE_TOKEN" ? "of-variable" : nil }
    let two = Tokens(secrets: secrets, file: file) { _ in "" }
    let one = Tokens(secrets: secrets) { _ in nil }

    #expect(try await all.token(for: address)?.secret == "of-variable")
    #expect(try await two.token(for: address)?.secret == "of-file")
    #expect(try await one.token(for: address)?.secret == "of-secrets")
  }

  @Test func `a server that nobody signed in to has no token`() async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }

    try await tokens.put(Token("a"), for: "wss://example.org/other")
    try await tokens.delete(for: address)

    #expect(try await tokens.token(for: address) == nil)
  }

  @Test(arguments: [
    "WSS://Example.org/app", "wss://example.org/app/", "wss://me:pw@example.org/app?x=1#y",
  ])
  func `an address written otherwise has the same token`(other: String) async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }
    try await tokens.put(Token("a"), for: address)

    #expect(try await tokens.token(for: other)?.secret == "a")
    try await tokens.delete(for: other)
    #expect(try await tokens.token(for: address) == nil)
  }

  @Test(arguments: ["wss://example.org/App", "ws://example.org/app", "wss://example.com/app"])
  func `another address has another token`(other: String) async throws {
    let tokens = Tokens(secrets: secrets) { _ in nil }
    try await tokens.put(Token("a"), for: address)

    #expect(try await tokens.token(for: other) == nil)
  }

  @Test(arguments: [0o640, 0o604])
  func `a token file that others can read is refused, with the remedy`(mode: Int) async throws {
    let folder = TemporaryFolder()
    try folder.write("s3cret", to: "token", mode: mode)
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.token(for: address)
    }

    #expect(error?.code == .secretStore(status: 13))
    #expect(error?.message.hasSuffix("run: chmod 600 \(folder.file("token"))") == true)
  }

  @Test(arguments: ["", " \n", "two\nlines", "a\u{1B}b"])
  func `what is no token is refused without telling it`(text: String) async throws {
    let folder = TemporaryFolder()
    try folder.write(text, to: "token")
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.token(for: address)
    }

    #expect(error?.code == .notValid)
    #expect(error?.message.hasPrefix(folder.file("token") + ": ") == true)
    #expect(error?.message.contains("two") == false)
  }

  @Test func `a file of any size is not read whole`() async throws {
    let folder = TemporaryFolder()
    try folder.write(String(repeating: "x", count: 1_000_000), to: "token")
    let tokens = Tokens(secrets: secrets, file: folder.file("token")) { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.token(for: address)
    }

    #expect(error?.code == .system(errno: 27))
  }

  @Test func `a token file that is not there is named`() async throws {
    let tokens = Tokens(secrets: secrets, file: "/nowhere/token") { _ in nil }

    let error = await failure { () throws(DataSourceError) in
      try await tokens.token(for: address)
    }

    #expect(error?.code == .notFound)
    #expect(error?.message == "There is no token file /nowhere/token.")
  }

  @Test func `locked secrets are not a missing token`() async throws {
    let folder = TemporaryFolder()
    try folder.write("{}", to: "secrets", mode: 0o644)
    let secrets = SecretDataSource<String>(FileSecretStore(path: folder.file("secrets")))

    let error = await failure { () throws(DataSourceError) in
      try await Tokens(secrets: secrets) { _ in nil }.token(for: address)
    }

    #expect(error?.code == .secretStore(status: 13))
  }

  @Test func `a token never shows itself`() throws {
    let token = try Token("s3cret")
    var dumped = ""
    dump([token], to: &dumped)

    for text in ["\(token)", String(reflecting: token), "\([token])", dumped] {
      #expect(!text.contains("s3cret"))
    }
  }
}
