import DataSources
import GRDB
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("A database locked by another program", .timeLimit(.minutes(10)))
struct LockedDatabaseTests {
  private static let makers = """
    CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO makers VALUES (1, 'Ann');
    """

  @Test(
    "a blocked change is reported, and made after the file is unlocked",
    arguments: ["BEGIN IMMEDIATE", "BEGIN EXCLUSIVE"])
  func waiting(_ lock: String) async throws {
    try await OtherDatabase.with(Self.makers) { makers in
      let other = try Self.hold(makers.path, lock)
      let store = makers.store
      var (change, told): (Task<StoreSnapshot, any Error>?, [String?]) = (nil, [])
      for try await words in store.writeBlockers.awaited("the end of the wait") {
        if words != told.last { told.append(words) }
        if change == nil {
          change = Task { [step = Self.rename(makers)] in
            try await store.transact(Transaction([step]))
          }
        }
        if words != nil { try other.inDatabase { try $0.execute(sql: "ROLLBACK") } }
        if told.count == 3 { break }
      }
      _ = try await change?.awaited("the change")
      #expect(told == [nil, "others.db is locked by another program", nil])
      #expect(try makers.value("SELECT name FROM makers") == "Bo")
    }
  }

  @Test("a blocked change can be canceled, and is not applied later")
  func givenUp() async throws {
    try await OtherDatabase.with(Self.makers) { makers in
      let other = try Self.hold(makers.path, "BEGIN IMMEDIATE")
      let store = makers.store
      let change = Task { [step = Self.rename(makers)] in
        try await store.transact(Transaction([step]))
      }
      for try await words in store.writeBlockers.awaited("a blocker") where words != nil { break }
      change.cancel()
      let error = await #expect(throws: DataSourceError.self) {
        try await change.awaited("a cancellation")
      }
      #expect(error?.code == .cancelled)
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      #expect(try makers.value("SELECT name FROM makers") == "Ann")
    }
  }

  @Test("a change that is blocked too long is rejected, and nothing is written")
  func tooLong() async throws {
    try await OtherDatabase.with(Self.makers) { makers in
      let store = try await SQLiteStore.open(
        file: makers.path, access: .readWrite, lockTimeout: .zero)
      let other = try Self.hold(makers.path, "BEGIN IMMEDIATE")
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(Transaction([Self.rename(makers)]))
      }
      #expect(error?.message.contains("is locked by another program") == true)
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      #expect(try makers.value("SELECT name FROM makers") == "Ann")
    }
  }

  private static func rename(_ makers: OtherDatabase) -> TransactionStep {
    .addTriple(.id(makers.id("makers", 1)), makers.attribute("makers", "name"), "Bo")
  }

  private static func hold(_ path: String, _ lock: String) throws -> DatabaseQueue {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    configuration.busyMode = .timeout(60)
    let queue = try DatabaseQueue(path: path, configuration: configuration)
    try queue.inDatabase { try $0.execute(sql: lock) }
    return queue
  }
}
