import DataSources
import Foundation
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("Replaced and deleted files", .timeLimit(.minutes(10)))
struct ReplacedFileTests {
  @Test(
    "a read-only store without any writes is followed from its first change")
  func firstChange() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 1))
      let reader = try await LocalStore.open(file: path, access: .readOnly)
      #expect(reader.snapshot().freshness == .live)
      let writer = try await LocalStore.open(file: path)
      try await writer.transact(Sample.task(2, title: "more"))
      try await reader.shows { $0.store.count(of: "tasks") == 2 }
      #expect(reader.snapshot().freshness == .live)
    }
  }

  @Test("a replacing file is read and written")
  func replaced() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 1))
      try await LocalStore.create(file: folder + "/b.sonde", of: Self.store(tasks: 5))
      let store = try await LocalStore.open(file: path)
      try await store.transact(Sample.task(2, title: "of the first"))
      #expect(rename(folder + "/b.sonde", path) == 0)
      try await store.shows { $0.store.count(of: "tasks") == 5 }
      #expect(store.snapshot().freshness == .live)
      try await store.transact(Sample.task(9, title: "of the second"))
      await store.close()
      let again = try await LocalStore.open(file: path).snapshot().store
      #expect(again.count(of: "tasks") == 6)
      #expect(again.handle(of: Sample.id(9)) != nil)
      #expect(again.checkInvariants() == [])
    }
  }

  @Test("a write right after a replacement goes to the new file")
  func writtenAtOnce() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 1))
      try await LocalStore.create(file: folder + "/b.sonde", of: Self.store(tasks: 5))
      let store = try await LocalStore.open(file: path)
      try await store.transact(Sample.task(2, title: "of the first"))
      #expect(rename(folder + "/b.sonde", path) == 0)
      try await store.transact(Sample.task(9, title: "of the second"))
      #expect(store.snapshot().store.count(of: "tasks") == 6)
      await store.close()
      #expect(try await LocalStore.open(file: path).snapshot().store.count(of: "tasks") == 6)
    }
  }

  @Test("subscribers receive the contents of the new file, regardless of transaction numbers")
  func numbers() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 1))
      try await LocalStore.create(file: folder + "/b.sonde", of: Self.store(tasks: 5))
      let store = try await LocalStore.open(file: path)
      let known = try await store.transact(Sample.task(2, title: "2"))
      #expect(rename(folder + "/b.sonde", path) == 0)
      // The second file comes past the number that the reader knows of the first.
      for number in 10..<14 { try await store.transact(Sample.task(number, title: "n")) }
      let later = store.snapshot()
      #expect(later.transactionID > known.transactionID)
      switch known.difference(to: later) {
      case .unknown: break
      case .none, .changed: Issue.record("it claims to know what changed")
      }
    }
  }

  @Test("a new file with a lower transaction number counts as later")
  func lowerNumbers() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 1))
      try await LocalStore.create(file: folder + "/b.sonde", of: Self.store(tasks: 8))
      let store = try await LocalStore.open(file: path)
      for number in 10..<14 { try await store.transact(Sample.task(number, title: "n")) }
      let known = store.snapshot()
      #expect(rename(folder + "/b.sonde", path) == 0)
      try await store.shows { $0.store.count(of: "tasks") == 8 }
      let replaced = store.snapshot()
      #expect(replaced.transactionID > known.transactionID)
      #expect(replaced == store.snapshot())
      #expect(replaced != known)

      // Later changes of both programs apply to the new file and are reported.
      let written = try await store.transact(Sample.task(20, title: "here"))
      #expect(written.transactionID == replaced.transactionID + 1)
      #expect(written.changes(since: replaced)?.changes.isEmpty == false)
      let other = try await LocalStore.open(file: path)
      try await other.transact(Sample.task(21, title: "elsewhere"))
      try await store.shows { $0.store.count(of: "tasks") == 10 }
      let followed = store.snapshot()
      #expect(followed.transactionID == written.transactionID + 1)
      #expect(followed.changes(since: written)?.changes.isEmpty == false)

      // The file keeps its own numbers.
      await store.close()
      let again = try await LocalStore.open(file: path).snapshot()
      #expect(again.transactionID == other.snapshot().transactionID)
      #expect(again.store.count(of: "tasks") == 10)
    }
  }

  @Test("a deleted file is reported, rejects changes, and is read again when it returns")
  func deleted() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      #expect(rename(path, folder + "/aside.sonde") == 0)
      try await store.shows { $0.freshness != .live }
      #expect(
        store.snapshot().freshness
          == .stale(
            reason: "\(path) was deleted or moved. Its last contents are shown "
              + "and can be exported"))
      #expect(store.snapshot().store.count(of: "tasks") == 1)
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(Sample.task(2, title: "lost"))
      }
      #expect(error?.message.contains("deleted or moved") == true)
      #expect(rename(folder + "/aside.sonde", path) == 0)
      try await store.shows { $0.freshness == .live }
      try await store.transact(Sample.task(2, title: "kept"))
      await store.close()
      #expect(try await LocalStore.open(file: path).snapshot().store.count(of: "tasks") == 2)
    }
  }

  @Test("an invalid file under its name is rejected, and the last state stays")
  func replacedByNone() async throws {
    try await withTemporaryFolder(["notes": "just text, of some length, and no database"]) {
      folder in
      let path = folder + "/a.sonde"
      try await LocalStore.create(file: path, of: Self.store(tasks: 3))
      let store = try await LocalStore.open(file: path)
      #expect(rename(folder + "/notes", path) == 0)
      try await store.shows { $0.freshness != .live }
      #expect(store.snapshot().store.count(of: "tasks") == 3)
      await #expect(throws: DataSourceError.self) {
        try await store.transact(Sample.task(7, title: "x"))
      }
      #expect(try String(contentsOfFile: path, encoding: .utf8).hasPrefix("just text"))
    }
  }

  // MARK: Databases of others

  @Test("a replaced SQLite database is read, a deleted one is reported")
  func database() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute("CREATE TABLE t (x); INSERT INTO t VALUES (1)", in: path)
      try TestDatabase.execute(
        "CREATE TABLE t (x); INSERT INTO t VALUES (1), (2)", in: folder + "/b.db")
      let store = try await SQLiteStore.open(file: path)
      #expect(rename(folder + "/b.db", path) == 0)
      try await store.shows { $0.store.count(of: "t") == 2 }
      try TestDatabase.execute("INSERT INTO t VALUES (3)", in: path)
      try await store.shows { $0.store.count(of: "t") == 3 }
      #expect(unlink(path) == 0)
      try await store.shows { $0.freshness != .live }
      #expect(try await store.get(AllObjectsQuery()).store.count(of: "t") == 3)
    }
  }

  @Test("a SQLite database is followed when its write-ahead log appears later")
  func laterLog() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.db"
      try TestDatabase.execute("CREATE TABLE t (x)", in: path)
      let store = try await SQLiteStore.open(file: path)
      try TestDatabase.execute(
        "PRAGMA journal_mode = WAL; INSERT INTO t VALUES (1)", in: path)
      try await store.shows { $0.store.count(of: "t") == 1 }
      try TestDatabase.execute("INSERT INTO t VALUES (2)", in: path)
      try await store.shows { $0.store.count(of: "t") == 2 }
    }
  }

  @Test(
    "a failed query of a database is answered once the cause is gone",
    arguments: [Trouble.cut, .held])
  func secondChance(_ trouble: Trouble) async throws {
    try await withTemporaryFolder { folder in
      let (path, spare) = (folder + "/a.db", folder + "/spare.db")
      try TestDatabase.execute(
        """
        CREATE TABLE t (x TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO t SELECT 'a text that fills some pages ' || i FROM n;
        """, in: path)
      try FileManager.default.copyItem(atPath: path, toPath: spare)
      let store = try await SQLiteStore.open(
        file: path, maxBytesInMemory: 0, lockTimeout: .milliseconds(50))
      let release = try trouble.make(path)
      let manager = QueryManager(store: store)
      let document = try QueryDocument(text: "t order x desc limit 3")
      var hasFailed = false
      let results = await manager.subscribe(to: document).results
        .awaited("an answer after the failure")
      for try await result in results {
        if case .failed = result, !hasFailed {
          hasFailed = true
          try release(spare)
        }
        if case .loaded(let answer) = result, answer.freshness == .live {
          #expect(answer.answers.first?.rows.count == 3)
          break
        }
      }
      #expect(hasFailed)
    }
  }

  /// What may befall the database of another program.
  enum Trouble: Sendable {
    case cut, held

    /// Makes it, and gives what ends it with a whole copy at hand.
    func make(_ path: String) throws -> (_ spare: String) throws -> Void {
      switch self {
      case .cut:
        #expect(truncate(path, 8_192) == 0)
        return { spare in #expect(rename(spare, path) == 0) }
      case .held:
        let release = try TestDatabase.hold(path)
        return { _ in try release() }
      }
    }
  }

  // MARK: Around

  private static func store(tasks: Int) async throws -> TripleStore {
    let store = MemoryStore()
    try await store.transact(Sample.schema)
    for number in 0..<tasks {
      try await store.transact(Sample.task(100 + number, title: "task \(number)"))
    }
    return await store.snapshot().store
  }
}

extension StoreDataSource {
  /// Waits until the store is as wanted.
  fileprivate func shows(_ isWanted: (StoreSnapshot) -> Bool) async throws {
    let snapshots = watch(AllObjectsQuery()).awaited("the wanted state")
    for try await snapshot in snapshots where isWanted(snapshot) { return }
  }
}
