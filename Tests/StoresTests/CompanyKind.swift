import InstaQL
import LiveQueries
import SyncTestSupport
import Stores
import Sync
import Testing
import Triples
import WebSockets

/// The bundled company behind every kind of store that a program can open it in.
enum CompanyKind: String, CaseIterable, CustomTestStringConvertible {
  case memory, folder, file, backup, loopback, socket

  var testDescription: String { rawValue }

  static let folderPath: String = {
    let parts = #filePath.split(separator: "/").dropLast(3)
    return "/" + parts.joined(separator: "/") + "/demo-data/company"
  }()

  func withStore(_ body: (any StoreDataSource) async throws -> Void) async throws {
    let company = try FolderStore.load(folder: Self.folderPath)
    switch self {
    case .memory: try await body(MemoryStore(company))
    case .folder: try await body(FolderStore.open(folder: Self.folderPath))
    case .loopback:
      let store = RemoteStore(LoopbackServer(MemoryStore(company)))
      try await body(store)
      await store.close()
    case .socket:
      let server = SyncServer(store: MemoryStore(company), limits: .forTests)
      let listener = try await WebSocketListener.open(
        server, access: AccessRule(), limits: .forTests, .forTests)
      let client = WebSocketClient.forTests(listener.address)
      let store = RemoteStore(
        Opening(appID: "5a000000-0000-4000-8000-00000000a001"), timeouts: .forTests
      ) {
        try await client.connect()
      }
      try await body(store)
      await store.close()
      await listener.close()
    case .file:
      try await withTemporaryFolder { folder in
        let path = folder + "/company.sonde"
        try await LocalStore.create(file: path, of: company)
        let store = try await LocalStore.open(file: path)
        try await body(store)
        await store.close()
      }
    case .backup:
      try await withTemporaryFolder { folder in
        let path = folder + "/company.zip"
        try await StoreExport.write(
          WholeStore(company, asOf: 7), to: path, as: .backup, title: "Company")
        try await body(BackupStore(try Backup.load(file: path)))
      }
    }
  }
}
