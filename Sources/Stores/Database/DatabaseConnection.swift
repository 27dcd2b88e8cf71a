import GRDB
import LiveQueries
import Triples

/// A file that is open for reading, twice: what a screen waits for is not held up by counting.
final class DatabaseConnection: Sendable {
  private let path: String
  private let front: DatabaseQueue
  private let behind: DatabaseQueue
  let identity: Files.Identity?

  /// By these it can be told whether somebody committed, and whether tables are others.
  struct Version: Hashable, Sendable {
    var data: Int64
    var schema: Int64
  }

  init(_ path: String) throws {
    self.path = path
    var configuration = Configuration()
    configuration.readonly = true
    configuration.busyMode = .timeout(StoreFile.patience / .seconds(1))
    configuration.label = "sonde.database"
    configuration.prepareDatabase { DatabaseShape.teach($0) }
    front = try DatabaseQueue(path: path, configuration: configuration)
    behind = try DatabaseQueue(path: path, configuration: configuration)
    identity = Files.Identity(path)
  }

  /// What the database is, and the version that it was read as.
  func shape() async throws -> (shape: DatabaseShape, version: Version) {
    try await front.read { db in (try DatabaseShape(db), try Self.version(db)) }
  }

  func version() async throws -> Version {
    try await front.read { db in try Self.version(db) }
  }

  private static func version(_ db: Database) throws -> Version {
    Version(
      data: try Int64.fetchOne(db, sql: "PRAGMA data_version") ?? 0,
      schema: try Int64.fetchOne(db, sql: "PRAGMA schema_version") ?? 0)
  }

  /// In bytes, without what stands in the log alone.
  func size() async throws -> Int {
    try await front.read { db in
      (try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
        * (try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }

  /// Everything, as of one commit.
  func everything(
    _ shape: DatabaseShape, _ progress: ProgressReport
  ) async throws -> TripleStore {
    try await behind.read { [path] db in
      try DatabaseReading.load(shape, db, path: path, progress: progress)
    }
  }

  func counts(_ shape: DatabaseShape) async throws -> [String: Int] {
    try await behind.read { db in
      var counts: [String: Int] = [:]
      for namespace in shape.names.namespaces {
        let name = namespace.table.name
        counts[name] = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name.quotedSQL)")
      }
      return counts
    }
  }

  /// What a screen waits for, and what else reads an answer.
  enum Place { case front, behind }

  /// Reads answers, as of one commit; a task that is cancelled interrupts the database.
  func read<Result: Sendable>(
    _ place: Place, _ body: @escaping @Sendable (Database) throws -> Result
  ) async throws -> Result {
    switch place {
    case .front: try await front.read(body)
    case .behind: try await behind.read(body)
    }
  }
}
