import DataSources
import DataSourcesTesting
import Foundation
import GRDB
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

@Suite("Store files", .timeLimit(.minutes(10)))
struct LocalStoreTests {
  @Test("changes are there after reopening")
  func reopening() async throws {
    try await withFile { path in
      let first = try await LocalStore.open(file: path, ifMissing: .create)
      try await first.transact(Sample.schema)
      try await first.transact(Sample.task(1, title: "write"))
      let written = try await first.transact(Sample.link(1, to: 9))
      await first.close()
      let second = try await LocalStore.open(file: path)
      #expect(second.snapshot().store.facts == written.store.facts)
      #expect(second.snapshot().transactionID == written.transactionID)
      #expect(second.snapshot().store.schema == written.store.schema)
      #expect(second.snapshot().store.checkInvariants() == [])
    }
  }

  @Test("every kind of value is restored", arguments: [false, true])
  func values(isCached: Bool) async throws {
    let values: [Value] = [
      .null, true, false, 0, -7, 1, 1.0, 0.1, .integer(.max), "", "a", "é𝄞", "nul\u{0}here", "null",
      [], [1, [2.5, nil]], ["a": ["b": "c"]], .text(String(repeating: "x", count: 5_000)),
    ]
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(
        Transaction(
          values.enumerated().map { .addTriple(.id(Sample.id($0)), Sample.titleID, $1) }))
      if isCached { await store.writeCache() }
      await store.close()
      let again = try await LocalStore.open(file: path).snapshot().store
      for (number, value) in values.enumerated() {
        let entity = try #require(again.handle(of: Sample.id(number)))
        #expect(again.value(entity, Sample.titleID) == value)
      }
    }
  }

  @Test("cache and triples give the same store", arguments: [1, 2, 3])
  func cacheAndTriples(seed: UInt64) async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      var random = RandomWrites(seed: seed)
      for round in 0..<60 {
        try await store.transact(random.transaction())
        if round == 20 || round == 40 { await store.writeCache() }
      }
      let facts = store.snapshot().store.facts
      await store.close()
      let cached = try await LocalStore.open(file: path)
      #expect(cached.snapshot().store.facts == facts)
      #expect(cached.snapshot().store.checkInvariants() == [])
      await cached.close()
      try Self.execute("UPDATE head SET cache = NULL", in: path)
      let read = try await LocalStore.open(file: path)
      #expect(read.snapshot().store.facts == facts)
      #expect(read.snapshot().store.checkInvariants() == [])
    }
  }

  @Test("two processes see each other's transactions and changes")
  func following() async throws {
    try await withFile { path in
      let one = try await LocalStore.open(file: path, ifMissing: .create)
      try await one.transact(Sample.schema)
      let other = try await LocalStore.open(file: path)
      #expect(one.snapshot().freshness == .live)
      #expect(other.snapshot().freshness == .live)
      let known = other.snapshot().transactionID
      let snapshots = other.watch(AllObjectsQuery())
      try await one.transact(Sample.task(1, title: "write"))
      for try await snapshot in snapshots.awaited("the task")
      where snapshot.store.count(of: "tasks") == 1 {
        let changes = try #require(snapshot.history.changes(since: known))
        #expect(changes.changes.contains { $0.new == "write" })
        break
      }
      try await other.transact(Sample.title(1, "read"))
      for try await snapshot in one.watch(AllObjectsQuery()).awaited("the new title")
      where snapshot.store.facts == other.snapshot().store.facts { break }
    }
  }

  @Test("right after a transaction of another process, the data that is read contains it")
  func readingAtOnce() async throws {
    try await withFile { path in
      let writer = try await LocalStore.open(file: path, ifMissing: .create)
      try await writer.transact(Sample.schema)
      let reader = try await LocalStore.open(file: path, access: .readOnly)
      for number in 1...20 {
        try await writer.transact(Sample.task(number, title: "write"))
        let snapshot = try await reader.get(AllObjectsQuery())
        #expect(snapshot.store.count(of: "tasks") == number)
      }
    }
  }

  @Test("writers of two processes take turns and see each other's changes")
  func takingTurns() async throws {
    try await withFile { path in
      let one = try await LocalStore.open(file: path, ifMissing: .create)
      try await one.transact(Sample.schema)
      let other = try await LocalStore.open(file: path)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (number, store) in [one, other].enumerated() {
          group.addTask {
            for round in 0..<25 {
              try await store.transact(Sample.task(number * 100 + round, title: "\(round)"))
            }
          }
        }
        try await group.waitForAll()
      }
      try await one.transact(Sample.task(900, title: "last"))
      #expect(one.snapshot().store.count(of: "tasks") == 51)
      await one.close()
      await other.close()
      let again = try await LocalStore.open(file: path).snapshot()
      #expect(again.store.count(of: "tasks") == 51)
      #expect(again.transactionID == 52)
    }
  }

  @Test("a change repeated by another process is applied once")
  func repeatingElsewhere() async throws {
    try await withFile { path in
      let one = try await LocalStore.open(file: path, ifMissing: .create)
      try await one.transact(Sample.schema)
      let query = TransactionQuery(Sample.task(1, title: "write"))
      let written = try await one.put(nil, in: query)
      await one.close()
      let other = try await LocalStore.open(file: path)
      let again = try await other.put(nil, in: query)
      #expect(again.transactionID == written.transactionID)
    }
  }

  @Test("an attribute of changed kind has the same values in file and memory")
  func changedKind() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      try await store.transact(
        Transaction([
          .updateAttribute(
            Sample.titleID, JSONObject([.init(key: "cardinality", value: "many")]))
        ]))
      let last = try await store.transact(Sample.title(1, "read"))
      await store.close()
      let again = try await LocalStore.open(file: path).snapshot()
      #expect(again.store.facts == last.store.facts)
      let task = try #require(again.store.handle(of: Sample.id(1)))
      #expect(again.store.values(task, Sample.titleID) == ["write", "read"])
    }
  }

  // MARK: What cannot be opened

  @Test("a missing file is an error unless it is to be created")
  func missing() async throws {
    try await withFile { path in
      let error = await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      #expect(error == .missing(path: path))
      #expect(!FileManager.default.fileExists(atPath: path))
    }
  }

  @Test("a file of a newer format is rejected unchanged")
  func newer() async throws {
    try await withFile { path in
      await (try LocalStore.open(file: path, ifMissing: .create)).close()
      try Self.execute("PRAGMA user_version = 99", in: path)
      let error = await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      #expect(error == .newerFormat(path: path, found: 99, known: 2))
      #expect(error?.message.contains("Use a newer version") == true)
    }
  }

  @Test(
    "a file that is not a store is reported",
    arguments: ["", "hello, I am a text of some length, no db"])
  func foreign(text: String) async throws {
    try await withFile { path in
      try write(text, to: path)
      let error = await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      switch error {
      case .foreign, .damaged: #expect(!text.isEmpty)
      case .broken(let sentence)?: #expect(sentence.hasPrefix("\(path) is empty (0 bytes)"))
      default: Issue.record("\(String(describing: error))")
      }
    }
  }

  @Test(
    "a damaged file is rejected with the location of the damage",
    arguments: [
      ("UPDATE attributes SET json = CAST('{' AS BLOB)", "Attribute 0"),
      (
        "UPDATE triples SET value = 'wrote' WHERE value = 'write'",
        "tasks.title of \(Sample.id(1)): The triple does not match its checksum"
      ),
      (
        "UPDATE triples SET time = time + 1 WHERE value IS NULL",
        "tasks.id of \(Sample.id(1)): The triple does not match its checksum"
      ),
      ("DELETE FROM triples WHERE value = 'write'", "1 of 2 triples are missing"),
      (
        "UPDATE attributes SET json = replace(json, 'title', 'tixle')", "Attribute 0 does not match"
      ),
      ("DELETE FROM attributes WHERE number = 2", "Some attributes are missing"),
      ("DELETE FROM head", "its header is missing"),
      (
        "UPDATE head SET layout = CAST('{}' AS BLOB)",
        "the header does not match its checksum"
      ),
      (
        "UPDATE head SET triples = 9223372036854775807",
        "the header contains the invalid number"
      ),
      ("UPDATE head SET transaction_id = -1", "the header contains the invalid number -1"),
    ])
  func damaged(_ sql: String, _ place: String) async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      await store.close()
      try Self.execute(sql, in: path)
      let error = await #expect(throws: StoreError.self) { try await LocalStore.open(file: path) }
      guard case .damaged(_, let found)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(found.hasPrefix(place), "\(found)")
    }
  }

  @Test("a damaged cache is not used")
  func damagedCache() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      let written = try await store.transact(Sample.task(1, title: "write"))
      await store.writeCache()
      await store.close()
      try Self.execute("UPDATE segments SET bytes = zeroblob(100)", in: path)
      let again = try await LocalStore.open(file: path).snapshot()
      #expect(again.store.facts == written.store.facts)
    }
  }

  @Test("with a damaged log, the triples are read")
  func damagedLog() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      await store.writeCache()
      let written = try await store.transact(Sample.task(2, title: "read"))
      try Self.execute(
        "CREATE TRIGGER damage AFTER INSERT ON log BEGIN UPDATE log SET changes = x'FF' "
          + "WHERE transaction_id = new.transaction_id; END", in: path)
      try Self.execute("UPDATE log SET changes = x'FF' WHERE transaction_id = 3", in: path)
      let again = try await LocalStore.open(file: path)
      #expect(again.snapshot().store.facts == written.store.facts)
      let next = try await again.transact(Sample.task(3, title: "rest"))
      var snapshots = Snapshots(store.watch(Sample.everything))
      let followed = try await snapshots.next { $0.titles.count == 3 }
      #expect(followed.store.facts == next.store.facts)
      await again.close()
      await store.close()
      #expect(try await LocalStore.open(file: path).snapshot().store.facts == next.store.facts)
    }
  }

  @Test("any damaged byte causes no crash", arguments: [1, 2, 3, 4])
  func randomDamage(seed: UInt64) async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      for number in 0..<30 { try await store.transact(Sample.task(number, title: "t\(number)")) }
      await store.writeCache()
      await store.close()
      let sound = try Data(contentsOf: URL(filePath: path))
      var random = RandomWrites(seed: seed)
      for _ in 0..<10 {
        var bytes = sound
        for _ in 0..<20 { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
        try bytes.write(to: URL(filePath: path))
        for rest in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + rest) }
        if let damaged = try? await LocalStore.open(file: path) {
          _ = damaged.snapshot().store.facts
          _ = try? await damaged.transact(Sample.task(99, title: "x"))
          await damaged.close()
        }
      }
    }
  }

  @Test("a locked file is reported, and opened once it is unlocked")
  func busy() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create, lockTimeout: .zero)
      try await store.transact(Sample.schema)
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: path, configuration: configuration)
      try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(Sample.task(1, title: "write"))
      }
      #expect(
        error?.message
          == "\(path) is locked by another program. "
          + "Try again later.")
      #expect(store.snapshot().store.count(of: "tasks") == 0)
      try await other.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
      try await store.transact(Sample.task(1, title: "write"))
      #expect(store.snapshot().store.count(of: "tasks") == 1)
    }
  }

  @Test("a full disk is reported, and nothing half done is kept")
  func fullDisk() async throws {
    try await withFile { path in
      let store = try await LocalStore.open(file: path, ifMissing: .create)
      try await store.transact(Sample.schema)
      try await store.transact(Sample.task(1, title: "write"))
      try await store.limitPages(to: 64)
      let long = String(repeating: "x", count: 1_000_000)
      let error = await #expect(throws: DataSourceError.self) {
        try await store.transact(
          Transaction((2..<6).flatMap { Sample.task($0, title: long).steps }))
      }
      #expect(error?.message == "Cannot write \(path): the disk is full.")
      #expect(store.snapshot().store.count(of: "tasks") == 1)
      try await store.transact(Sample.task(7, title: "short"))
      await store.close()
      let again = try await LocalStore.open(file: path).snapshot().store
      #expect(again.count(of: "tasks") == 2)
      #expect(again.checkInvariants() == [])
    }
  }

  @Test("a read-only store follows others and rejects changes")
  func readOnly() async throws {
    try await withFile { path in
      let writer = try await LocalStore.open(file: path, ifMissing: .create)
      try await writer.transact(Sample.schema)
      let reader = try await LocalStore.open(file: path, access: .readOnly)
      try await writer.transact(Sample.task(1, title: "write"))
      for try await snapshot in reader.watch(AllObjectsQuery()).awaited("the change of the writer")
      where snapshot.store.count(of: "tasks") == 1 { break }
      let error = await #expect(throws: DataSourceError.self) {
        try await reader.transact(Sample.task(2, title: "read"))
      }
      #expect(error?.code == .refused(type: "read-only"))
    }
  }

  // MARK: Around

  private func withFile(_ body: (String) async throws -> Void) async throws {
    try await withTemporaryFolder { try await body($0 + "/a.sonde") }
  }

  private static func execute(_ sql: String, in path: String) throws {
    try TestDatabase.execute(sql, in: path)
  }
}

/// Random writes under the sample schema, the same for the same seed.
struct RandomWrites {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func below(_ limit: Int) -> Int { random.below(limit) }

  mutating func transaction() -> Transaction {
    let number = random.below(20)
    switch random.below(5) {
    case 0: return Transaction([.deleteEntity(.id(Sample.id(number)), namespace: "tasks")])
    case 1: return Sample.link(number, to: 100 + random.below(5))
    case 2:
      return Transaction([
        .retractTriple(
          .id(Sample.id(number)), Sample.projectID, .text(Sample.id(100 + random.below(5)).text))
      ])
    default: return Sample.task(number, title: "t\(random.below(10))")
    }
  }
}

extension TripleStore {
  /// All triples with their moments, sorted, as lines.
  var facts: [String] {
    schema.attributes.flatMap { attribute in
      rows(attribute.id, .stored).handles.flatMap { entity in
        zip(values(entity, attribute.id), createdTimes(entity, attribute.id)).map {
          "\(id(of: entity)) \(attribute.namespace).\(attribute.label) \(JSONWriter.text($0)) \($1)"
        }
      }
    }.sorted()
  }
}

@Suite("Creating a file from a store", .timeLimit(.minutes(10)))
struct CreatingStoreTests {
  @Test("it contains every triple with its time, in cache and triples")
  func creating() async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/a.sonde"
      let source = try await Self.sample()
      try await LocalStore.create(file: path, of: source)
      let made = try await LocalStore.open(file: path)
      #expect(made.snapshot().store.facts == source.facts)
      await made.close()
      try TestDatabase.execute("UPDATE head SET cache = NULL", in: path)
      let read = try await LocalStore.open(file: path)
      #expect(read.snapshot().store.facts == source.facts)
      try await read.transact(Sample.task(50, title: "more"))
      let left = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(left.allSatisfy { !$0.hasSuffix(".draft") })
    }
  }

  @Test("it never replaces a file")
  func existing() async throws {
    try await withTemporaryFolder(["a.sonde": "mine"]) { folder in
      let path = folder + "/a.sonde"
      let error = await #expect(throws: StoreError.self) {
        try await LocalStore.create(file: path, of: TripleStore())
      }
      #expect(error == .exists(path: path))
      let content = try String(contentsOfFile: path, encoding: .utf8)
      #expect(content == "mine")
    }
  }

  @Test("an imported store keeps ids and times, and matches attributes by name")
  func importing() async throws {
    let source = try await Self.sample()
    let target = MemoryStore()
    let ownTitle = AttributeID("own")
    try await target.transact(
      Transaction([.addAttribute(Attribute(id: ownTitle, namespace: "tasks", label: "title"))]))
    let before = await target.snapshot().store
    let after = try await target.transact(Transaction(importing: source, into: before)).store
    #expect(after.count(of: "tasks") == source.count(of: "tasks"))
    let task = try #require(after.handle(of: Sample.id(1)))
    #expect(after.value(task, ownTitle) == "write")
    let theirs = try #require(source.handle(of: Sample.id(1)))
    #expect(after.createdAt(task, in: "tasks") == source.createdAt(theirs, in: "tasks"))
    #expect(after.checkInvariants() == [])
  }

  @Test("attributes of the same name and different kinds are rejected")
  func importingAgainst() async throws {
    var target = TripleStore()
    target.addAttribute(
      Attribute(id: AttributeID("x"), namespace: "tasks", label: "title", cardinality: .many))
    let source = try await Self.sample()
    let error = #expect(throws: ImportError.self) {
      try Transaction(importing: source, into: target)
    }
    #expect(error?.message.contains("tasks.title") == true)
  }

  private static func sample() async throws -> TripleStore {
    let source = MemoryStore(now: { 1_000 })
    try await source.transact(Sample.schema)
    try await source.transact(Sample.task(1, title: "write"))
    try await source.transact(Sample.link(1, to: 7))
    return try await source.transact(Sample.link(1, to: 3)).store
  }
}
