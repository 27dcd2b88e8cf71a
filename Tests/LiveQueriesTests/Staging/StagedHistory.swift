import DataSourcesTesting
import LiveQueries
import TestSupport
import Triples

/// A user, a store and a disk around a table of staged changes, with a program that may be killed at
/// any step. Each change sets the title of a goal to a number of its own.
struct StagedHistory {
  private var random: SeededGenerator
  private var table = StagedChanges()
  private var store: TripleStore
  /// The ids that the store was given: it makes a change only once.
  private var known: Set<MutationID> = []
  private var sent: [(number: Int, query: TransactionQuery)] = []
  /// What survives a kill.
  private var disk: [PendingMutation] = []
  private var lastID = 0
  private var lastToken: Int64 = 0

  /// The numbers that the store was given first, in its order.
  private(set) var made: [Int64] = []
  /// The numbers that must be made at the end.
  private(set) var expected: Set<Int64> = []
  /// The numbers that the user gave up when they may have been made.
  private(set) var uncertain: Set<Int64> = []
  private(set) var faults: [String] = []
  private(set) var log: [String] = []

  init(seed: UInt64) throws {
    random = SeededGenerator(seed: seed)
    store = try Goals.store(goals: 3)
  }

  mutating func step() {
    switch random.below(12) {
    case 0: perform(.beginStaging)
    case 1: perform(.endStaging)
    case 2, 3, 4: make()
    case 5: perform(.send)
    case 6: random.oneIn(3) ? discard() : perform(.beginStaging)
    case 7: undo()
    case 8: table.block(random.oneIn(2) ? "locked" : nil)
    case 9 where random.oneIn(4): kill()
    default: answer(isRejected: random.oneIn(4))
    }
    check()
  }

  /// Sends everything, with a store that rejects nothing.
  mutating func finish() {
    for _ in 0..<4 {
      while !sent.isEmpty { answer(isRejected: false) }
      perform(.send)
    }
    if !table.pending.isEmpty { faults.append("not everything can be sent") }
  }

  private mutating func newID() -> MutationID {
    lastID += 1
    return MutationID("id \(lastID)")
  }

  private mutating func make() {
    lastToken += 1
    expected.insert(lastToken)
    perform(
      .make(
        Goals.set(random.below(3), "title", .integer(lastToken)),
        Submission(summary: "\(lastToken)")))
  }

  private mutating func discard() {
    for change in table.changes where change.state == .staged { giveUp(change, change.tokens) }
    perform(.discard)
  }

  /// Only what is staged: whatever the store has it keeps here.
  private mutating func undo() {
    guard let last = table.changes.last(where: { $0.state == .staged }) else { return }
    giveUp(last, last.mayHaveArrived ? last.tokens : last.tokens.suffix(1))
    perform(.undo)
  }

  private mutating func giveUp(_ change: StagedChange, _ tokens: [Int64]) {
    expected.subtract(tokens)
    if change.mayHaveArrived { uncertain.formUnion(tokens) }
  }

  private mutating func perform(_ command: ChangeCommand) {
    log.append("\(command.name)")
    var ids = (0..<4).map { _ in newID() }
    follow(table.perform(command) { ids.removeFirst() })
  }

  private mutating func follow(_ actions: [StagedChanges.Action]) {
    // What is sent is on the disk before.
    disk = table.stagedRecords
    for case .send(let number, let query) in actions { sent.append((number, query)) }
  }

  private mutating func answer(isRejected: Bool) {
    guard !sent.isEmpty else { return }
    let (number, query) = sent.removeFirst()
    // It refuses no change that it was given before.
    if isRejected, !known.contains(query.id) {
      log.append("reject \(number)")
      if !table.changes.contains(where: { $0.number == number && $0.wasStaged }) {
        expected.subtract(query.transaction.tokens)
      }
      let before = table.changes.filter { $0.number != number }
      follow(table.end(number, .rejected("no")))
      if table.changes.contains(where: { $0.number == number }) { faults.append("left a trace") }
      if table.changes.filter({ change in before.contains { $0.number == change.number } }).count
        != before.count
      {
        faults.append("a rejection changed others")
      }
      return
    }
    log.append("take \(number)")
    receive(query)
    follow(
      table.end(
        number,
        .made(
          undo: Transaction(undoing: ChangeSet(), in: store), at: store.transactionID)))
  }

  private mutating func receive(_ query: TransactionQuery) {
    guard known.insert(query.id).inserted else { return }
    made += query.transaction.tokens
    _ = try? store.transact(query.transaction)
  }

  /// The process ends; what it sent last arrived, or did not.
  private mutating func kill() {
    log.append("kill")
    let arrived = random.below(sent.count + 1)
    for (_, query) in sent.prefix(arrived) { receive(query) }
    for (_, query) in sent.dropFirst(arrived) {
      let isStaged = disk.contains { $0.staging?.batch == query.id }
      if !isStaged { expected.subtract(query.transaction.tokens) }
    }
    sent = []
    table = StagedChanges()
    let read = disk.compactMap { PendingMutation(json: $0.json) }
    if read.count != disk.count { faults.append("the disk cannot be read") }
    _ = table.restore(StagedArchive.groups(of: read), unreadable: 0)
  }

  private mutating func check() {
    let snapshot = StoreSnapshot(store)
    let shown = table.overlaid(on: snapshot)
    if table.pending.isEmpty, !table.isStaging, shown != snapshot {
      faults.append("something is shown of nothing")
    }
    if shown.base != snapshot { faults.append("the base is another one") }
    for change in table.pending where change.isShown {
      guard let token = change.transaction.tokens.last, change.number == table.pending.last?.number
      else { continue }
      let titles = store.rows(of: "goals").handles.compactMap {
        shown.store.value($0, AttributeID("goals.title"))
      }
      if !titles.contains(.integer(token)) { faults.append("the newest is not shown") }
    }
  }
}

extension Transaction {
  fileprivate var tokens: [Int64] {
    steps.compactMap { step in
      if case .addTriple(_, _, .integer(let token), _) = step { token } else { nil }
    }
  }
}

extension StagedChange {
  fileprivate var tokens: [Int64] { parts.flatMap(\.transaction.tokens) }
}

extension ChangeCommand {
  fileprivate var name: String {
    if case .make(_, let submission) = self { "make \(submission.summary)" } else { "\(self)" }
  }
}
