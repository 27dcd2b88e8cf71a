import DataSources
import InstaQL
import LiveQueries
import Stores
import TestSupport
import Testing
import Triples

/// The contract of every writable store.
@Suite("Store contract", .timeLimit(.minutes(10)))
struct StoreContract {
  @Test(
    "a transaction returns a snapshot that contains it, with its changes",
    arguments: StoreKind.allCases)
  func transacting(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      let before = try await store.get(Sample.everything)
      let after = try await store.transact(Sample.task(1, title: "write"))
      #expect(after.store.count(of: "tasks") == 1)
      #expect(after.transactionID > before.transactionID)
      let changes = try #require(after.changes)
      #expect(Set(changes.changes.compactMap(\.new)) == [Sample.id(1).json, "write"])
      #expect(after.history.changes(since: before.transactionID) == changes)
      #expect(after.store.checkInvariants() == [])
    }
  }

  @Test("a change is in the next answer", arguments: StoreKind.allCases)
  func reading(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      let written = try await store.transact(Sample.task(1, title: "write"))
      let read = try await store.get(Sample.everything)
      #expect(read.titles == written.titles)
      // Behind a server the states of all queries are numbered in one row.
      #expect(read.transactionID >= written.transactionID)
      guard kind.isWhole else { return }
      #expect(read == written)
      #expect(try await store.getAll(VoidQuery()) == [written])
    }
  }

  @Test(
    "a rejected transaction changes nothing and gives the reason", arguments: StoreKind.allCases)
  func refusing(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      let before = try await store.transact(Sample.task(1, title: "write"))
      let unsound = Transaction(
        Sample.task(2, title: "read").steps + [
          .addTriple(.id(Sample.id(2)), AttributeID("nobody"), 1)
        ])
      let error = await #expect(throws: DataSourceError.self) { try await store.transact(unsound) }
      #expect(error?.code == .refused(type: "record-not-found"))
      #expect(error?.message.contains("nobody") == true)
      let after = try await store.get(Sample.everything)
      #expect(after.titles == before.titles)
      #expect(!kind.isWhole || after == before)
    }
  }

  @Test("a repeated change is applied once", arguments: StoreKind.allCases)
  func repeating(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      let query = TransactionQuery(Sample.task(1, title: "write"))
      let first = try await store.put(nil, in: query)
      try await store.transact(Sample.task(1, title: "read"))
      try await store.put(nil, in: query)
      let read = try await store.get(Sample.everything)
      #expect(!kind.isWhole || read.transactionID == first.transactionID + 1)
      #expect(read.transactionID > first.transactionID)
      #expect(read.titles == ["read"])
    }
  }

  @Test(
    "a subscriber gets the current state, then every change or a merged one",
    arguments: StoreKind.allCases)
  func watching(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      var snapshots = store.watch(Sample.everything).awaited("all tasks").makeAsyncIterator()
      let first = try #require(try await snapshots.next(isolation: nil))
      #expect(first.store.count(of: "tasks") == 0)
      for number in 1...5 { try await store.transact(Sample.task(number, title: "t\(number)")) }
      var (known, seen) = (first.transactionID, 0)
      while seen < 5, let snapshot = try await snapshots.next(isolation: nil) {
        let changes = try #require(snapshot.history.changes(since: known))
        seen += changes.changes.count { $0.new?.textValue?.hasPrefix("t") == true }
        known = snapshot.transactionID
        #expect(snapshot.store.count(of: "tasks") == seen)
      }
      #expect(seen == 5)
    }
  }

  @Test("a subscriber that leaves does not affect others", arguments: StoreKind.allCases)
  func leaving(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      var staying = store.watch(Sample.everything).awaited("the task").makeAsyncIterator()
      do {
        var leaving = store.watch(Sample.everything).awaited("a state").makeAsyncIterator()
        _ = try await leaving.next(isolation: nil)
      }
      try await store.transact(Sample.task(1, title: "write"))
      while let snapshot = try await staying.next(isolation: nil) {
        if snapshot.store.count(of: "tasks") == 1 { break }
      }
    }
  }

  @Test("concurrent writers all succeed", arguments: StoreKind.allCases)
  func writingAtOnce(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 1...20 {
          group.addTask { try await store.transact(Sample.task(number, title: "t\(number)")) }
        }
        try await group.waitForAll()
      }
      let snapshot = try await store.get(Sample.everything)
      #expect(snapshot.store.count(of: "tasks") == 20)
      #expect(snapshot.store.checkInvariants() == [])
    }
  }

  @Test("undoing the last transaction restores the previous values", arguments: StoreKind.allCases)
  func undoing(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      var snapshots = Snapshots(store.watch(Sample.everything))
      try await store.transact(Sample.task(1, title: "write"))
      _ = try await snapshots.next { $0.titles == ["write"] }
      let changed = try await store.transact(Sample.title(1, "read"))
      let changes = try #require(changed.changes)
      let undone = try await store.transact(Transaction(undoing: changes, in: changed.store))
      let task = try #require(undone.store.handle(of: Sample.id(1)))
      #expect(undone.store.value(task, Sample.titleID) == "write")
    }
  }

  @Test(
    "undo skips values that were changed since and deleted entities",
    arguments: StoreKind.allCases)
  func undoingTooLate(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      var snapshots = Snapshots(store.watch(Sample.everything))
      try await store.transact(Sample.task(1, title: "write"))
      _ = try await snapshots.next { $0.titles == ["write"] }
      let changed = try await store.transact(Sample.title(1, "read"))
      let undo = Transaction(undoing: try #require(changed.changes), in: changed.store)
      try await store.transact(Sample.title(1, "sing"))
      _ = try await snapshots.next { $0.titles == ["sing"] }
      await #expect(throws: DataSourceError.self) { try await store.transact(undo) }
      #expect(try await store.get(Sample.everything).titles == ["sing"])
      // The same where a value went, and another one came.
      let emptied = try await store.transact(
        Transaction([.retractTriple(.id(Sample.id(1)), Sample.titleID, "sing")]))
      let refilling = Transaction(undoing: try #require(emptied.changes), in: emptied.store)
      try await store.transact(Sample.title(1, "hum"))
      _ = try await snapshots.next { $0.titles == ["hum"] }
      await #expect(throws: DataSourceError.self) { try await store.transact(refilling) }
      #expect(try await store.get(Sample.everything).titles == ["hum"])
      // And where one came in a place that was empty.
      _ = try await store.transact(
        Transaction([.retractTriple(.id(Sample.id(1)), Sample.titleID, "hum")]))
      let filled = try await store.transact(Sample.title(1, "write"))
      let emptying = Transaction(undoing: try #require(filled.changes), in: filled.store)
      try await store.transact(Sample.title(1, "sing"))
      _ = try await snapshots.next { $0.titles == ["sing"] }
      await #expect(throws: DataSourceError.self) { try await store.transact(emptying) }
      #expect(try await store.get(Sample.everything).titles == ["sing"])
      try await store.transact(Transaction([.deleteEntity(.id(Sample.id(1)), namespace: "tasks")]))
      _ = try await snapshots.next { $0.titles.isEmpty }
      await #expect(throws: DataSourceError.self) { try await store.transact(undo) }
      let left = try await store.get(Sample.everything).store
      #expect(left.handle(of: Sample.id(1)).flatMap { left.value($0, Sample.titleID) } == nil)
    }
  }

  @Test(
    "the whole store has every entity, value and link, regardless of earlier queries",
    arguments: StoreKind.allCases)
  func whole(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      #expect(try await store.wholeStore(bytes: .counted).store.facts == [])
      for number in 1...30 {
        try await store.transact(Sample.task(number, title: "t\(number)"))
        try await store.transact(Sample.link(number, to: 100 + number % 4))
      }
      // A remote store then has a separate answer for this query.
      _ = try await store.get(QueryDocument(QueryPlan("projects")))
      let whole = try await store.wholeStore(bytes: .counted).store
      #expect(whole.count(of: "tasks") == 30)
      #expect(whole.count(of: "projects") == 4)
      #expect(whole.rows(Sample.titleID, .stored).count == 30)
      #expect(whole.rows(Sample.projectID, .stored).count == 30)
      #expect(whole.facts.count == 30 * 3 + 4)
      #expect(whole.checkInvariants() == [])
    }
  }

  @Test("only transactions can be put", arguments: StoreKind.allCases)
  func puttingAnythingElse(_ kind: StoreKind) async throws {
    try await kind.withStore { store in
      let odd = await #expect(throws: DataSourceError.self) {
        try await store.put(nil, in: VoidQuery())
      }
      #expect(odd?.code == .unsupportedQuery)
      let snapshots = await #expect(throws: DataSourceError.self) {
        try await store.putAll([], in: VoidQuery())
      }
      #expect(snapshots?.code == .notImplemented)
    }
  }
}

extension StoreDataSource {
  /// Puts a transaction with a new id.
  @discardableResult
  func transact(_ transaction: Transaction) async throws(DataSourceError) -> StoreSnapshot {
    try await put(nil, in: TransactionQuery(transaction))
  }
}
