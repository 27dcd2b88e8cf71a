import LiveQueries
import Triples

/// The changes that the user makes in this session, from the typed input to the store's response.
struct OwnChanges: Sendable, Equatable {
  /// The pending changes, and what can be undone. They can be newer than the snapshot.
  private(set) var state = ChangesState()
  /// The changes that are being sent, by number.
  private var submitted: [Int: SubmittedChange] = [:]
  private var lastNumber = 0
  /// The latest change that the user typed and the store rejected; nil once the user has reopened
  /// its input.
  var rejectedEdit: RejectedEdit?
  /// The effects of the staged changes.
  private(set) var staged = StagedEntries()
  /// The notice about the staged changes of an earlier session; nil once it was shown.
  var reminder: Notice?

  /// Whether a change is being sent to the store.
  var isSending: Bool { !submitted.isEmpty || state.isSending }

  /// Replaces the state, unless the new state is older.
  mutating func update(_ newer: ChangesState) {
    if newer.version >= state.version { state = newer }
  }

  /// Records a change that is about to be sent or staged, and returns its number.
  mutating func submit(_ change: SubmittedChange) -> Int {
    lastNumber += 1
    if !state.isStaging { submitted[lastNumber] = change }
    return lastNumber
  }

  /// Removes a change that the store has carried out. Returns the summary and the key hints for the
  /// notice about it.
  mutating func finish(_ change: EndedChange) -> (summary: String, hints: [KeyHint]) {
    let own = submitted.removeValue(forKey: change.submission.tag)
    guard change.stagedParts > 0 else {
      return (
        ChangeSummary.with(change.differing, after: change.submission.summary), own?.hints ?? []
      )
    }
    return (
      ChangeSummary.with(change.differing, after: ChangeSummary.sent(change.stagedParts)),
      [.key(.undoTransaction, "undo them all")]
    )
  }

  /// Removes a change that the store rejected, and returns the notice about it. If the user typed
  /// the change, keeps its input for another attempt.
  mutating func reject(_ change: EndedChange, _ reason: String) -> Notice {
    let own = submitted.removeValue(forKey: change.submission.tag)
    if change.stagedParts > 0 { return .stagedRejected(reason).keptUntil(after: change.newest) }
    guard let typed = own?.typed, !change.wasUnwanted else {
      return .rejected(reason).keptUntil(after: change.newest)
    }
    let notice = Notice.rejected(reason, typed: typed.command).keptUntil(after: change.newest)
    rejectedEdit = RejectedEdit(typed: typed, reason: reason, notice: notice)
    return notice
  }

  /// Lists the differences between the newest data and the data with the staged changes.
  ///
  /// - Parameter others: Snapshots that can contain entities that `base` lacks.
  mutating func listStaged(
    _ pending: [PendingChange], on base: StoreSnapshot?, naming others: [StoreSnapshot]
  ) {
    staged.list(pending.filter { $0.stagedParts > 0 }, on: base, naming: others)
  }
}

/// A change submitted by this session, kept until its result is reported.
struct SubmittedChange: Sendable, Equatable {
  /// The key hints of the notice that is shown when the change is done.
  var hints: [KeyHint] = []
  /// The typed input of the change; nil if the user did not type it.
  var typed: TypedChange?
}

/// The input of a typed change, kept so that the user can edit it if the store rejects the change.
enum TypedChange: Sendable, Equatable {
  case draft(EntityDraft)
  indirect case line(PromptPane)

  /// The command that reopens the input.
  var command: Command {
    switch self {
    case .draft: .add
    case .line: .edit
    }
  }
}

/// A typed change that the store rejected.
struct RejectedEdit: Sendable, Equatable {
  let typed: TypedChange
  let reason: String
  let notice: Notice

  /// Returns whether the rejected edit was a value typed for `target`.
  func isOf(_ target: EditTarget) -> Bool {
    guard case .line(let line) = typed, case .value(let own, _) = line.purpose else { return false }
    return own == target
  }
}
