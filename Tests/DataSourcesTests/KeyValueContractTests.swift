import DataSources
import DataSourcesTesting
import TestSupport
import Testing

@Suite struct `Key/value contract` {
  @Test(arguments: SourceKind.all, KeyValueContract.rows)
  func `every source and wrapper fulfills the contract`(
    kind: SourceKind, row: ContractRow
  ) async throws {
    guard kind.keeps(row) else { return }
    let folder = TemporaryFolder()
    let source = kind.make(folder)

    let complaints = await row.complaints(about: source)

    #expect(complaints.isEmpty)
  }

  @Test(arguments: SourceKind.all)
  func `200 random calls give the same content as a simple model`(kind: SourceKind) async throws {
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    let model = InMemoryDataSource<Note>()

    for step in 0..<200 {
      let call = RandomCall.next(using: &random)
      let expected = await call.outcome(on: model).ignoringOrder
      let outcome = await call.outcome(on: source).ignoringOrder
      #expect(outcome == expected, "seed \(seed), step \(step): \(call)")
    }
  }

  @Test(arguments: SourceKind.lasting)
  func `written objects are there after a restart`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let first = kind.make(folder)
    try await first.put(Note("a", "ä\n\u{0}/"), id: "a")
    try await first.putAll([Note("b"), Note("c")], id: "../b")

    let second = kind.make(folder)

    #expect(try await second.get(id: "a") == Note("a", "ä\n\u{0}/"))
    #expect(try await second.getAll(id: "../b") == [Note("b"), Note("c")])
  }

  @Test(arguments: SourceKind.all)
  func `each of 1,000 concurrent puts is readable immediately and afterwards`(kind: SourceKind)
    async throws
  {
    let folder = TemporaryFolder()
    let source = kind.make(folder)

    let failures = await withTaskGroup(of: DataSourceError.Code?.self) { group in
      for number in 0..<1_000 {
        group.addTask {
          await failure { () throws(DataSourceError) in
            try await source.put(Note("\(number)"), id: number)
            _ = try await source.get(id: number)
          }?.code
        }
      }
      return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
    }

    #expect(failures == [])
    let ids = Array(0..<1_000)
    #expect(try await source.getAll(ids: ids) == ids.map { Note("\($0)") })
  }

  @Test(arguments: SourceKind.all)
  func `a call canceled before it starts changes nothing`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    try await source.put(Note("old"), id: "k")
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      var codes: [Outcome<Note>] = []
      for call in RandomCall.oneOfEach { codes.append(await call.outcome(on: source)) }
      return codes
    }

    cancelled.cancel()

    #expect(await cancelled.value == RandomCall.oneOfEach.map { _ in .failure(.cancelled) })
    #expect(try await source.getAll(AllObjectsQuery()) == [Note("old")])
  }

  @Test(arguments: SourceKind.all)
  func `a watch begins with the current content and ends with the last write`(
    kind: SourceKind
  ) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    try await source.put(Note("0"), id: "k")

    var one = source.watch(IdQuery("k")).awaited("the note").makeAsyncIterator()
    var all = source.watchAll(AllObjectsQuery()).awaited("all notes").makeAsyncIterator()
    let first = try await one.next()
    let firstAll = try await all.next()
    for number in 1...20 { try await source.put(Note("\(number)"), id: "k") }

    #expect(first == Note("0"))
    #expect(firstAll == [Note("0")])
    #expect(try await one.next("the last write") { $0 == Note("20") } != nil)
    #expect(try await all.next("the last write") { $0 == [Note("20")] } != nil)
  }

  @Test(arguments: SourceKind.all)
  func `a watch of a missing entry throws notFound and ends`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)

    let error = await failure { () throws(DataSourceError) in
      for try await _ in source.watch(IdQuery("k")) {}
    }

    #expect(error?.code == .notFound)
  }
}

extension Outcome<Note> {
  /// Sources list in different orders; the model compares contents only.
  var ignoringOrder: Outcome<Note> {
    guard case .objects(let objects) = self else { return self }
    return .objects(objects.sorted { ($0.id, $0.text) < ($1.id, $1.text) })
  }
}
