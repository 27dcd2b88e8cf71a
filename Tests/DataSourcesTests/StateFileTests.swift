import DataSources
import DataSourcesTesting
import TestSupport
import Testing

private let full = DataSourceError.system(errno: 28, "No space left on device.")

@Suite struct `State file` {
  @Test(arguments: [FileSystemStep.open, .write, .sync, .rename])
  func `a failed step leaves the old file and no draft`(step: FileSystemStep) async throws {
    let folder = TemporaryFolder()
    let path = folder.file("state")
    try await DeviceStorageDataSource<Int>(StateFile(path: path)).put(1, id: "k")
    let before = folder.bytes("state")
    let disk = FileSystem { met, _ throws(DataSourceError) in if met == step { throw full } }
    let source = DeviceStorageDataSource<Int>(
      StateFile(path: path, privacy: .relaxed, disk: disk))

    let error = await failure { () throws(DataSourceError) in try await source.put(2, id: "k") }

    #expect(error?.code == .system(errno: 28))
    #expect(folder.bytes("state") == before)
    #expect(folder.names == ["state", "state.lock"])
    #expect(try await source.get(id: "k") == 1)
  }

  @Test(arguments: [
    "", "{\"changes\":1", "{\"changes\":1,\"format\":\"data-sources 1\"}\nnonsense\n",
  ])
  func `a damaged file is reported and left unchanged`(text: String) async throws {
    let folder = TemporaryFolder()
    try folder.write(text, to: "state")
    let source = DeviceStorageDataSource<Int>(StateFile(path: folder.file("state")))

    let read = await failure { () throws(DataSourceError) in try await source.get(id: "k") }
    let write = await failure { () throws(DataSourceError) in try await source.put(1, id: "k") }

    #expect(read?.code == .dataSerialization)
    #expect(read?.message.contains(folder.file("state")) == true)
    #expect(write?.code == .dataSerialization)
    #expect(folder.bytes("state") == Array(text.utf8))
  }

  @Test func `a file in a newer format is rejected with a message`() async throws {
    let folder = TemporaryFolder()
    try folder.write("{\"changes\":1,\"format\":\"data-sources 2\"}\n", to: "state")
    let source = DeviceStorageDataSource<Int>(StateFile(path: folder.file("state")))

    let error = await failure { () throws(DataSourceError) in try await source.get(id: "k") }

    #expect(error?.code == .notValid)
    #expect(error?.message.contains("\"data-sources 2\"") == true)
  }

  @Test func `sources in one file do not see each other's entries`() async throws {
    let folder = TemporaryFolder()
    let file = StateFile(path: folder.file("state"))
    let a = DeviceStorageDataSource<Int>(file, layout: .prefix("a"))
    let ab = DeviceStorageDataSource<Int>(file, layout: .prefix("ab"))
    let table = DeviceStorageDataSource<Int>(file, layout: .table("a"))
    try await a.put(1, id: "x")
    try await ab.put(2, id: "x")
    try await table.put(3, id: "x")

    try await a.putAll([7, 8], in: AllObjectsQuery())
    let listed = try await a.getAll(AllObjectsQuery())
    try await a.delete(AllObjectsQuery())

    #expect(listed == [7, 8])
    #expect(try await a.getAll(AllObjectsQuery()) == [])
    #expect(try await ab.getAll(AllObjectsQuery()) == [2])
    #expect(try await table.getAll(AllObjectsQuery()) == [3])
  }

  @Test func `lines in any order are read, and the last one of a key counts`()
    async throws
  {
    let folder = TemporaryFolder()
    let lines = [#"{"key":"b","one":2}"#, #"{"key":"a","one":1}"#, #"{"key":"b","one":3}"#]
    try folder.write(
      #"{"changes":1,"format":"data-sources 1"}"# + "\n" + lines.joined(separator: "\n") + "\n",
      to: "state")
    let source = DeviceStorageDataSource<Int>(StateFile(path: folder.file("state")))

    #expect(try await source.getAll(AllObjectsQuery()) == [1, 3])
    try await source.put(4, id: "ab")
    #expect(try await source.getAll(AllObjectsQuery()) == [1, 4, 3])
  }

  @Test func `two Unicode spellings of a letter are one key`() async throws {
    let folder = TemporaryFolder()
    let source = DeviceStorageDataSource<Int>(StateFile(path: folder.file("state")))

    try await source.put(1, id: "caf\u{E9}")
    try await source.put(2, id: "cafe\u{301}")

    #expect(try await source.getAll(AllObjectsQuery()) == [2])
    #expect(try await source.get(id: "caf\u{E9}") == 2)
  }

  @Test func `two instances of one file lose no writes`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("state")

    let failures = await withTaskGroup(of: Int.self) { group in
      for name in ["left", "right"] {
        group.addTask {
          let source = DeviceStorageDataSource<Int>(StateFile(path: path))
          var failures = 0
          for number in 0..<100 {
            do { try await source.put(number, id: name + "\(number)") } catch { failures += 1 }
          }
          return failures
        }
      }
      return await group.reduce(0, +)
    }

    #expect(failures == 0)
    let source = DeviceStorageDataSource<Int>(StateFile(path: path))
    #expect(try await source.getAll(AllObjectsQuery()).count == 200)
  }

  @Test func `a lock that is never released is an error after two seconds`() async throws {
    let folder = TemporaryFolder()
    let clock = ManualClock()
    let path = folder.file("state")
    try await DeviceStorageDataSource<Int>(StateFile(path: path)).put(1, id: "k")
    let source = DeviceStorageDataSource<Int>(StateFile(path: path, clock: clock))

    let error = try await Locked.hold(path) {
      async let waiting = failure { () throws(DataSourceError) in try await source.put(2, id: "k") }
      for _ in 0..<400 {
        try await clock.awaitSleepers(1)
        clock.advance(by: .milliseconds(5))
      }
      return await waiting
    }

    #expect(error?.message == "\(path) is locked by another program. Try again later.")
    #expect(try await source.get(id: "k") == 1)
  }

  @Test func `a write canceled while waiting for the lock leaves the old file`() async throws {
    let folder = TemporaryFolder()
    let clock = ManualClock()
    let path = folder.file("state")
    try await DeviceStorageDataSource<Int>(StateFile(path: path)).put(1, id: "k")
    let source = DeviceStorageDataSource<Int>(StateFile(path: path, clock: clock))

    let error = try await Locked.hold(path) {
      let write = Task {
        await failure { () throws(DataSourceError) in try await source.put(2, id: "k") }
      }
      try await clock.awaitSleepers(1)
      write.cancel()
      return await write.value
    }

    #expect(error?.code == .cancelled)
    #expect(folder.names == ["state", "state.lock"])
    #expect(try await source.get(id: "k") == 1)
  }

  @Test func `another process's write is read, and the next read notifies watchers`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("state")
    let here = DeviceStorageDataSource<Int>(StateFile(path: path))
    let elsewhere = DeviceStorageDataSource<Int>(StateFile(path: path))
    try await here.put(1, id: "k")
    var watch = here.watch(IdQuery("k")).awaited("the value").makeAsyncIterator()
    _ = try await watch.next()

    try await elsewhere.put(2, id: "k")
    let read = try await here.get(id: "k")

    #expect(read == 2)
    #expect(try await watch.next() == 2)
  }

  @Test func `drafts of killed processes are removed`() async throws {
    let folder = TemporaryFolder()
    try folder.write("half", to: "state.123-456.draft")
    try folder.write("not ours", to: "state2.123-456.draft")

    try await DeviceStorageDataSource<Int>(StateFile(path: folder.file("state"))).put(1, id: "k")

    #expect(folder.names == ["state", "state.lock", "state2.123-456.draft"])
  }

  @Test func `only the owner can read the file and its folder`() async throws {
    let folder = TemporaryFolder()
    let source = DeviceStorageDataSource<Int>(StateFile(path: folder.file("deep/er/state")))

    try await source.put(1, id: "k")

    #expect(try folder.mode(of: "deep/er/state") == 0o600)
    #expect(try folder.mode(of: "deep/er") == 0o700)
  }
}
