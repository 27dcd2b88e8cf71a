import DataSources
import DataSourcesTesting
import Synchronization
import TestSupport
import Testing

/// The steps of a file system, in order.
final class DiskSteps: Sendable {
  private let met = Mutex<[FileSystemStep]>([])

  var all: [FileSystemStep] { met.withLock { $0 } }

  /// A real file system that records its steps here.
  func disk(
    refusing: @escaping @Sendable (FileSystemStep, String) throws(DataSourceError) -> Void = {
      _, _ throws(DataSourceError) in
    }
  ) -> FileSystem {
    FileSystem { step, path throws(DataSourceError) in
      self.met.withLock { $0.append(step) }
      try refusing(step, path)
    }
  }
}

@Suite struct `Writing together` {
  @Test func `a file is renamed only after its bytes are synced`() async throws {
    let folder = TemporaryFolder()
    let steps = DiskSteps()
    try folder.make()

    try await FileSystemStorageDataSource(folder: folder.path, disk: steps.disk())
      .put([1], id: "a")

    #expect(steps.all == [.open, .write, .sync, .rename])
  }

  @Test func `a thousand waiting writes cost one write to the disk`() async throws {
    let folder = TemporaryFolder()
    try folder.make()
    let steps = DiskSteps()
    let clock = ManualClock()
    let path = folder.file("state")
    let source = DeviceStorageDataSource<Int>(
      StateFile(path: path, privacy: .relaxed, disk: steps.disk(), clock: clock))

    // Another holder has the lock until all of them wait for it.
    let writing = try await Locked.hold(path) {
      let writing = Task {
        await withTaskGroup(of: DataSourceError.Code?.self) { group in
          for number in 0..<1_000 {
            group.addTask { await source.refusal(of: number, id: number) }
          }
          return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
      }
      try await clock.awaitSleepers(1_000)
      return writing
    }
    // The writers try again until they have the lock.
    let time = Task {
      while !Task.isCancelled {
        clock.advance(by: .milliseconds(5))
        await Task.yield()
      }
    }
    let failures = await writing.value
    time.cancel()

    #expect(failures == [])
    #expect(steps.all == [.open, .write, .sync, .rename])
    let again = DeviceStorageDataSource<Int>(StateFile(path: path))
    #expect(try await again.getAll(ids: Array(0..<1_000)) == Array(0..<1_000))
  }

  @Test func `of combined writes only those too large for the disk fail`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("state")
    let limit = 2_000
    let disk = FileSystem { step, path throws(DataSourceError) in
      // The draft is written when it is synced.
      if step == .sync, folder.largestDraft > limit { throw .system(errno: 28, "Full.") }
    }
    let source = DeviceStorageDataSource<String>(
      StateFile(path: path, privacy: .relaxed, disk: disk))

    let refused = await withTaskGroup(of: (Int, DataSourceError.Code?).self) { group in
      for number in 0..<20 {
        let text = String(repeating: "x", count: number == 7 ? 5_000 : 10)
        group.addTask { (number, await source.refusal(of: text, id: number)) }
      }
      return await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }

    #expect(refused == [7: .system(errno: 28)])
    let stored = try await source.getAll(AllObjectsQuery())
    #expect(stored == Array(repeating: String(repeating: "x", count: 10), count: 19))
  }

  @Test func `a failure in the middle of several files is undone`() async throws {
    let folder = TemporaryFolder()
    let plain = FileSystemStorageDataSource(folder: folder.path)
    try await plain.putAll([[1], [2]], ids: ["a", "b"])
    try await plain.putAll([[3], [4]], id: "c")
    for refused in ["a.one", "b.one", "c.one", "d.one"] {
      let steps = Mutex(0)
      let disk = FileSystem { step, path throws(DataSourceError) in
        guard step == .rename, path.hasSuffix(refused) else { return }
        // Restoring the old files does not fail.
        if steps.withLock({
          $0 += 1; return $0
        }) == 1 {
          throw .system(errno: 5, "Broken.")
        }
      }
      let files = FileSystemStorageDataSource(folder: folder.path, disk: disk)

      let error = await failure { () throws(DataSourceError) in
        try await files.putAll([[7], [8], [9], [10]], ids: ["a", "b", "c", "d"])
      }

      #expect(error?.code == .system(errno: 5))
      #expect(folder.names == ["a.one", "b.one", "c.many"])
      #expect(try await plain.getAll(AllObjectsQuery()) == [[1], [2], [3], [4]])
    }
  }

  @Test func `a failed removal removes nothing`() async throws {
    let folder = TemporaryFolder()
    let plain = FileSystemStorageDataSource(folder: folder.path)
    try await plain.putAll([[1], [2], [3]], ids: ["a", "b", "c"])
    let disk = FileSystem { step, path throws(DataSourceError) in
      if step == .remove, path.hasSuffix("b.one") { throw .system(errno: 13, "Denied.") }
    }

    let error = await failure { () throws(DataSourceError) in
      try await FileSystemStorageDataSource(folder: folder.path, disk: disk)
        .delete(AllObjectsQuery())
    }

    #expect(error?.code == .system(errno: 13))
    #expect(try await plain.getAll(AllObjectsQuery()) == [[1], [2], [3]])
  }
}

extension PutDataSource {
  /// The error of putting `object`; nil when it succeeded.
  func refusal(of object: Object, id: Int) async -> DataSourceError.Code? {
    await failure { () throws(DataSourceError) in try await put(object, id: id) }?.code
  }
}

extension TemporaryFolder {
  /// The size in bytes of the largest draft in the folder.
  var largestDraft: Int {
    names.filter { $0.hasSuffix(".draft") }.compactMap { bytes($0)?.count }.max() ?? 0
  }
}
