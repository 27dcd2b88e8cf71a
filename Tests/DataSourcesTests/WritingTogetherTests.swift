import DataSources
import DataSourcesTesting
import Synchronization
import Testing

/// What a disk was asked to do, in order.
final class DiskSteps: Sendable {
  private let met = Mutex<[DiskStep]>([])

  var all: [DiskStep] { met.withLock { $0 } }

  /// A disk of the system that notes its steps here.
  func disk(
    refusing: @escaping @Sendable (DiskStep, String) throws(DataSourceError) -> Void = {
      _, _ throws(DataSourceError) in
    }
  ) -> Disk {
    Disk { step, path throws(DataSourceError) in
      self.met.withLock { $0.append(step) }
      try refusing(step, path)
    }
  }
}

@Suite struct `Writing together` {
  @Test func `a file gets its name when its bytes are on the disk`() async throws {
    let folder = TemporaryFolder()
    let steps = DiskSteps()
    try folder.make()

    try await FileSystemStorageDataSource(folder: folder.path, disk: steps.disk())
      .put([1], id: "a")

    #expect(steps.all == [.open, .write, .sync, .rename])
  }

  @Test func `a thousand writes that wait at once cost the disk one`() async throws {
    let folder = TemporaryFolder()
    try folder.make()
    let steps = DiskSteps()
    let clock = ManualClock()
    let path = folder.file("state")
    let source = DeviceStorageDataSource<Int>(
      StateFile(path: path, privacy: .relaxed, disk: steps.disk(), clock: clock))

    // Somebody else has the file until all of them wait for it.
    let writing = try await Locked.hold(path) {
      let writing = Task {
        await withTaskGroup(of: DataSourceError.Code?.self) { group in
          for number in 0..<1_000 {
            group.addTask { await source.refusal(of: number, id: number) }
          }
          return await group.compactMap(\.self).reduce(into: []) { $0.append($1) }
        }
      }
      await clock.sleepers(1_000)
      return writing
    }
    // A program that is just being started may hold the lock a moment longer than we do: they ask
    // again as often as it takes.
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

  @Test func `of writes together only those fail that the disk has no room for`() async throws {
    let folder = TemporaryFolder()
    let path = folder.file("state")
    let limit = 2_000
    let disk = Disk { step, path throws(DataSourceError) in
      // The draft is written when its bytes are asked to be made durable.
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

  @Test func `what the disk refuses in the middle of several files is undone`() async throws {
    let folder = TemporaryFolder()
    let plain = FileSystemStorageDataSource(folder: folder.path)
    try await plain.putAll([[1], [2]], ids: ["a", "b"])
    try await plain.putAll([[3], [4]], id: "c")
    for refused in ["a.one", "b.one", "c.one", "d.one"] {
      let steps = Mutex(0)
      let disk = Disk { step, path throws(DataSourceError) in
        guard step == .rename, path.hasSuffix(refused) else { return }
        // What is put back afterwards is not refused.
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

  @Test func `a removal that is refused removes nothing`() async throws {
    let folder = TemporaryFolder()
    let plain = FileSystemStorageDataSource(folder: folder.path)
    try await plain.putAll([[1], [2], [3]], ids: ["a", "b", "c"])
    let disk = Disk { step, path throws(DataSourceError) in
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
  /// Why `object` could not be put; nil when it was.
  func refusal(of object: Object, id: Int) async -> DataSourceError.Code? {
    await failure { () throws(DataSourceError) in try await put(object, id: id) }?.code
  }
}

extension TemporaryFolder {
  /// The bytes of the longest draft that lies here now.
  var largestDraft: Int {
    names.filter { $0.hasSuffix(".draft") }.compactMap { bytes($0)?.count }.max() ?? 0
  }
}
