import DataSources
import GRDB
import InstaQL
import LiveQueries
import Stores
import Synchronization
import TestSupport
import Testing
import Triples

@Suite("A store with staged changes", .timeLimit(.minutes(10)))
struct StagedStoreTests {
  /// What a store reports.
  private final class Reports: Sendable {
    private let all = Mutex<[ChangeReport]>([])
    private let signal = ChangeSignal()

    init(of store: StagedStore) {
      store.listen { [weak self] report, _ in
        guard let self, let report else { return }
        all.withLock { $0.append(report) }
        signal.ring()
      }
    }

    /// Waits for the first report that is accepted.
    func first(
      _ wanted: String, where isAccepted: (ChangeReport) -> Bool
    ) async throws -> ChangeReport? {
      try await awaiting(wanted, instead: "the reports were \(all.withLock { $0 })") {
        for await _ in signal.rings() {
          if let report = all.withLock({ $0.first(where: isAccepted) }) { return report }
        }
        return nil
      }
    }
  }

  private static func make(_ transaction: Transaction, _ summary: String = "") -> ChangeCommand {
    .make(transaction, Submission(summary: summary))
  }

  private static func prepared(_ store: some StoreDataSource) async throws {
    try await store.transact(Sample.schema)
    try await store.transact(Sample.task(1, title: "write"))
  }

  private static func titles(_ store: any StoreDataSource) async throws -> [String] {
    try await store.get(Sample.everything).titles
  }

  @Test("staged changes are in every snapshot and query, and in the store once they are sent")
  func sending() async throws {
    let memory = MemoryStore()
    try await Self.prepared(memory)
    let staged = StagedStore(memory)
    #expect(staged.isSettled)
    let manager = QueryManager(store: staged)
    let open = QueryPlan("tasks").filter(.compare(AttributePath(["title"]), .equal, .text("read")))
    let subscription = await manager.subscribe(to: QueryDocument(open))
    var results = subscription.results.makeAsyncIterator()
    func count(_ wanted: Int) async throws {
      _ = try await results.next("\(wanted) rows") {
        guard case .loaded(let live) = $0 else { return false }
        return live.answers.first?.rows.count == wanted
      }
    }
    try await count(0)
    staged.perform(.beginStaging)
    staged.perform(Self.make(Sample.title(1, "read")))
    staged.perform(Self.make(Sample.task(2, title: "read")))
    try await count(2)
    #expect(try await Self.titles(memory) == ["write"])
    let shown = try await staged.get(Sample.everything)
    #expect(shown.titles.sorted() == ["read", "read"])
    #expect(shown.pending.stagedCount == 2 && shown.pending.isStaging)
    #expect(shown.pending.mark(of: Sample.id(1)) == .staged)
    #expect(try await staged.wholeStore(bytes: .counted).store.count(of: "tasks") == 1)
    staged.perform(.undo)
    try await count(1)
    staged.perform(.send)
    await staged.waitUntilSettled()
    #expect(try await Self.titles(memory) == ["read"])
    staged.perform(.undo)
    await staged.waitUntilSettled()
    #expect(staged.isSettled)
    #expect(try await Self.titles(memory) == ["write"])
    try await count(0)
    #expect(try await staged.get(Sample.everything) == memory.get(Sample.everything))
  }

  private static let makers = """
    CREATE TABLE makers (id INTEGER PRIMARY KEY, name TEXT);
    INSERT INTO makers VALUES (1, 'Ann');
    """

  @Test("created rows follow the rows that a database reads on demand")
  func onDemand() async throws {
    try await OtherDatabase.with(Self.makers, maxBytesInMemory: 0) { makers in
      let staged = StagedStore(makers.store)
      let manager = QueryManager(store: staged)
      let subscription = await manager.subscribe(
        to: QueryDocument(QueryPlan("makers")), window: AnswerView.Window(count: 10))
      var results = subscription.results.makeAsyncIterator()
      func names(_ wanted: [String]) async throws {
        _ = try await results.next("the names \(wanted)") {
          guard case .loaded(let live) = $0, let answer = live.answers.first else { return false }
          return answer.rows.compactMap { answer.value($0, "name")?.textValue } == wanted
        }
      }
      try await names(["Ann"])
      staged.perform(.beginStaging)
      let name = makers.attribute("makers", "name")
      let id = makers.id("makers", 2)
      staged.perform(
        Self.make(
          Transaction([
            .addTriple(.id(id), makers.identity("makers"), .text(id.text)),
            .addTriple(.id(id), name, "Bo"),
          ])))
      staged.perform(Self.make(Transaction([.addTriple(.id(makers.id("makers", 1)), name, "Ada")])))
      try await names(["Ada", "Bo"])
      staged.perform(.send)
      await staged.waitUntilSettled()
      try await names(["Ada", "Bo"])
      let stored = try makers.value("SELECT name FROM makers WHERE id = 1")
      #expect(stored == "Ada")
    }
  }

  @Test("a blocked change is in the snapshots with a mark until it is applied")
  func blocked() async throws {
    try await OtherDatabase.with(Self.makers) { makers in
      let staged = StagedStore(makers.store)
      var snapshots = Snapshots(staged.watch(AllObjectsQuery()))
      _ = try await snapshots.next { _ in true }
      var configuration = Configuration()
      configuration.allowsUnsafeTransactions = true
      let other = try DatabaseQueue(path: makers.path, configuration: configuration)
      try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
      let ann = makers.id("makers", 1)
      staged.perform(
        Self.make(Transaction([.addTriple(.id(ann), makers.attribute("makers", "name"), "Bo")])))
      let shown = try await snapshots.next { $0.pending.blocker != nil }
      #expect(shown.pending.mark(of: ann) == .sending)
      #expect(shown.pending.changes.map(\.state) == [.blocked])
      #expect(!staged.isSettled)
      try other.inDatabase { try $0.execute(sql: "ROLLBACK") }
      _ = try await snapshots.next { $0.pending.changes.isEmpty }
      await staged.waitUntilSettled()
      #expect(try makers.value("SELECT name FROM makers") == "Bo")
    }
  }

  @Test("a rejected batch is staged again, with the reason")
  func rejected() async throws {
    let memory = MemoryStore()
    try await Self.prepared(memory)
    let staged = StagedStore(memory)
    let reports = Reports(of: staged)
    staged.perform(.beginStaging)
    staged.perform(Self.make(Sample.title(1, "read")))
    staged.perform(
      Self.make(Transaction([.addTriple(.id(Sample.id(1)), AttributeID("nobody"), 1)])))
    staged.perform(.send)
    let report = try await reports.first("a rejection") { $0.rejection != nil }
    #expect(report?.rejection?.contains("nobody") == true)
    await staged.waitUntilSettled()
    let shown = try await staged.get(Sample.everything)
    #expect(shown.pending.stagedCount == 2 && shown.titles == ["read"])
    #expect(try await Self.titles(memory) == ["write"])
  }

  @Test("a process that ends at any time leaves its staged changes to the next one, once")
  func restarting() async throws {
    try await withTemporaryFolder { folder in
      let file = folder + "/a.sonde"
      let local = try await LocalStore.open(file: file, ifMissing: .create)
      let archive = StagedArchive(folder: folder, store: file)
      let staged = StagedStore(local, archive: archive)
      try await Self.prepared(local)
      staged.perform(.beginStaging)
      staged.perform(Self.make(Sample.title(1, "read")))
      staged.perform(Self.make(Sample.task(2, title: "sing")))
      await staged.waitUntilSettled()
      await local.close()
      await archive.release()
      let later = try await LocalStore.open(file: file, ifMissing: .create)
      let laterArchive = StagedArchive(folder: folder, store: file)
      let again = StagedStore(later, archive: laterArchive)
      let reports = Reports(of: again)
      let restored = try await reports.first("restored changes") {
        if case .restored = $0 { true } else { false }
      }
      #expect(restored == .restored(count: 2, unreadable: 0))
      await again.waitUntilSettled()
      let shown = try await again.get(Sample.everything)
      #expect(shown.titles.sorted() == ["read", "sing"] && shown.pending.stagedCount == 2)
      // Another process does not take them.
      let other = StagedStore(
        MemoryStore(), archive: StagedArchive(folder: folder, store: file))
      await other.waitUntilSettled()
      #expect(try await other.get(Sample.everything).pending.stagedCount == 0)
      again.perform(.send)
      await again.waitUntilSettled()
      #expect(try await Self.titles(later).sorted() == ["read", "sing"])
      await laterArchive.release()
      #expect(try await StagedArchive(folder: folder, store: file).restore().groups.isEmpty)
      await later.close()
    }
  }

  @Test("a store that cannot be written leaves staged changes to another process")
  func readOnly() async throws {
    try await withTemporaryFolder { folder in
      let archive = StagedArchive(folder: folder, store: "a")
      var table = StagedChanges()
      _ = table.perform(.beginStaging)
      _ = table.perform(Self.make(Sample.title(1, "read")))
      try await archive.save(table)
      await archive.release()
      let reading = StagedArchive(folder: folder, store: "a")
      let staged = StagedStore(MemoryStore(), archive: reading, isReadOnly: true)
      let reports = Reports(of: staged)
      let kept = try await reports.first("kept changes") {
        if case .keptForWriter = $0 { true } else { false }
      }
      #expect(kept == .keptForWriter(count: 1))
      await staged.waitUntilSettled()
      await reading.release()
      #expect(
        try await StagedArchive(folder: folder, store: "a").restore().groups.count == 1)
    }
  }
}
