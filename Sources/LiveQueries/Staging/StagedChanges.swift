package import Triples

/// The changes of this process that a store does not have yet, and the changes that can be undone.
///
///     staged ──send──► sending ──store has it──► done ──undo──► undoing ──► (gone)
///        ▲ └─discard, undo─► (gone)   │            ▲               │
///        └───────── rejected ─────────┘            └── rejected ───┘
///
/// This type only changes its own state. Each transition returns the actions that its owner,
/// ``StagedStore``, must perform: store, send or report something.
package struct StagedChanges: Sendable, Equatable {
  package enum Action: Sendable, Equatable {
    /// Send a transaction to the store. The owner then calls ``end(_:_:newID:)`` with this number.
    case send(Int, TransactionQuery)
    case report(ChangeReport)
  }

  /// The result of a transaction that was sent.
  package enum Outcome: Sendable, Equatable {
    /// The store made the change; `undo` is nil if the previous values are unknown. The values
    /// `differing` are stored instead of those of the change.
    case made(
      undo: Transaction?, at: Int, differing: [StoredValue] = [], created: [CreatedEntity] = [])
    /// The transaction was the undo of a queued change. Neither the change nor the undo is sent.
    case dropped
    case rejected(String)
  }

  /// The maximum number of stored changes that are kept so that they can be undone.
  package static let maxUndoable = 100

  /// The changes in the order in which they were made.
  package internal(set) var changes: [StagedChange] = []
  package internal(set) var isStaging = false
  /// The reason why the store cannot make changes at the moment; nil when it can make changes.
  package internal(set) var blocker: String?
  /// The undo that the store rejected last.
  var failedUndo: (number: Int, reason: String)? {
    get { failure.map { ($0.number, $0.reason) } }
    set { failure = newValue.map { Failure(number: $0.number, reason: $0.reason) } }
  }
  private var failure: Failure?
  /// The ids of queued changes whose rejection has already been reported.
  private var reportedRefusals: Set<MutationID> = []
  private var lastNumber = 0
  /// The number of changes that the store made and that can no longer be undone.
  private(set) var permanentCount = 0
  /// The undone changes that can be redone. The change that was undone last is at the end.
  private var undone: [Undone] = []

  private struct Failure: Sendable, Equatable {
    let number: Int
    let reason: String
  }

  private struct Undone: Sendable, Equatable {
    let transaction: Transaction
    let submission: Submission
  }

  package init() {}

  /// Whether there is an undone change that can be redone.
  package var canRedo: Bool { !undone.isEmpty }

  mutating func nextNumber() -> Int {
    lastNumber += 1
    return lastNumber
  }

  // MARK: Commands

  /// Performs a user's command.
  ///
  /// - Parameter newID: Creates a new id.
  package mutating func perform(
    _ command: ChangeCommand, newID: () -> MutationID = { MutationID() }
  ) -> [Action] {
    switch command {
    case .make(let transaction, let submission):
      undone = []
      return make(transaction, submission, newID())
    case .redo:
      guard let last = undone.popLast() else { return [.report(.nothingToRedo)] }
      return make(last.transaction, last.submission, newID())
    case .beginStaging:
      isStaging = true
      return []
    case .endStaging:
      isStaging = hasStaged || isSendingStaged
      return []
    case .send: return send(newID)
    case .sendOver(let snapshots):
      let stores = snapshots.map(\.base.store)
      for place in changes.indices where changes[place].isStaged {
        changes[place] = changes[place].seen(in: stores)
      }
      return send(newID)
    case .discard: return discard()
    case .undo: return undo(newID)
    case .retryUndo:
      failure = nil
      return undo(newID)
    case .skipUndo:
      guard let number = failure?.number else { return [] }
      failure = nil
      if let place = changes.firstIndex(where: { $0.number == number && $0.undo != nil }) {
        makePermanent(place)
      }
      return undo(newID)
    case .drop(let id):
      var dropping = Transaction()
      dropping.undoing = id
      let number = nextNumber()
      changes.append(
        StagedChange(
          number: number, id: id, parts: [], submission: Submission(summary: ""),
          state: .undoing(undo: dropping)))
      return [.send(number, TransactionQuery(dropping, id: newID()))]
    // Only the owner can cancel the changes. This state does not change.
    case .cancelSending: return []
    }
  }

  private mutating func make(
    _ transaction: Transaction, _ submission: Submission, _ id: MutationID
  ) -> [Action] {
    let number = nextNumber()
    let part = StagedChange.Part(
      number: number, id: id, transaction: transaction, summary: submission.summary)
    changes.append(
      StagedChange(
        number: number, id: id, parts: [part], submission: submission,
        state: isStaging ? .staged : .sending, wasStaged: isStaging))
    if isStaging { return [.report(.staged(count: stagedParts))] }
    changes[changes.endIndex - 1].wasBlocked = blocker != nil
    return [.send(number, TransactionQuery(transaction, id: id))]
  }

  /// Sends staged changes. Changes that may have been sent before are sent again under the same id,
  /// so that the store applies them only once. All others become one transaction.
  private mutating func send(_ newID: () -> MutationID) -> [Action] {
    guard hasStaged, !isSendingStaged else { return [.report(.stillSending)] }
    var batches = changes.filter { $0.isStaged && $0.mayHaveArrived }
    let parts = changes.filter { $0.isStaged && !$0.mayHaveArrived }.flatMap(\.parts)
    changes.removeAll(where: \.isStaged)
    if !parts.isEmpty {
      let isOne = parts.count == 1
      batches.append(
        StagedChange(
          number: 0, id: newID(), parts: parts,
          submission: Submission(summary: isOne ? parts[0].summary : ""), state: .sending,
          wasStaged: true))
    }
    return batches.map { batch in
      let change = StagedChange(
        number: nextNumber(), id: batch.id, parts: batch.parts, submission: batch.submission,
        state: .sending, wasStaged: true, mayHaveArrived: batch.mayHaveArrived)
      changes.append(change)
      changes[changes.endIndex - 1].wasBlocked = blocker != nil
      return .send(change.number, TransactionQuery(change.transaction, id: change.id))
    }
  }

  private mutating func discard() -> [Action] {
    let count = changes.reduce(0) { $0 + ($1.isStaged ? $1.parts.count : 0) }
    guard count > 0 else { return [.report(.stillSending)] }
    changes.removeAll(where: \.isStaged)
    isStaging = isSendingStaged
    return [.report(.discarded(count: count, isSending: isSendingStaged))]
  }

  // MARK: Undo

  private mutating func undo(_ newID: () -> MutationID) -> [Action] {
    if hasStaged || isSendingStaged { return [.report(unstage())] }
    if let place = changes.lastIndex(where: { $0.isSending && !$0.isUnwanted }) {
      changes[place].isUnwanted = true
      return [.report(.undoQueued(summary: changes[place].submission.summary))]
    }
    guard let place = changes.lastIndex(where: \.isDone) else {
      return [.report(.nothingToUndo)]
    }
    // The next command of the user must first retry or skip the rejected undo.
    if failure?.number == changes[place].number { return [] }
    changes[place].isUnwanted = true
    let actions = sendReadyUndos(newID)
    return actions.isEmpty ? [.report(.undoQueuedAfterLater)] : actions
  }

  /// Records the parts of an undone change, so that they can be redone.
  private mutating func recordUndone(_ parts: [StagedChange.Part]) {
    undone += parts.reversed().map {
      Undone(transaction: $0.transaction, submission: Submission(summary: $0.summary))
    }
    if undone.count > Self.maxUndoable { undone.removeFirst(undone.count - Self.maxUndoable) }
  }

  /// Removes the newest staged change.
  private mutating func unstage() -> ChangeReport {
    guard let place = changes.lastIndex(where: \.isStaged), let part = changes[place].parts.last
    else { return .stillSending }
    let change = changes.remove(at: place)
    recordUndone(change.mayHaveArrived ? change.parts : [part])
    // Changes that may have been sent together are kept together or removed together.
    if change.mayHaveArrived {
      return .unstaged(summary: change.parts.map(\.summary).joined(separator: ", "))
    }
    changes.insert(contentsOf: change.parts.dropLast().map { staged($0) }, at: place)
    return .unstaged(summary: part.summary)
  }

  func staged(_ part: StagedChange.Part) -> StagedChange {
    StagedChange(
      number: part.number, id: part.id, parts: [part],
      submission: Submission(summary: part.summary), state: .staged, wasStaged: true)
  }

  /// Sends the requested undos that are ready, newest change first. An undo waits until all later
  /// changes are stored and undone.
  private mutating func sendReadyUndos(_ newID: () -> MutationID) -> [Action] {
    let newest = changes.last { $0.isUnwanted && $0.isSending }?.number ?? .min
    var actions: [Action] = []
    for place in changes.indices.reversed() {
      guard changes[place].isUnwanted, changes[place].number > newest,
        let undo = changes[place].undo
      else { continue }
      changes[place].isUnwanted = false
      changes[place].state = .undoing(undo: undo)
      changes[place].reportedAs = nextNumber()
      changes[place].wasBlocked = blocker != nil
      actions.append(.send(changes[place].number, TransactionQuery(undo, id: newID())))
    }
    return actions
  }

  // MARK: The store's answers

  /// Records the result of a transaction that was sent.
  package mutating func end(
    _ number: Int, _ outcome: Outcome, newID: () -> MutationID = { MutationID() }
  ) -> [Action] {
    guard let place = changes.firstIndex(where: { $0.number == number }) else { return [] }
    let change = changes[place]
    let isUndo = if case .undoing = change.state { true } else { false }
    var ended = EndedChange(
      number: change.reportedAs, submission: change.submission,
      stagedParts: change.wasStaged ? change.parts.count : 0, wasUnwanted: change.isUnwanted,
      newest: lastNumber)
    if isUndo { ended.stagedParts = 0 }
    let report: ChangeReport
    switch outcome {
    case .rejected(let reason) where isUndo:
      reopen(place, reason)
      report = .undoRejected(ended, reason: reason)
    case .rejected(let reason):
      changes.remove(at: place)
      if change.wasStaged {
        let later = changes.firstIndex(where: \.isStaged) ?? changes.endIndex
        changes.insert(contentsOf: change.parts.map { staged($0) }, at: later)
        isStaging = true
      }
      report = .rejected(ended, reason: reason)
    case .made(_, _, _, let created) where isUndo:
      ended.created = created
      recordUndone(change.parts)
      changes.remove(at: place)
      report = .undone(ended, isWhole: change.submission.isKnownWhole)
    case .dropped:
      recordUndone(change.parts)
      changes.remove(at: place)
      report = .dequeued(ended)
    case .made(let undo, let transactionID, let differing, let created):
      (ended.differing, ended.created) = (differing, created)
      report = .done(ended, undo: keepForUndo(place, undo, at: transactionID))
    }
    if change.wasStaged, !isUndo, !hasStaged, !isSendingStaged { isStaging = false }
    return [.report(report)] + sendReadyUndos(newID)
  }

  /// Keeps a stored change as long as it can be undone.
  private mutating func keepForUndo(
    _ place: Int, _ undo: Transaction?, at transactionID: Int
  ) -> ChangeReport.Undo {
    guard let undo, !undo.steps.isEmpty || undo.undoing != nil else {
      guard undo == nil else {
        changes.remove(at: place)
        return .needless
      }
      makePermanent(place)
      return .impossible
    }
    changes[place].state = .done(undo: undo, at: transactionID)
    if changes.count(where: \.isDone) > Self.maxUndoable,
      let oldest = changes.firstIndex(where: \.isDone)
    {
      makePermanent(oldest)
    }
    return undo.steps.isEmpty ? .whileQueued : .possible
  }

  /// Removes a stored change that can no longer be undone.
  private mutating func makePermanent(_ place: Int) {
    permanentCount += changes.remove(at: place).parts.count
  }

  /// Makes a change undoable again after the store has rejected its undo.
  private mutating func reopen(_ place: Int, _ reason: String) {
    guard case .undoing(let undo) = changes[place].state else { return }
    // `.min`, because the store's own snapshots have contained the change for a long time.
    changes[place].state = .done(undo: undo, at: .min)
    changes[place].wasBlocked = false
    failure = Failure(number: changes[place].number, reason: reason)
  }

  /// Records the reason why the store cannot make changes; nil when it can make changes.
  package mutating func block(_ reason: String?) {
    blocker = reason
    guard reason != nil else { return }
    for place in changes.indices {
      switch changes[place].state {
      case .sending, .undoing: changes[place].wasBlocked = true
      case .staged, .done: break
      }
    }
  }

  /// Removes queued changes that a server rejected. They need no undo.
  package mutating func reject(_ refusals: [PendingChanges.Refusal]) -> [Action] {
    let news = refusals.filter { !reportedRefusals.contains($0.id) }
    guard let last = news.last else { return [] }
    reportedRefusals = Set(refusals.map(\.id))
    let ids = Set(news.map(\.id))
    changes.removeAll { change in change.undo?.undoing.map(ids.contains) == true }
    if let number = failure?.number, !changes.contains(where: { $0.number == number }) {
      failure = nil
    }
    return [
      .report(.rejectedLater(count: news.count, reason: last.reason, newest: lastNumber))
    ]
  }
}
