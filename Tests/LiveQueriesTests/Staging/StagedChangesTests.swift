import DataSourcesTesting
import LiveQueries
import TestSupport
import Testing
import Triples

@Suite("The table of staged changes")
struct StagedChangesTests {
  @Test("random histories with kills keep the order and apply each change exactly once")
  func histories() throws {
    for seed in UInt64(1)...150 {
      var history = try StagedHistory(seed: seed)
      for _ in 0..<60 { history.step() }
      history.finish()
      let comment: Comment = "seed \(seed): \(history.log.joined(separator: ", "))"
      #expect(history.faults == [], comment)
      // Each is made once, in the order in which they were asked for.
      #expect(history.made == history.made.sorted(), comment)
      #expect(Set(history.made).count == history.made.count, comment)
      let made = Set(history.made)
      #expect(made.isSuperset(of: history.expected), comment)
      #expect(made.isSubset(of: history.expected.union(history.uncertain)), comment)
    }
  }

  @Test("undoing everything restores the store", arguments: [UInt64(1), 2, 3, 4, 5])
  func undoingAll(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var base = try Goals.store(goals: 4)
    let before = Goals.titles(in: base)
    var table = StagedChanges()
    var queue: [(Int, TransactionQuery)] = []
    func follow(_ actions: [StagedChanges.Action]) {
      for case .send(let number, let query) in actions { queue.append((number, query)) }
    }
    func answerAll() throws {
      while !queue.isEmpty {
        let (number, query) = queue.removeFirst()
        let changes = try base.transact(query.transaction)
        var undo = Transaction(undoing: changes, in: base)
        undo.undoing = query.id
        follow(table.end(number, .made(undo: undo, at: base.transactionID)))
      }
    }
    for number in 0..<10 {
      follow(
        table.perform(
          .make(
            Goals.set(random.below(4), "title", .text("t\(number)")), Submission(summary: ""))))
      if random.oneIn(2) { try answerAll() }
    }
    for _ in 0..<10 {
      #expect(table.nextUndo == .change, "seed \(seed)")
      follow(table.perform(.undo))
      if random.oneIn(2) { try answerAll() }
    }
    try answerAll()
    #expect(table.nextUndo == .nothing, "seed \(seed)")
    #expect(Goals.titles(in: base) == before, "seed \(seed)")
    #expect(table.changes == [])
  }

  @Test("stored changes are counted until they are undone, also if there are too many to undo")
  func count() {
    var table = StagedChanges()
    var made: Int { ChangesState(table, version: 0, isStored: false).madeCount }
    func end(_ actions: [StagedChanges.Action], undo: Transaction?) {
      for case .send(let number, _) in actions {
        _ = table.end(number, .made(undo: undo, at: number))
      }
    }
    let undo = Goals.set(0, "title", "old")
    let make = ChangeCommand.make(Goals.set(0, "title", "new"), Submission(summary: ""))
    end(table.perform(make), undo: undo)
    end(table.perform(make), undo: nil)
    #expect(made == 2)
    // This change did not change anything.
    end(table.perform(make), undo: Transaction())
    #expect(made == 2)
    end(table.perform(.undo), undo: undo)
    #expect(made == 1)
    end(table.perform(.redo), undo: undo)
    #expect(made == 2)
    _ = table.perform(.beginStaging)
    for _ in 0..<3 { _ = table.perform(make) }
    #expect(made == 2)
    end(table.perform(.send), undo: undo)
    #expect(made == 5)
    for _ in 0..<StagedChanges.maxUndoable { end(table.perform(make), undo: undo) }
    #expect(made == 105)
    for case .send(let number, _) in table.perform(.undo) {
      _ = table.end(number, .rejected("no"))
    }
    #expect(made == 105)
    // The undo of the change before is sent.
    end(table.perform(.skipUndo), undo: undo)
    #expect(made == 104)
  }

  @Test("a snapshot is the store's own when nothing is pending, and after a rejection")
  func overlay() throws {
    let base = try Goals.snapshot(goals: 2)
    var table = StagedChanges()
    #expect(table.overlaid(on: base) == base)
    table.block("the file is locked")
    _ = table.perform(.make(Goals.set(0, "title", "new"), Submission(summary: "")))
    let shown = table.overlaid(on: base)
    #expect(Goals.titles(in: shown.store) == ["new", "goal 1"])
    #expect(shown.pending.mark(of: Goals.id(0)) == .sending)
    #expect(shown.pending.blocker == "the file is locked")
    #expect(shown.base == base && shown.transactionID == base.transactionID)
    _ = table.end(1, .rejected("no"))
    #expect(table.overlaid(on: base) == base)
    #expect(table.changes == [])
  }

  @Test("what is deleted remains in the snapshot, and is marked")
  func deletion() throws {
    let base = try Goals.snapshot(goals: 2)
    var table = StagedChanges()
    _ = table.perform(.beginStaging)
    let deleting = Transaction([.deleteEntity(.id(Goals.id(1)), namespace: "goals")])
    _ = table.perform(.make(deleting, Submission(summary: "")))
    let shown = table.overlaid(on: base)
    #expect(shown.store.isIdentical(to: base.store))
    #expect(shown.pending.mark(of: Goals.id(1)) == .deletion)
    #expect(shown.pending.mark(of: Goals.id(0)) == nil)
    let all = StagedChanges.applying(table.pending, to: base.store)
    #expect(all.store.count(of: "goals") == 1)
  }

  @Test("a change that was staged is shown until the store's own snapshot contains it")
  func lingering() throws {
    let base = try Goals.snapshot(goals: 1)
    var table = StagedChanges()
    _ = table.perform(.beginStaging)
    _ = table.perform(.make(Goals.set(0, "title", "new"), Submission(summary: "")))
    _ = table.perform(.send)
    var later = base.store
    let changes = try later.transact(Goals.set(0, "title", "new"))
    _ = table.end(
      2, .made(undo: Transaction(undoing: changes, in: later), at: later.transactionID))
    let between = table.overlaid(on: base)
    #expect(Goals.titles(in: between.store) == ["new"])
    #expect(between.pending == PendingChanges())
    let after = StoreSnapshot(later)
    #expect(table.overlaid(on: after) == after)
    #expect(!table.isStaging)
  }

  @Test("an undo that the store rejects is the next one, until it is skipped")
  func rejectedUndo() throws {
    var table = StagedChanges()
    var store = try Goals.store(goals: 2)
    for number in 0..<2 {
      _ = table.perform(.make(Goals.set(number, "title", "new"), Submission(summary: "")))
      let changes = try store.transact(Goals.set(number, "title", "new"))
      _ = table.end(
        number + 1,
        .made(undo: Transaction(undoing: changes, in: store), at: store.transactionID))
    }
    _ = table.perform(.undo)
    _ = table.end(2, .rejected("no"))
    #expect(table.nextUndo == .failed(reason: "no", isLast: false))
    #expect(table.perform(.undo) == [])
    guard case .send(1, _)? = table.perform(.skipUndo).first else {
      Issue.record("the change before is not undone")
      return
    }
    _ = table.end(1, .rejected("no"))
    #expect(table.nextUndo == .failed(reason: "no", isLast: true))
    guard case .send(1, _)? = table.perform(.retryUndo).first else {
      Issue.record("the undo is not tried again")
      return
    }
  }

  @Test("a change on its way is undone as soon as it is stored, after all later ones")
  func undoOnItsWay() throws {
    var table = StagedChanges()
    var store = try Goals.store(goals: 2)
    func end(_ number: Int) throws -> [StagedChanges.Action] {
      let changes = try store.transact(Goals.set(number - 1, "title", "new"))
      return table.end(
        number,
        .made(undo: Transaction(undoing: changes, in: store), at: store.transactionID))
    }
    for number in 0..<2 {
      _ = table.perform(.make(Goals.set(number, "title", "new"), Submission(summary: "c")))
    }
    #expect(table.perform(.undo) == [.report(.undoQueued(summary: "c"))])
    #expect(table.perform(.undo) == [.report(.undoQueued(summary: "c"))])
    #expect(table.nextUndo == .nothing)
    #expect(try end(1).count == 1)
    let sent = try end(2).compactMap { if case .send(let number, _) = $0 { number } else { nil } }
    #expect(sent == [2, 1])
  }

  @Test("a rejection of queued changes is reported once, and they cannot be undone")
  func rejectedLater() throws {
    var table = StagedChanges()
    let id = MutationID("queued")
    _ = table.perform(.make(Goals.set(0, "title", "new"), Submission(summary: ""))) { id }
    var undo = Transaction()
    undo.undoing = id
    _ = table.end(1, .made(undo: undo, at: 5))
    #expect(table.nextUndo == .change)
    let refusal = PendingChanges.Refusal(id: id, reason: "no")
    #expect(
      table.reject([refusal]) == [.report(.rejectedLater(count: 1, reason: "no", newest: 1))])
    #expect(table.reject([refusal]) == [])
    #expect(table.nextUndo == .nothing)
  }
}

extension Goals {
  static func titles(in store: TripleStore) -> [String] {
    store.rows(of: "goals").handles.compactMap {
      store.value($0, AttributeID("goals.title"))?.textValue
    }
  }
}
