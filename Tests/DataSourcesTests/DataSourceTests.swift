import DataSources
import DataSourcesTesting
import FoundationEssentials
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

private enum Setting: String, QueryID {
  case theme, keymap
}

/// A source that can only be read.
private struct ReadOnly: GetDataSource {
  func get(_ query: any Query) async throws(DataSourceError) -> Int { 1 }
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] { [1, 2] }
}

@Suite struct `Queries` {
  @Test func `are values: equal queries compare equal and have equal hashes`() {
    #expect(IdQuery("a") == IdQuery("a"))
    #expect(IdQuery("a").hashValue == IdQuery("a").hashValue)
    #expect(IdQuery("a") != IdQuery("b"))
    #expect(Set([IdsQuery([1, 2]), IdsQuery([1, 2]), IdsQuery([2, 1])]).count == 2)
    #expect(AllObjectsQuery() == AllObjectsQuery())
    #expect(VoidQuery() == VoidQuery())
    #expect(Set([ObjectQuery(Note("a")), ObjectQuery(Note("a"))]).count == 1)
    #expect(Set([ObjectsQuery([1, 2]), ObjectsQuery([1, 2]), ObjectsQuery([2])]).count == 2)
    #expect(
      PaginationOffsetLimitQuery(1, 2) == PaginationOffsetLimitQuery(offset: 1, limit: 2))
  }

  @Test func `have the id's text as their key, which is the same in every run`() throws {
    let uuid = try #require(UUID(uuidString: "0C9F3B6E-1111-4222-8333-ABCDEFABCDEF"))

    #expect(IdQuery(uuid).key == "0c9f3b6e-1111-4222-8333-abcdefabcdef")
    #expect(IdQuery(Int64.min).key == "-9223372036854775808")
    #expect(IdQuery(UInt64.max).key == "18446744073709551615")
    #expect(IdQuery(Setting.theme).key == "theme")
    #expect(IdQuery(5).key == IdQuery("5").key)
  }

  @Test func `for an object without an id, or for all objects, have no key`() {
    #expect(ObjectQuery(Note("a")) as Any is any KeyQuery)
    #expect(!(ObjectQuery(5) as Any is any KeyQuery))
    #expect(!(AllObjectsQuery() as Any is any KeyQuery))
    #expect(!(IdsQuery(["a"]) as Any is any KeyQuery))
  }

  @Test func `by UUID find the entry in the next run`() async throws {
    let folder = TemporaryFolder()
    let id = UUID()
    let path = folder.file("state")
    try await DeviceStorageDataSource<Int>(StateFile(path: path)).put(7, id: id)

    let text = String(decoding: try #require(folder.bytes("state")), as: UTF8.self)
    let next = DeviceStorageDataSource<Int>(StateFile(path: path))

    #expect(text.hasSuffix("{\"key\":\"\(id.uuidString.lowercased())\",\"one\":7}\n"))
    #expect(try await next.get(id: id) == 7)
  }

  @Test func `with a reserved key are rejected`() async throws {
    let source = InMemoryDataSource<Int>()

    for key in ["\u{0}all", "\u{0}"] {
      #expect(await Call.put(1, IdQuery(key)).outcome(on: source) == .failure(.illegalArgument))
      #expect(
        await Call.delete(IdsQuery(["a", key])).outcome(on: source) == .failure(.illegalArgument))
    }
  }
}

@Suite struct `Data sources` {
  @Test func `can support one group of calls without the others`() async throws {
    let source = ReadOnly()

    #expect(try await source.get(id: "any") == 1)
    #expect(!(source as Any is any PutDataSource<Int>))
    #expect(!(source as Any is any DeleteDataSource))
  }

  @Test func `answer calls by id like the equivalent queries`() async throws {
    let base = RecordingDataSource<Note>()
    let a = Note("a")

    try await base.put(a, id: "a")
    try await base.putAll([a], id: "many")
    try await base.putAll([a], ids: ["a"])
    _ = try await base.get(id: "a")
    _ = try await base.getAll(id: "many")
    _ = try await base.getAll(ids: ["a"])
    try await base.delete(id: "a")
    try await base.delete(ids: ["a"])
    try await base.deleteAll(id: "a")
    try await base.deleteAll(IdQuery("a"))

    let queries = await base.calls.map { "\($0)" }
    let expected: [Call<Note>] = [
      .put(a, IdQuery("a")), .putAll([a], IdQuery("many")), .putAll([a], IdsQuery(["a"])),
      .get(IdQuery("a")), .getAll(IdQuery("many")), .getAll(IdsQuery(["a"])),
      .delete(IdQuery("a")), .delete(IdsQuery(["a"])), .delete(IdQuery("a")), .delete(IdQuery("a")),
    ]
    #expect(queries == expected.map { "\($0)" })
  }

  @Test(arguments: KeyValueContract.rows)
  func `of type VoidDataSource throw notImplemented for every call`(
    row: ContractRow
  ) async {
    #expect(await row.call.outcome(on: VoidDataSource<Note>()) == .failure(.notImplemented))
  }

  @Test(arguments: SourceKind.all)
  func `of every kind work with a generic function`(kind: SourceKind) async throws {
    func roundTrip<Source: DataSource<Note>>(_ source: Source) async throws -> Note {
      try await source.put(Note("a"), id: "a")
      return try await source.get(id: "a")
    }
    let folder = TemporaryFolder()

    #expect(try await roundTrip(AnyDataSource(kind.make(folder))) == Note("a"))
  }

  @Test(arguments: SourceKind.all)
  func `report the first missing id`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    try await source.put(Note("a"), id: "a")

    let error = await failure { () throws(DataSourceError) in
      try await source.getAll(ids: ["a", "lost", "gone"])
    }

    #expect(error?.code == .notFound)
    #expect(error?.message.contains("\"lost\"") == true)
  }

  @Test func `that cannot be watched throw notImplemented`() async {
    let erased = AnyGetDataSource<Int>(ReadOnly())

    let error = await failure { () throws(DataSourceError) in
      for try await _ in erased.watch(IdQuery("a")) {}
    }

    #expect(error?.code == .notImplemented)
    #expect(error?.message == "AnyGetDataSource<Int> does not support the operation 'watch'.")
  }

  @Test func `forget a canceled watcher`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, id: "k")

    for try await _ in source.watch(IdQuery("k")) { break }

    try await waitUntil("the watcher is forgotten") { source.changes.listenerCount == 0 }
  }
}

@Suite struct `Data source errors` {
  private struct Foreign: Error {}

  @Test func `contain the source and the call, and compare by code`() async throws {
    let source = InMemoryDataSource<Int>()

    let missing = await failure { () throws(DataSourceError) in try await source.get(id: "a") }
    let strange = await failure { () throws(DataSourceError) in
      try await source.getAll(VoidQuery())
    }

    #expect(
      missing
        == DataSourceError(
          .notFound, "Nothing found for \"a\".", source: "InMemoryDataSource<Int>", operation: .get)
    )
    #expect(missing.map { $0 ~= .notFound } == true)
    #expect(
      strange?.description
        == "InMemoryDataSource<Int> does not support 'getAll' with a VoidQuery.")
  }

  @Test func `wrap foreign errors and keep their descriptions`() {
    let cancelled = DataSourceError(wrapping: CancellationError(), "x")
    let foreign = DataSourceError(wrapping: Foreign(), "It broke.", source: "S", operation: .put)
    let own = DataSourceError(wrapping: DataSourceError.notValid("No."), "x", source: "S")

    #expect(cancelled.code == .cancelled)
    #expect(foreign.description == "It broke. (Foreign())")
    #expect(foreign.code == .failed)
    #expect(own == DataSourceError(.notValid, "No.", source: "S"))
  }

  @Test func `wrap an error of a system call with its number`() {
    let error = DataSourceError(
      wrapping: POSIXError(.ENOSPC), "Cannot write.", source: "S", operation: .put)

    #expect(error.code == .system(errno: ENOSPC))
    #expect(error.message == "Cannot write.")
    #expect(error.source == "S")
    #expect(error.operation == .put)
  }
}
