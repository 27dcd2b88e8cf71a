import Foundation
import GRDB
import TestSupport
import Testing

@testable import Stores

@Suite("Open databases", .timeLimit(.minutes(10)))
struct OpenDatabaseTests {
  @Test("closing merges the log and removes it, also if operations are canceled")
  func canceling() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      let database = OpenDatabase(try DatabaseQueue(path: path))
      try await database.queue.writeWithoutTransaction { db in
        try db.execute(sql: "PRAGMA journal_mode = WAL")
        try db.execute(sql: "CREATE TABLE a (b)")
      }
      #expect(FileManager.default.fileExists(atPath: path + "-wal"))
      database.cancelAndClose()
      #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["a.sonde"])
    }
  }
}
