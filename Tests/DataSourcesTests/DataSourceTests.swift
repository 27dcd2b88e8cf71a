import DataSources
import DataSourcesTesting
import FoundationEssentials
import Testing

private enum Setting: String, QueryID {
  case theme, keymap
}

/// Can be read, and nothing else.
private struct ReadOnly: GetDataSource {
  func get(_ query: any Query) async throws(DataSourceError) -> Int { 1 }
  func getAll(_ query: any Query) async throws(DataSourceError) -> [Int] { [1, 2] }
}

@Suite struct `Queries` {
  @Test func `are plain values: equal ones compare equal and hash alike`() {
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

  @Test func `a key is the id's text, the same in every run`() throws {
    let uuid = try #require(UUID(uuidString: "0C9F3B6E-1111-4222-8333-ABCDEFABCDEF"))

    #expect(IdQuery(uuid).key == "0c9f3b6e-1111-4222-8333-abcdefabcdef")
    #expect(IdQuery(Int64.min).key == "-9223372036854775808")
    #expect(IdQuery(UInt64.max).key == "18446744073709551615")
    #expect(IdQuery(Setting.theme).key == "theme")
    #expect(IdQuery(5).key == IdQuery("5").key)
  }

  @Test func `an object without an id is no key, and all objects never are`() {
    #expect(ObjectQuery(Note("a")) as Any is any KeyQuery)
    #expect(!(ObjectQuery(5) as Any is any KeyQuery))
    #expect(!(AllObjectsQuery() as Any is any KeyQuery))
    #expect(!(IdsQuery(["a"]) as Any is any KeyQuery))
  }

  @Test func `an entry under a UUID is read by the next program`() async throws {
    let folder = TemporaryFolder()
    let id = UUID()
    let path = folder.file("state")
    try await DeviceStorageDataSource<Int>(StateFile(path: path)).put(7, id: id)

    let text = String(decoding: try #require(folder.bytes("state")), as: UTF8.self)
    let next = DeviceStorageDataSource<Int>(StateFile(path: path))

    #expect(text.hasSuffix("{\"key\":\"\(id.uuidString.lowercased())\",\"one\":7}\n"))
    #expect(try await next.get(id: id) == 7)
  }

  @Test func `a key that a source keeps for itself is refused`() async throws {
    let source = InMemoryDataSource<Int>()

    for key in ["\u{0}all", "\u{0}"] {
      #expect(await Call.put(1, IdQuery(key)).outcome(on: source) == .failure(.illegalArgument))
      #expect(
        await Call.delete(IdsQuery(["a", key])).outcome(on: source) == .failure(.illegalArgument))
    }
  }
}

@Suite struct `Data sources` {
  @Test func `can have one group of calls without the others`() async throws {
    let source = ReadOnly()

    #expect(try await source.get(id: "any") == 1)
    #expect(!(source as Any is any PutDataSource<Int>))
    #expect(!(source as Any is any DeleteDataSource))
  }

  @Test func `answer by id as by the query that the id stands for`() async throws {
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
  func `of nothing throw that they are not implemented, whatever they are asked`(
    row: ContractRow
  ) async {
    #expect(await row.call.outcome(on: VoidDataSource<Note>()) == .failure(.notImplemented))
  }

  @Test(arguments: SourceKind.all)
  func `of any kind fit a generic function`(kind: SourceKind) async throws {
    func roundTrip<Source: DataSource<Note>>(_ source: Source) async throws -> Note {
      try await source.put(Note("a"), id: "a")
      return try await source.get(id: "a")
    }
    let folder = TemporaryFolder()

    #expect(try await roundTrip(AnyDataSource(kind.make(folder))) == Note("a"))
  }

  @Test(arguments: SourceKind.all)
  func `name the first id that is missing`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    try await source.put(Note("a"), id: "a")

    let error = await failure { () throws(DataSourceError) in
      try await source.getAll(ids: ["a", "lost", "gone"])
    }

    #expect(error?.code == .notFound)
    #expect(error?.message.contains("\"lost\"") == true)
  }

  @Test func `that cannot be watched say so`() async {
    let erased = AnyGetDataSource<Int>(ReadOnly())

    let error = await failure { () throws(DataSourceError) in
      for try await _ in erased.watch(IdQuery("a")) {}
    }

    #expect(error?.code == .notImplemented)
    #expect(error?.message == "AnyGetDataSource<Int> has no watch.")
  }

  @Test func `forget a watcher that has left`() async throws {
    let source = InMemoryDataSource<Int>()
    try await source.put(1, id: "k")

    for try await _ in source.watch(IdQuery("k")) { break }

    while source.changes.listenerCount > 0 { await Task.yield() }
  }
}

@Suite struct `Data source errors` {
  private struct Foreign: Error {}

  @Test func `name the source and the call, and compare by code`() async throws {
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
    #expect(strange?.description == "InMemoryDataSource<Int> cannot answer getAll for VoidQuery.")
  }

  @Test func `wrap what others throw and keep its words`() {
    let cancelled = DataSourceError(wrapping: CancellationError(), "x")
    let foreign = DataSourceError(wrapping: Foreign(), "It broke.", source: "S", operation: .put)
    let own = DataSourceError(wrapping: DataSourceError.notValid("No."), "x", source: "S")

    #expect(cancelled.code == .cancelled)
    #expect(foreign.description == "It broke. (Foreign())")
    #expect(foreign.code == .failed)
    #expect(own == DataSourceError(.notValid, "No.", source: "S"))
  }
}
