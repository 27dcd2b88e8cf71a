import DataSources
import DataSourcesTesting
import Foundation

/// An object of the tests.
struct Item: Codable, Sendable, Hashable, Identifiable {
  var id: String
  var weight = 1.0
}

/// The kinds of key/value source.
enum SourceKind: String, CaseIterable, Sendable {
  case memory, flat, prefix, table, files, secrets

  static let lasting = allCases.filter { $0 != .memory }

  /// A source in `folder`, which a later source on the same folder continues.
  func make<Object: Codable & Sendable>(
    _ folder: TemporaryFolder, of type: Object.Type = Item.self
  ) -> any LiveDataSource<Object> {
    switch self {
    case .memory: InMemoryDataSource<Object>()
    case .flat: device(folder, .flat)
    case .prefix: device(folder, .prefix("p"))
    case .table: device(folder, .table("t"))
    case .files: FileSystemStorageDataSource(folder: folder.path).mappedAsJSON(Object.self)
    case .secrets: SecretDataSource<Object>(FileSecretStore(path: folder.file("state")))
    }
  }

  private func device<Object: Codable & Sendable>(
    _ folder: TemporaryFolder, _ layout: DeviceStorageDataSource<Object>.Layout
  ) -> DeviceStorageDataSource<Object> {
    DeviceStorageDataSource(StateFile(path: folder.file("state")), layout: layout)
  }
}

/// A query with a key that no library knows.
struct SearchQuery: KeyQuery {
  var text: String
  var key: String { "search:" + text }
}

/// A query that no source supports.
struct UnrecognizedQuery: Query {}
/// A page that no source knows.
struct BarePage: PaginationQuery {}
/// An object without an id.
struct Anonymous: Hashable, Sendable {}

let a = Item(id: "a")
let b = Item(id: "b")
let c = Item(id: "c")
let d = Item(id: "d")

/// The code of the error that `body` throws; nil when it succeeds.
func code<Answer>(of body: () async throws -> Answer) async -> DataSourceError.Code? {
  do {
    _ = try await body()
    return nil
  } catch {
    return (error as? DataSourceError)?.code
  }
}

/// Runs the second process and returns its lines; with a count, kills it after as many.
func secondProcess(_ words: String..., killedAfter count: Int = .max) async throws -> [String] {
  try await withCheckedThrowingContinuation { continuation in
    // Reading blocks, which no thread of Swift's own pool may do.
    Thread.detachNewThread {
      continuation.resume(with: Result { try run(words, killedAfter: count) })
    }
  }
}

private func run(_ words: [String], killedAfter count: Int) throws -> [String] {
  let process = Process()
  let built = Bundle.main.bundleURL
  let places = [built, built.deletingLastPathComponent()].map {
    $0.appending(path: "second-process")
  }
  process.executableURL = places.first { FileManager.default.isExecutableFile(atPath: $0.path) }
  process.arguments = words
  let output = Pipe()
  process.standardOutput = output
  try process.run()
  var bytes = Data()
  while true {
    let part = output.fileHandleForReading.availableData
    if part.isEmpty { break }
    bytes += part
    let isKilled = bytes.count(where: { $0 == 0x0A }) >= count
    if isKilled, process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }
  process.waitUntilExit()
  return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
}
