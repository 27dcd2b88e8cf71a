import DataSources
import Foundation
import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// Every kind of store that can be written, each opened on the sample schema.
enum StoreKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, folder, file, opening, stagedMemory, stagedFolder, stagedFile, loopback, socket

  var testDescription: String { rawValue }

  /// Whether a snapshot is of all there is, rather than of what one query needs.
  var isWhole: Bool {
    switch self {
    case .memory, .folder, .file, .opening, .stagedMemory, .stagedFolder, .stagedFile: true
    case .loopback, .socket: false
    }
  }

  func withStore(_ body: (any StoreDataSource) async throws -> Void) async throws {
    switch self {
    case .memory: try await body(prepared(MemoryStore()))
    case .stagedMemory: try await body(prepared(StagedStore(MemoryStore())))
    case .opening: try await body(prepared(DeferredStore { MemoryStore() }))
    case .loopback: try await body(prepared(RemoteStore(LoopbackServer())))
    case .socket:
      let server = SyncServer(store: MemoryStore(), limits: .forTests)
      let listener = try await WebSocketListener.open(
        server, access: AccessRule(), limits: .forTests, .forTests)
      let client = WebSocketClient.forTests(listener.address)
      let store = RemoteStore(
        Opening(appID: "5a000000-0000-4000-8000-00000000a001"), timeouts: .forTests
      ) {
        try await client.connect()
      }
      try await body(prepared(store))
      await store.close()
      await listener.close()
    case .file, .stagedFile:
      try await withTemporaryFolder { folder in
        let store = try await LocalStore.open(file: folder + "/a.sonde", ifMissing: .create)
        try await body(prepared(self == .file ? store : StagedStore(store)))
        await store.close()
      }
    case .folder, .stagedFolder:
      try await withTemporaryFolder(["empty.json": "[]"]) { folder in
        let store = try await FolderStore.open(folder: folder, access: .readWrite)
        try await body(prepared(self == .folder ? store : StagedStore(store)))
      }
    }
  }

  private func prepared(_ store: any StoreDataSource) async throws -> any StoreDataSource {
    try await store.transact(Sample.schema)
    return store
  }
}

/// A schema of tasks and projects, and what can be written under it.
enum Sample {
  /// All tasks with their projects, and all projects.
  static let everything = QueryDocument([
    QueryPlan("tasks").with("project"), QueryPlan("projects"),
  ])

  static let idID = AttributeID("5a000000-0000-4000-8000-000000000001")
  static let titleID = AttributeID("5a000000-0000-4000-8000-000000000002")
  static let projectID = AttributeID("5a000000-0000-4000-8000-000000000003")
  static let projectIDID = AttributeID("5a000000-0000-4000-8000-000000000004")

  static let schema = Transaction([
    .addAttribute(Attribute(id: idID, namespace: "tasks", label: "id", constraints: .unique)),
    .addAttribute(Attribute(id: titleID, namespace: "tasks", label: "title")),
    .addAttribute(
      Attribute(id: projectIDID, namespace: "projects", label: "id", constraints: .unique)),
    .addAttribute(
      Attribute(
        id: projectID, namespace: "tasks", label: "project",
        reverse: Attribute.Name(namespace: "projects", label: "tasks"), valueType: .ref,
        cardinality: .many)),
  ])

  static func id(_ number: Int) -> EntityID {
    let digits = String(number)
    let zeros = String(repeating: "0", count: 12 - digits.count)
    return EntityID("7a000000-0000-4000-8000-\(zeros)\(digits)")
  }

  /// A task with a title.
  static func task(_ number: Int, title: String) -> Transaction {
    Transaction(
      [.addTriple(.id(id(number)), idID, .text(id(number).text))]
        + Self.title(number, title).steps)
  }

  static func title(_ number: Int, _ title: String) -> Transaction {
    Transaction([.addTriple(.id(id(number)), titleID, .text(title))])
  }

  /// A project that a task belongs to.
  static func link(_ number: Int, to project: Int) -> Transaction {
    Transaction([
      .addTriple(.id(id(project)), projectIDID, .text(id(project).text)),
      .addTriple(.id(id(number)), projectID, .text(id(project).text)),
    ])
  }
}

extension EntityID {
  var json: Value { .text(text) }
}

/// Creates a folder with these files, which is removed when the body ends.
func withTemporaryFolder(
  _ files: [String: String] = [:], _ body: (String) async throws -> Void
) async throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "sonde-\(UUID().uuidString)").path
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(atPath: folder) }
  for (name, text) in files { try write(text, to: folder + "/" + name) }
  try await body(folder)
}

/// Replaces a file in one step, as editors do.
func write(_ text: String, to path: String) throws {
  try Data(text.utf8).write(to: URL(filePath: path), options: .atomic)
}
