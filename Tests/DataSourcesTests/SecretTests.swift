import DataSources
import DataSourcesTesting
import Testing

@Suite struct `Secrets` {
  @Test(arguments: [0o640, 0o604, 0o660])
  func `a file that other users can read is rejected with advice`(mode: Int) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("secrets")
    let secrets = SecretDataSource<String>(FileSecretStore(path: path))
    try await secrets.put("s3cret", id: "token")
    try folder.setMode(mode, of: "secrets")

    let read = await failure { () throws(DataSourceError) in try await secrets.get(id: "token") }
    let write = await failure { () throws(DataSourceError) in
      try await secrets.put("other", id: "token")
    }

    #expect(read?.code == .secretStore(status: 13))
    #expect(read?.message.hasSuffix("Run: chmod 600 \(path)") == true)
    #expect(write?.code == .secretStore(status: 13))
    try folder.setMode(0o600, of: "secrets")
    #expect(try await secrets.get(id: "token") == "s3cret")
  }

  @Test func `a secret survives a restart in a private file`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("secrets")

    try await SecretDataSource<String>(FileSecretStore(path: path)).put("s3cret", id: "token")

    #expect(try folder.mode(of: "secrets") == 0o600)
    let text = String(decoding: try #require(folder.bytes("secrets")), as: UTF8.self)
    #expect(!text.contains("s3cret"))
    let again = SecretDataSource<String>(FileSecretStore(path: path))
    #expect(try await again.get(id: "token") == "s3cret")
  }

  @Test func `a locked store is an error, not an empty store`() async throws {
    let secrets = SecretDataSource<String>(LockedSecretStore())

    let calls = [
      Call<String>.get(IdQuery("k")), .getAll(AllObjectsQuery()), .getAll(IdsQuery(["k"])),
      .put("s", IdQuery("k")), .putAll(["s"], IdQuery("k")), .putAll(["s"], AllObjectsQuery()),
      .delete(IdQuery("k")), .delete(AllObjectsQuery()),
    ]
    for call in calls {
      #expect(await call.outcome(on: secrets) == .failure(.secretStore(status: -25308)))
    }
  }

  @Test func `an error about a secret does not contain it`() async throws {
    let folder = TemporaryFolder()
    let store = FileSecretStore(path: folder.file("secrets"))
    try await SecretDataSource<String>(store).put("s3cret", id: "token")

    let error = await failure { () throws(DataSourceError) in
      try await SecretDataSource<Int>(store).get(id: "token")
    }

    #expect(error?.code == .dataSerialization)
    #expect(error.map { "\($0)" }?.contains("s3cret") == false)
  }

  @Test func `a bare number can be a secret`() async throws {
    let folder = TemporaryFolder()
    let secrets = SecretDataSource<Double>(FileSecretStore(path: folder.file("secrets")))

    try await secrets.put(2.5, id: "pin")

    #expect(try await secrets.get(id: "pin") == 2.5)
  }

  @Test func `an absent value can be a secret, alone and in an array`() async throws {
    let secrets = SecretDataSource<String?>(FaultySecretStore())

    try await secrets.put(.some(nil), id: "none")
    try await secrets.putAll(["a", nil], id: "some")

    #expect(try await secrets.get(id: "none") == nil)
    #expect(try await secrets.getAll(id: "some") == ["a", nil])
  }

  @Test func `a null is not a secret of another type`() async {
    let store = FaultySecretStore(["k": Array(#"{"v":null}"#.utf8), "empty": Array("{}".utf8)])
    let secrets = SecretDataSource<String>(store)

    for key in ["k", "empty"] {
      let error = await failure { () throws(DataSourceError) in try await secrets.get(id: key) }
      #expect(error?.code == .dataSerialization)
    }
  }
}

/// A locked keychain.
struct LockedSecretStore: SecretStore {
  let changes = ChangeSignal()
  private let locked = DataSourceError(.secretStore(status: -25308), "The keychain is locked.")

  func secrets(at keys: [String]) throws(DataSourceError) -> [[UInt8]?] { throw locked }
  func keys() throws(DataSourceError) -> [String] { throw locked }
  func write(_ secrets: [String: [UInt8]?]) throws(DataSourceError) { throw locked }
}
