import DataSources
import Foundation
import GRDB
import LiveQueries
import Stores
import Testing
import Triples

@Suite("Checksums of a store file", .timeLimit(.minutes(5)))
struct StoreChecksumTests {
  @Test("a cache with a wrong checksum is not used")
  func falsifiedCache() async throws {
    try await withFile { path in
      let written = try await Self.writeSample(to: path, cached: true)
      try TestDatabase.execute(
        """
        UPDATE segments SET bytes = CAST(substr(bytes, 1, instr(bytes, x'7772697465') - 1)
          || x'77726F7465' || substr(bytes, instr(bytes, x'7772697465') + 5) AS BLOB)
          WHERE instr(bytes, x'7772697465')
        """, in: path)
      let again = try await LocalStore.open(file: path)
      #expect(again.snapshot().store.facts == written)
      await again.close()
    }
  }

  @Test("the sum of the triples follows every kind of change", arguments: [1, 2, 3])
  func sums(seed: UInt64) async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      var random = RandomWrites(seed: seed)
      for _ in 0..<60 { try await store.transact(random.transaction()) }
      try await store.transact(
        Transaction([
          .updateAttribute(
            Sample.titleID, JSONObject([.init(key: "cardinality", value: "many")]))
        ]))
      for _ in 0..<20 { try await store.transact(random.transaction()) }
      let written = store.snapshot().store.facts
      await store.close()
      try TestDatabase.execute("UPDATE head SET cache = NULL", in: path)
      // Reading the triples compares their sum.
      let again = try await LocalStore.open(file: path)
      #expect(again.snapshot().store.facts == written)
      await again.close()
    }
  }

  @Test("changes of damaged or missing triples are rejected")
  func changingDamage() async throws {
    for sql in [
      "UPDATE triples SET value = 'x' WHERE value = 'write'",
      "DELETE FROM triples WHERE value = 'write'",
    ] {
      try await withFile { path in
        _ = try await Self.writeSample(to: path, cached: true)
        try TestDatabase.execute(sql, in: path)
        let store = try await LocalStore.open(file: path)
        let error = await #expect(throws: DataSourceError.self) {
          try await store.transact(Sample.title(1, "new"))
        }
        #expect(error?.message.contains("is damaged") == true)
        await store.close()
      }
    }
  }

  @Test("a file without checksums is readable and upgraded when opened for writing")
  func upgrade() async throws {
    for isCached in [false, true] {
      try await withFile { path in
        let written = try await Self.writeSample(to: path, cached: isCached)
        try OldFormat.downgrade(path)
        let reader = try await LocalStore.open(file: path, access: .readOnly)
        #expect(reader.snapshot().store.facts == written)
        #expect(try await reader.documents() == [])
        await reader.close()
        #expect(try OldFormat.version(of: path) == 1)
        let writer = try await LocalStore.open(file: path)
        #expect(writer.snapshot().store.facts == written)
        let last = try await writer.transact(Sample.task(2, title: "more"))
        try await writer.setDocument([1], named: "rules")
        await writer.close()
        #expect(try OldFormat.version(of: path) == 2)
        let again = try await LocalStore.open(file: path)
        #expect(again.snapshot().store.facts == last.store.facts)
        await again.close()
        try TestDatabase.execute(
          "UPDATE head SET cache = NULL; UPDATE triples SET value = 'x' WHERE value = 'write'",
          in: path)
        let error = await #expect(throws: StoreError.self) {
          try await LocalStore.open(file: path)
        }
        #expect(error?.message.contains("tasks.title of \(Sample.id(1))") == true)
      }
    }
  }

  @Test("documents are stored by name, replaced, removed, and rejected if damaged")
  func documents() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.setDocuments(["rules": Array("{}".utf8), "empty": [], "blob": [0, 255]])
      try await store.setDocument(Array("[]".utf8), named: "rules")
      try await store.setDocument(nil, named: "empty")
      #expect(try await store.documents() == ["blob", "rules"])
      await store.close()
      let again = try await LocalStore.open(file: path)
      #expect(try await again.document(named: "rules") == Array("[]".utf8))
      #expect(try await again.document(named: "blob") == [0, 255])
      #expect(try await again.document(named: "empty") == nil)
      await again.close()
      try TestDatabase.execute("UPDATE documents SET data = x'01' WHERE name = 'blob'", in: path)
      let damaged = try await LocalStore.open(file: path, access: .readOnly)
      let error = await #expect(throws: StoreError.self) {
        try await damaged.document(named: "blob")
      }
      #expect(error?.message.contains("the stored file blob does not match its checksum") == true)
      await damaged.close()
      let mended = try await LocalStore.open(file: path)
      try await mended.setDocument([2], named: "blob")
      await mended.close()
      #expect(try await StoreCheck.run(file: path).damage.count == 0)
    }
  }

  @Test("a store created in one step has its documents")
  func createdWithDocuments() async throws {
    try await withFile { path in
      try await LocalStore.create(file: path, of: TripleStore(), documents: ["a": [1, 2]])
      let store = try await LocalStore.open(file: path, access: .readOnly)
      #expect(try await store.document(named: "a") == [1, 2])
      await store.close()
    }
  }

  @Test("numbers out of range are damage and no crash")
  func extremeNumbers() async throws {
    for column in ["transaction_id", "triples", "last_time"] {
      for number in [Int64.max, .min] {
        for isOld in [false, true] where !(isOld && column == "last_time") {
          try await withFile { path in
            _ = try await Self.writeSample(to: path, cached: true)
            if isOld { try OldFormat.downgrade(path) }
            try TestDatabase.execute("UPDATE head SET \(column) = \(number)", in: path)
            let error = await #expect(throws: StoreError.self) {
              try await LocalStore.open(file: path)
            }
            guard case .damaged? = error else {
              Issue.record("\(column) \(number): \(String(describing: error))")
              return
            }
          }
        }
      }
    }
  }

  @Test("creation times increase even if the clock is set back")
  func creationOrder() async throws {
    try await withFile { path in
      let first = try await LocalStore.open(file: path, ifMissing: .create, now: { 5_000_000 })
      try await first.transact(Sample.schema)
      try await first.transact(Sample.task(1, title: "first"))
      await first.close()
      let second = try await LocalStore.open(file: path, now: { 1_000 })
      let store = try await second.transact(Sample.task(2, title: "second")).store
      let times = try [1, 2].map { number in
        let task = try #require(store.handle(of: Sample.id(number)))
        return store.createdAt(task, in: "tasks")
      }
      #expect(times[0] < times[1])
      await second.close()
    }
  }

  private func withFile(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body($0 + "/a.sonde") }
  }

  /// - Returns: The facts of the store.
  private static func writeSample(to path: String, cached: Bool) async throws -> [String] {
    let store = try await LocalStore.open(file: path, ifMissing: .create)
    try await store.transact(Sample.schema)
    let written = try await store.transact(Sample.task(1, title: "write"))
    if cached { await store.writeCache() }
    await store.close()
    return written.store.facts
  }
}

/// A store file as programs before checksums wrote it.
enum OldFormat {
  static func downgrade(_ path: String) throws {
    try TestDatabase.execute(
      """
      ALTER TABLE triples DROP COLUMN checksum;
      ALTER TABLE attributes DROP COLUMN checksum;
      ALTER TABLE log DROP COLUMN checksum;
      ALTER TABLE head DROP COLUMN checksum;
      ALTER TABLE head DROP COLUMN triple_sum;
      ALTER TABLE head DROP COLUMN attribute_sum;
      ALTER TABLE head DROP COLUMN document_sum;
      ALTER TABLE head DROP COLUMN last_time;
      ALTER TABLE head DROP COLUMN cache_checksum;
      DROP TABLE documents;
      UPDATE head SET cache = CAST(json_set(CAST(cache AS TEXT), '$.segments', (
        SELECT json_group_array(json_array(value ->> 0, value ->> 1, value ->> 2, value ->> 3))
        FROM json_each(CAST(cache AS TEXT), '$.segments'))) AS BLOB) WHERE cache IS NOT NULL;
      PRAGMA user_version = 1
      """, in: path)
  }

  static func version(of path: String) throws -> Int64 {
    let queue = try TestDatabase.open(path)
    defer { try? queue.close() }
    return try queue.read { try Int64.fetchOne($0, sql: "PRAGMA user_version") } ?? 0
  }
}
