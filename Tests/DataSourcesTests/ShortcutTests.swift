import DataSources
import DataSourcesTesting
import Foundation
import Testing

private struct Measurement: Codable, Sendable, Hashable, Identifiable {
  var id: String
  var takenAt: Double
}

/// A source that can only be written.
private struct Outbox: PutDataSource {
  let sent = InMemoryDataSource<String>()

  @discardableResult
  func put(_ object: String?, in query: any Query) async throws(DataSourceError) -> String {
    try await sent.put(object, in: query)
  }

  @discardableResult
  func putAll(_ objects: [String], in query: any Query) async throws(DataSourceError) -> [String] {
    try await sent.putAll(objects, in: query)
  }
}

private let text = Mapper<String, Int> { text throws(DataSourceError) in
  guard let number = Int(text) else { throw .notValid("\(text) is not a number.") }
  return number
}
private let number = Mapper<Int, String> { number in "\(number)" }

@Suite struct `Shortcuts` {
  @Test func `of a repository use the standard policy`() async throws {
    let repository: any Repository<Int> = CacheRepository(
      main: InMemoryDataSource<Int>(), cache: InMemoryDataSource<Int>())

    try await repository.put(1, id: "a")
    try await repository.putAll([2, 3], ids: ["b", "c"])
    try await repository.put(4, in: IdQuery("d"))

    #expect(try await repository.get(id: "a") == 1)
    #expect(try await repository.get(IdQuery("d"), policy: .main) == 4)
    #expect(try await repository.getAll(ids: ["c", "x", "b"], missing: .skip) == [3, 2])
    try await repository.delete(id: "a")
    try await repository.delete(ids: ["b"])
    try await repository.delete(IdQuery("d"))
    #expect(try await repository.getAll(AllObjectsQuery(), policy: .main) == [3])
  }

  @Test func `of a use case hold the query and the policy`() async throws {
    let main = RecordingDataSource<Int>()
    let repository = CacheRepository(main: main, cache: InMemoryDataSource<Int>())
    let put = repository.putting(1, in: IdQuery("a"), policy: .main)
    let get = repository.getting(IdQuery("a"), policy: .mainSync)

    try await put()

    #expect(try await get() == 1)
    #expect(try await repository.gettingAll(policy: .main)() == [1])
    try await repository.deleting(IdQuery("a"), policy: .main)()
    #expect(await failure { () throws(DataSourceError) in try await get() }?.code == .notFound)
    #expect(await main.operations == [.put, .get, .getAll, .delete, .get])
  }

  @Test func `wrap a source that can only be written`() async throws {
    let box = Outbox()
    let source = box.retrying().debugged(by: Debug { _ in }).mappingQueries {
      query throws(DataSourceError) in query
    }.mapped(to: text, from: number)

    #expect(try await source.put(5, id: "a") == 5)
    #expect(try await box.sent.get(id: "a") == "5")
  }

  @Test func `put the object of a query through a mapper`() async throws {
    let bytes = InMemoryDataSource<[UInt8]>()
    let source = bytes.mappedAsJSON(Measurement.self)
    let measurement = Measurement(id: "m", takenAt: 1)

    #expect(try await source.put(nil, in: ObjectQuery(measurement)) == measurement)
    #expect(try await source.get(id: "m") == measurement)
  }

  @Test func `catch an error by its code`() async throws {
    let source = InMemoryDataSource<Int>()
    var caught: [String] = []

    do {
      _ = try await source.get(id: "a")
    } catch .notFound {
      caught.append("typed")
    } catch {
      throw error
    }
    do throws(any Error) { _ = try await source.get(id: "a") } catch .notFound {
      caught.append("untyped")
    }
    do {
      try await Task.sleep(for: .zero)
      _ = try await source.get(id: "a")
    } catch .network(status: 404) {
      caught.append("wrong")
    } catch .notFound {
      caught.append("any")
    }
    let error = try #require(
      await failure { () throws(DataSourceError) in try await source.get(VoidQuery()) })
    switch error {
    case .unsupportedQuery: caught.append("switch")
    default: caught.append("wrong")
    }

    #expect(caught == ["typed", "untyped", "any", "switch"])
  }
}

@Suite struct `JSON settings` {
  private let coding = JSONCoding { encoder, decoder in
    encoder.keyEncodingStrategy = .convertToSnakeCase
    decoder.keyDecodingStrategy = .convertFromSnakeCase
  }
  private let measurement = Measurement(id: "m", takenAt: 1)

  @Test func `are used in both directions`() async throws {
    let bytes = InMemoryDataSource<[UInt8]>()
    let source = bytes.mappedAsJSON(Measurement.self, coding: coding)

    try await source.put(measurement, id: "m")

    #expect(
      String(decoding: try await bytes.get(id: "m"), as: UTF8.self)
        == #"{"id":"m","taken_at":1}"#)
    #expect(try await source.get(id: "m") == measurement)
  }

  @Test func `of a state file leave its own keys alone`() async throws {
    let folder = TemporaryFolder()
    let file = StateFile(path: folder.file("state"))
    let source = DeviceStorageDataSource<Measurement>(file, coding: coding)

    try await source.put(measurement, id: "first_key")

    let again = DeviceStorageDataSource<Measurement>(
      StateFile(path: folder.file("state")), coding: coding)
    #expect(try await again.get(id: "first_key") == measurement)
    #expect(String(decoding: folder.bytes("state") ?? [], as: UTF8.self).contains("taken_at"))
  }

  @Test func `that a state file could not be read with are refused`() async throws {
    let folder = TemporaryFolder()
    let file = StateFile(path: folder.file("state"))
    try await DeviceStorageDataSource<Int>(file).put(1, id: "kept")
    let pretty = DeviceStorageDataSource<Measurement>(
      file, coding: JSONCoding { encoder, _ in encoder.outputFormatting = .prettyPrinted })

    let error = await failure { () throws(DataSourceError) in
      try await pretty.put(measurement, id: "m")
    }

    #expect(error?.code == .dataSerialization)
    #expect(try await DeviceStorageDataSource<Int>(file).get(id: "kept") == 1)
  }
}

@Suite struct `Sources of tests` {
  @Test func `a script answers in order, and shows a call too many`() async throws {
    let busy = DataSourceError(.network(status: 503), "Busy.")
    let source = ScriptedDataSource<Int>([
      .failure(busy), .object(1), .objects([2]), .done, .objects([3]),
    ])

    #expect(await failure { () throws(DataSourceError) in try await source.get(id: 1) } == busy)
    #expect(try await source.get(id: 1) == 1)
    #expect(try await source.getAll(AllObjectsQuery()) == [2])
    try await source.delete(id: 1)
    let wrong = await failure { () throws(DataSourceError) in try await source.put(1, id: 1) }
    #expect(wrong?.code == .failed)
    let more = await failure { () throws(DataSourceError) in try await source.get(id: 7) }
    #expect(more?.message == "The script has no answer left for the call get(IdQuery<Int>(id: 7)).")
    #expect(await source.calls.count == 6)
    #expect(await source.remaining == 0)
  }

  @Test func `a secret store that is locked, damaged or failing`() async throws {
    let store = FaultySecretStore()
    let secrets = SecretDataSource<String>(store)
    try await secrets.put("s", id: "a")

    await store.lock(status: 5)
    let locked = await failure { () throws(DataSourceError) in try await secrets.get(id: "a") }
    #expect(locked?.code == .secretStore(status: 5))
    await store.unlock()
    #expect(try await secrets.get(id: "a") == "s")
    await store.failNext(.system(errno: 5, "Broken."))
    let failed = await failure { () throws(DataSourceError) in try await secrets.delete(id: "a") }
    #expect(failed?.code == .system(errno: 5))
    await store.damage("a")
    let damaged = await failure { () throws(DataSourceError) in try await secrets.get(id: "a") }
    #expect(damaged?.code == .dataSerialization)
    try await secrets.delete(id: "a")
    #expect(try await store.keys() == [])
  }

  @Test(arguments: KeyValueContract.rows)
  func `the contract over a secret store for tests`(row: ContractRow) async {
    #expect(await row.complaints(about: SecretDataSource<Note>(FaultySecretStore())) == [])
  }
}
