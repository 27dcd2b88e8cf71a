import DataSources
import DataSourcesTesting
import HTTPDataSources
import Synchronization
import Testing

/// The sources that write to a disk, with a file system that the test controls.
private enum WritingKind: CaseIterable {
  case device, table, files, secrets

  func source<Object: Codable & Sendable>(
    of object: Object.Type = Note.self, _ folder: TemporaryFolder,
    _ disk: FileSystem = FileSystem(isDurable: false)
  ) -> any LiveDataSource<Object> {
    switch self {
    case .device, .table:
      DeviceStorageDataSource<Object>(
        StateFile(path: folder.file("state"), privacy: .relaxed, disk: disk),
        layout: self == .table ? .table("t") : .flat)
    case .files:
      FileSystemStorageDataSource(folder: folder.path, disk: disk).mappedAsJSON(Object.self)
    case .secrets:
      SecretDataSource<Object>(
        FileSecretStore(
          file: StateFile(path: folder.file("secrets"), privacy: .strict, disk: disk)))
    }
  }

  /// The file that contains the entry of key `a`.
  var file: String {
    switch self {
    case .device, .table: "state"
    case .files: "a.one"
    case .secrets: "secrets"
    }
  }
}

@Suite struct `A source that writes to a disk` {
  private let folder = TemporaryFolder()
  private let old = [Note("a", "old"), Note("b", "old")]
  private let new = [Note("a", "new"), Note("b", "new"), Note("c", "new")]

  @Test(arguments: WritingKind.allCases, FileSystemStep.allCases)
  fileprivate func `loses nothing when any step fails, and works afterwards`(
    kind: WritingKind, step: FileSystemStep
  ) async throws {
    let plain = kind.source(folder)
    try await plain.putAll(old, ids: ["a", "b"])
    let isMet = Mutex(false)
    let full = FileSystem(isDurable: false) { met, _ throws(DataSourceError) in
      guard met == step else { return }
      isMet.withLock { $0 = true }
      throw .system(errno: 28, "Full.")
    }
    let source = kind.source(folder, full)

    let error = await failure { () throws(DataSourceError) in
      try await source.putAll(new, ids: ["a", "b", "c"])
    }

    // Leftover drafts that cannot be removed are never read.
    let matters = isMet.withLock(\.self) && step != .remove
    #expect(error?.code == (matters ? .system(errno: 28) : nil))
    #expect(try await plain.getAll(AllObjectsQuery()) == (matters ? old : new))
    try await plain.put(Note("d"), id: "d")
    #expect(try await source.get(id: "d") == Note("d"))
  }

  @Test(arguments: WritingKind.allCases, FileSystemStep.allCases)
  fileprivate func `applies a call canceled at any step completely or not at all`(
    kind: WritingKind, step: FileSystemStep
  ) async throws {
    let plain = kind.source(folder)
    try await plain.putAll(old, ids: ["a", "b"])
    let cancelling = FileSystem(isDurable: false) { met, _ throws(DataSourceError) in
      // The call's task is canceled during this step.
      if met == step { withUnsafeCurrentTask { $0?.cancel() } }
    }
    let source = kind.source(folder, cancelling)

    let error = await Task {
      await failure { () throws(DataSourceError) in
        try await source.putAll(new, ids: ["a", "b", "c"])
      }
    }.value

    #expect(error == nil || error?.code == .cancelled)
    #expect(try await plain.getAll(AllObjectsQuery()) == (error == nil ? new : old))
    #expect(folder.names.allSatisfy { !$0.hasSuffix(".draft") })
  }

  @Test(arguments: WritingKind.allCases)
  fileprivate func `reports a file in a foreign format and leaves it unchanged`(
    kind: WritingKind
  ) async throws {
    try await kind.source(folder).put(old[0], id: "a")
    for text in ["", "nonsense", "{\"v\":", String(repeating: "[", count: 10_000)] {
      try folder.write(text, to: kind.file)

      let calls = [Call<Note>.get(IdQuery("a")), .getAll(AllObjectsQuery())]
      for call in calls {
        #expect(
          await call.outcome(on: kind.source(folder)) == .failure(.dataSerialization),
          "\(call) of \(text.prefix(20))")
      }
      #expect(folder.bytes(kind.file) == Array(text.utf8))
    }
  }

  @Test(arguments: WritingKind.allCases)
  fileprivate func `reports an entry of another type, not a missing one`(
    kind: WritingKind
  ) async throws {
    try await kind.source(of: Int.self, folder).put(5, id: "k")
    let texts = kind.source(of: String.self, folder)

    for call in [Call<String>.get(IdQuery("k")), .getAll(AllObjectsQuery())] {
      #expect(await call.outcome(on: texts) == .failure(.dataSerialization))
    }
    #expect(try await kind.source(of: Int.self, folder).get(id: "k") == 5)
  }

  @Test(arguments: WritingKind.allCases)
  fileprivate func `keeps all old objects when a new one cannot be encoded`(
    kind: WritingKind
  ) async throws {
    let source = kind.source(of: Double.self, folder)
    try await source.put(1, id: "k")

    let calls = [
      Call<Double>.put(.nan, IdQuery("k")), .putAll([2, .nan], IdsQuery(["j", "k"])),
      .putAll([.infinity], IdQuery("k")), .putAll([2, .nan], AllObjectsQuery()),
    ]
    for call in calls {
      #expect(await call.outcome(on: source) == .failure(.dataSerialization))
    }
    #expect(try await source.getAll(AllObjectsQuery()) == [1])
    #expect(try await source.get(id: "k") == 1)
  }

  @Test(arguments: WritingKind.allCases)
  fileprivate func `creates private files and folders`(kind: WritingKind) async throws {
    try await kind.source(folder).put(old[0], id: "a")

    #expect(try folder.mode(of: kind.file) == 0o600)
    #expect(try folder.mode(of: "") == 0o700)
  }

  @Test(arguments: WritingKind.allCases)
  fileprivate func `reports the source and the call of an I/O error`(
    kind: WritingKind
  ) async throws {
    let full = FileSystem { met, _ throws(DataSourceError) in
      if met == .open { throw .system(errno: 28, "Full.") }
    }

    let error = await failure { () throws(DataSourceError) in
      try await kind.source(folder, full).put(old[0], id: "a")
    }

    let name =
      switch kind {
      case .device, .table: "DeviceStorageDataSource<Note>"
      case .files: "FileSystemStorageDataSource"
      case .secrets: "SecretDataSource<Note>"
      }
    #expect(error?.source == name)
    #expect(error?.operation == .put)
  }
}

@Suite struct `A request to a server` {
  @Test(arguments: SourceKind.all)
  func `is a key of every key/value source`(kind: SourceKind) async throws {
    let folder = TemporaryFolder()
    let source = kind.make(folder)
    let one = HTTPRequestQuery(.get, "/notes/1", parameters: ["a b": "ä/&", "A": "1"])
    let many = HTTPRequestQuery(.get, "/notes")

    let missing = await Call<Note>.getAll(many).outcome(on: source)
    try await source.put(Note("a"), in: one)
    try await source.putAll([Note("b"), Note("c")], in: many)

    #expect(missing == .failure(.notFound))
    #expect(try await source.get(one) == Note("a"))
    #expect(try await source.getAll(many) == [Note("b"), Note("c")])
    try await source.delete(many)
    #expect(try await source.getAll(AllObjectsQuery()) == [Note("a")])
  }
}
