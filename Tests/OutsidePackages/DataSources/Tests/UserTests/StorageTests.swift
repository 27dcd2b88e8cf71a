import DataSources
import DataSourcesTesting
import Foundation
import Synchronization
import Testing

/// What the table of a key/value source does not show: other types, restarts, other processes.
@Suite struct `Stored objects` {
  private let folder = TemporaryFolder()
  private let unstorable = Item(id: "x", weight: .nan)

  @Test func `of equal queries are one entry`() async throws {
    #expect(IdQuery("a") == IdQuery("a"))
    #expect(IdQuery("a").hashValue == IdQuery("a").hashValue)
    #expect(Set([IdQuery(1), IdQuery(1), IdQuery(2)]).count == 2)
    let source = InMemoryDataSource<Int>()
    try await source.put(1, id: 5)
    #expect(try await source.get(id: "5") == 1)
  }

  @Test(arguments: SourceKind.allCases)
  func `are found by the shortcuts for ids`(kind: SourceKind) async throws {
    let source = kind.make(folder, of: Int.self)
    try await source.put(1, id: "a")
    #expect(try await source.get(IdQuery("a")) == 1)
    #expect(try await source.get(id: "a") == 1)
    try await source.putAll([1, 2], id: "b")
    #expect(try await source.getAll(IdQuery("b")) == [1, 2])
    #expect(try await source.getAll(id: "b") == [1, 2])
    try await source.putAll([3, 4], ids: [1, 2])
    #expect(try await source.getAll(ids: [2, 1]) == [4, 3])
    #expect(try await source.getAll(ids: [2, 9], missing: .skip) == [4])
    try await source.delete(id: "a")
    try await source.deleteAll(id: "b")
    #expect(try await source.getAll(AllObjectsQuery()) == [3, 4])
    try await source.delete(ids: [1, 2])
    #expect(try await source.getAll(AllObjectsQuery()) == [])
  }

  @Test(arguments: SourceKind.lasting)
  func `of another type are an error`(kind: SourceKind) async throws {
    try await kind.make(folder, of: String.self).put("five", id: "k")
    let source = kind.make(folder, of: Int.self)
    #expect(await code { try await source.get(id: "k") } == .dataSerialization)
    #expect(await code { try await source.getAll(AllObjectsQuery()) } == .dataSerialization)
  }

  @Test(arguments: SourceKind.lasting)
  func `stay when a new one cannot be written`(kind: SourceKind) async throws {
    let source = kind.make(folder)
    try await source.put(a, id: "k")
    #expect(await code { try await source.put(unstorable, id: "k") } == .dataSerialization)
    let both = IdsQuery(["k", "l"])
    #expect(
      await code { try await source.putAll([b, unstorable], in: both) } == .dataSerialization)
    #expect(try await source.getAll(AllObjectsQuery()) == [a])
    #expect(try await source.get(id: "k") == a)
  }

  @Test(arguments: SourceKind.allCases)
  func `are all there after a thousand concurrent puts`(kind: SourceKind) async throws {
    let source = kind.make(folder, of: Int.self)
    try await withThrowingTaskGroup { group in
      for number in 0..<1_000 { group.addTask { try await source.put(number, id: number) } }
      try await group.waitForAll()
    }
    #expect(try await Set(source.getAll(AllObjectsQuery())) == Set(0..<1_000))
  }

  @Test(arguments: SourceKind.lasting)
  func `survive a restart`(kind: SourceKind) async throws {
    try await kind.make(folder).put(a, id: "k")
    try await kind.make(folder).putAll([b, c], id: "l")
    let later = kind.make(folder)
    #expect(try await later.get(id: "k") == a)
    #expect(try await later.getAll(id: "l") == [b, c])
  }

  @Test(arguments: [SourceKind.flat, .files, .secrets])
  func `under a UUID are found by another process`(kind: SourceKind) async throws {
    let id = UUID()
    try await kind.make(folder, of: Int.self).put(7, id: id)
    #expect(
      try await secondProcess(kind.rawValue, folder.path, "uuid", id.uuidString) == ["7"])
  }

  @Test(arguments: [SourceKind.flat, .files, .secrets])
  func `in a read-only folder cannot be deleted`(kind: SourceKind) async throws {
    try folder.make()
    // The second process gives up the rights of the superuser and makes a folder of its own.
    try folder.setMode(0o777, of: "")
    let lines = try await secondProcess(kind.rawValue, folder.file("locked"), "locked")
    #expect(lines == ["system", "1"])
  }

  @Test(arguments: [SourceKind.flat, .files, .secrets])
  func `of two processes are all there`(kind: SourceKind) async throws {
    async let ones = secondProcess(kind.rawValue, folder.path, "put", "a", "500")
    async let others = secondProcess(kind.rawValue, folder.path, "put", "b", "500")
    #expect(try await [ones.count, others.count] == [500, 500])
    let stored = try await kind.make(folder, of: Int.self).getAll(AllObjectsQuery())
    #expect(stored.count == 1_000)
  }

  @Test(arguments: [SourceKind.flat, .files, .secrets])
  func `are whole after the process is killed`(kind: SourceKind) async throws {
    let lines = try await secondProcess(
      kind.rawValue, folder.path, "put", "a", killedAfter: 20)
    let source = kind.make(folder, of: Int.self)
    for line in lines { #expect(try await source.get(id: "a" + line) == Int(line)) }
    let stored = try await source.getAll(AllObjectsQuery())
    #expect((lines.count...lines.count + 1).contains(stored.count))
  }

  @Test(arguments: SourceKind.allCases)
  func `are not changed by a canceled call`(kind: SourceKind) async throws {
    let source = kind.make(folder)
    try await source.put(a, id: "k")
    let calls: [Call<Item>] = [
      .get(IdQuery("k")), .getAll(AllObjectsQuery()), .put(b, IdQuery("k")),
      .putAll([b], AllObjectsQuery()), .delete(IdQuery("k")),
    ]
    for call in calls {
      let task = Task {
        while !Task.isCancelled { await Task.yield() }
        return await call.outcome(on: source)
      }
      task.cancel()
      #expect(await task.value == .failure(.cancelled), "\(call)")
    }
    #expect(try await source.get(id: "k") == a)
  }

  @Test(arguments: SourceKind.allCases)
  func `are watched from now to the last change`(kind: SourceKind) async throws {
    let source = kind.make(folder, of: Int.self)
    try await source.put(1, id: "k")
    var answers = source.watchAll(AllObjectsQuery()).makeAsyncIterator()
    #expect(try await answers.next() == [1])
    for number in 2...5 { try await source.put(number, id: "k") }
    while let answer = try await answers.next() {
      if answer == [5] { break }
    }
    #expect(try await source.getAll(AllObjectsQuery()) == [5])
  }

  @Test func `with a prefix are apart from those with a longer one`() async throws {
    let file = StateFile(path: folder.file("state"))
    let short = DeviceStorageDataSource<Int>(file, layout: .prefix("a"))
    let long = DeviceStorageDataSource<Int>(file, layout: .prefix("ab"))
    let flat = DeviceStorageDataSource<String>(file)
    let table = DeviceStorageDataSource<Int>(file, layout: .table("a"))
    try await short.put(1, id: "x")
    try await long.put(2, id: "x")
    try await table.put(3, id: "x")
    try await flat.put("four", id: "y")
    #expect(try await short.getAll(AllObjectsQuery()) == [1])
    try await short.delete(AllObjectsQuery())
    #expect(try await short.getAll(AllObjectsQuery()) == [])
    #expect(try await long.get(id: "x") == 2)
    #expect(try await table.getAll(AllObjectsQuery()) == [3])
    // The entries of the other layouts but the table are entries of the flat one, too.
    #expect(await code { try await flat.getAll(AllObjectsQuery()) } == .dataSerialization)
  }

  @Test func `in files leave other files alone`() async throws {
    try folder.write("mine", to: "notes.txt")
    let source = FileSystemStorageDataSource(folder: folder.path)
    try await source.put([1, 2], id: "../k")
    try await source.put([3], id: "/")
    #expect(try await source.getAll(AllObjectsQuery()).count == 2)
    try await source.delete(AllObjectsQuery())
    #expect(folder.names == ["notes.txt"])
  }
}

@Suite struct `Secrets` {
  private let folder = TemporaryFolder()

  @Test func `are in a private file, which is rejected when others can read it`() async throws {
    let source = SourceKind.secrets.make(folder, of: String.self)
    try await source.put("hunter2", id: "token")
    #expect(try folder.mode(of: "state") == 0o600)
    try folder.setMode(0o644, of: "state")
    let error = await code {
      try await SourceKind.secrets.make(folder, of: String.self).get(id: "token")
    }
    #expect(error != nil && error != .notFound)
  }

  @Test func `that are locked are not missing`() async throws {
    let store = FaultySecretStore()
    let source = SecretDataSource<String>(store)
    try await source.put("hunter2", id: "token")
    await store.lock(status: -25_308)
    #expect(await code { try await source.get(id: "token") } == .secretStore(status: -25_308))
    #expect(await code { try await source.put("x", id: "token") } == .secretStore(status: -25_308))
    await store.unlock()
    #expect(try await source.get(id: "token") == "hunter2")
    #expect(await code { try await source.get(id: "other") } == .notFound)
  }

  @Test func `are in no log and in no error`() async throws {
    let lines = Mutex<[String]>([])
    let store = FaultySecretStore()
    let source = SecretDataSource<String>(store)
      .debugged(by: Debug(logsObjects: true) { line in lines.withLock { $0.append(line) } })
    try await source.put("hunter2", id: "token")
    #expect(try await source.get(id: "token") == "hunter2")
    try await source.put("hunter2", in: ObjectQuery(Secret(id: "hunter2")))
    await store.damage("token")
    let error = await failure { () throws(DataSourceError) in try await source.get(id: "token") }
    let logged = lines.withLock { $0 }
    #expect(logged.count >= 8)
    #expect(!logged.contains { $0.contains("hunter2") })
    #expect(error?.code == .dataSerialization)
    #expect(error.map { !"\($0)".contains("hunter2") } == true)
  }

  private struct Secret: Hashable, Sendable, Identifiable {
    var id: String
  }
}
