import DataSources
import Foundation
import InstaQL
import Stores
import Testing
import Triples

@Suite("A folder as a store", .timeLimit(.minutes(1)))
struct FolderStoreTests {
  @Test("each file is a namespace")
  func namespaces() async throws {
    try await withFolder(["a.json": "[{\"id\": \"x\", \"n\": 1}]", "b.jsonl": "{\"id\": \"y\"}\n"])
    {
      let snapshot = try await FolderStore.open(folder: $0).get(AllObjectsQuery())
      #expect(Set(snapshot.store.schema.namespaces) == ["a", "b"])
      #expect(snapshot.freshness == .live)
    }
  }

  @Test("what cannot be opened says why")
  func complaints() async throws {
    await #expect(throws: StoreError.self) { try await FolderStore.open(folder: "/nowhere") }
    try await withFolder([:]) { folder in
      let error = await #expect(throws: StoreError.self) {
        try await FolderStore.open(folder: folder)
      }
      #expect(error == .empty(folder: folder))
    }
    try await withFolder(["a.json": "[{]"]) { folder in
      let error = await #expect(throws: StoreError.self) {
        try await FolderStore.open(folder: folder)
      }
      #expect(error?.message.contains("a.json, line 1") == true)
    }
  }

  @Test("a changed file is a new snapshot, a broken one leaves the last good one and says so")
  func following() async throws {
    try await withFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try await wait(for: snapshots) { $0.store.count(of: "a") == 1 }
      try write("[{\"id\": \"x\"}, {\"id\": \"y\"}]", to: folder + "/a.json")
      let changed = try await wait(for: snapshots) { $0.store.count(of: "a") == 2 }
      #expect(changed.freshness == .live)
      try write("[{\"id\": ", to: folder + "/a.json")
      let stale = try await wait(for: snapshots) { $0.freshness != .live }
      #expect(stale.store.count(of: "a") == 2)
      guard case .stale(let reason) = stale.freshness else {
        Issue.record("the snapshot must say that it is stale")
        return
      }
      #expect(reason.contains("a.json"))
      try write("[]", to: folder + "/a.json")
      try await wait(for: snapshots) { $0.freshness == .live }
    }
  }

  @Test("a file that comes is a namespace more, one that goes a namespace less")
  func comingAndGoing() async throws {
    try await withFolder(["a.json": "[{\"id\": \"x\"}]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      let snapshots = store.watch(AllObjectsQuery())
      try write("[{\"id\": \"z\"}]", to: folder + "/c.json")
      try await wait(for: snapshots) { $0.store.schema.namespaces.contains("c") }
      try FileManager.default.removeItem(atPath: folder + "/c.json")
      try await wait(for: snapshots) { !$0.store.schema.namespaces.contains("c") }
    }
  }

  @Test("it refuses to be written")
  func readOnly() async throws {
    try await withFolder(["a.json": "[]"]) { folder in
      let store = try await FolderStore.open(folder: folder)
      await #expect(throws: DataSourceError.self) { try await store.put(nil, in: VoidQuery()) }
    }
  }

  /// The first snapshot of which `holds` is true; one change of a file can be seen more than once.
  @discardableResult
  private func wait(
    for snapshots: DataStream<StoreSnapshot>, until holds: (StoreSnapshot) -> Bool
  ) async throws -> StoreSnapshot {
    for try await snapshot in snapshots where holds(snapshot) { return snapshot }
    throw DataSourceError.failed("The watch ended")
  }

  private func write(_ text: String, to path: String) throws {
    try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
  }

  /// A folder of its own, removed when the body ends.
  private func withFolder(
    _ files: [String: String], _ body: (String) async throws -> Void
  ) async throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "sonde-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for (name, text) in files { try write(text, to: folder + "/" + name) }
    try await body(folder)
  }
}
