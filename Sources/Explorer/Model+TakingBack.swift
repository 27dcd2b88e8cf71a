import TerminalUI
import Triples

/// What takes a change back.
struct WayBack: Sendable, Equatable {
  let transaction: Transaction
  /// Whether it brings all back, as far as was known when the change was made.
  var isWhole = true
}

/// The changes that were sent and of which it is not known yet what became of them.
struct ChangesUnderWay: Sendable, Equatable {
  /// The number of the newest change that was ever sent.
  private(set) var last = 0
  /// In the order in which they were made.
  private var sent: [Deed] = []
  /// What each of them does, by its number.
  private var contents: [Int: Transaction] = [:]
  /// Those that are to be taken back once they are made, by their numbers.
  private var unwanted: Set<Int> = []
  /// What takes back those that are made.
  private var waiting: [Undo] = []

  private struct Undo: Sendable, Equatable {
    let number: Int
    let way: WayBack
  }

  mutating func send(_ transaction: Transaction, _ deed: Deed) -> Effect {
    last += 1
    var deed = deed
    deed.number = last
    sent.append(deed)
    contents[last] = transaction
    return .transact(transaction, deed)
  }

  /// Whether one of them can still be wished back.
  var canBeTakenBack: Bool { newest != nil }

  private var newest: Deed? { sent.last { $0.undoing == nil && !unwanted.contains($0.number) } }

  /// What they are about.
  var entities: Set<EntityID> {
    sent.isEmpty ? [] : contents.values.reduce([]) { $0.union($1.entities) }
  }

  /// In the order in which they were made.
  var transactions: [Transaction] { sent.compactMap { contents[$0.number] } }

  /// Wishes back the newest one that is not itself the taking back of something.
  ///
  /// - Returns: That one; nil where there is none.
  mutating func wishBack() -> Deed? {
    guard let newest else { return nil }
    unwanted.insert(newest.number)
    return newest
  }

  /// It is known what became of a change.
  ///
  /// - Returns: Whether it is to be taken back, if it was made.
  mutating func settle(_ deed: Deed) -> Bool {
    sent.removeAll { $0.number == deed.number }
    contents[deed.number] = nil
    return unwanted.remove(deed.number) != nil
  }

  /// Takes a change back when those that came after it are.
  mutating func takeBack(_ deed: Deed, by way: WayBack) {
    waiting.append(Undo(number: deed.number, way: way))
  }

  /// Whether something is to be taken back that is not yet.
  var isTakingBack: Bool { !unwanted.isEmpty || !waiting.isEmpty }

  /// Takes back what was made before all of them, once they are taken back.
  mutating func takeBackLast(by way: WayBack) {
    let first = waiting.map(\.number).min() ?? 1
    waiting.append(Undo(number: min(first, 1) - 1, way: way))
  }

  /// What takes changes back that nothing keeps any more, the newest change first.
  mutating func takeReady() -> [WayBack] {
    let newest = unwanted.max() ?? .min
    let ready = waiting.filter { $0.number > newest }.sorted { $0.number > $1.number }
    waiting.removeAll { $0.number > newest }
    return ready.map(\.way)
  }
}

/// What could not be taken back when it was tried last, and is still the next to be.
struct RefusedUndo: Sendable, Equatable {
  let way: WayBack
  let reason: String
}

/// What shall become of it.
enum UndoWish: Sendable, Equatable {
  case again, before
  /// A change that waits for the server shall not be sent.
  case drop(MutationID)
}

// Taking back what was changed.
extension Model {
  /// Takes back what was done last, be it that it is still on its way to the store.
  mutating func undoTransaction() -> [Effect] {
    if let effects = takeBackUnsent() { return effects }
    if let deed = underWay.wishBack() {
      notice = .undoQueued(deed.summary)
      return []
    }
    if let refusedUndo, refusedUndo.way == undoable.last {
      open(refusedUndo.menu(isLast: undoable.count == 1, width: size.columns))
      return []
    }
    guard let way = undoable.popLast() else {
      if let waiting = leftWaiting {
        open(waiting.menu)
        return []
      }
      notice = .nothingToUndo
      return []
    }
    guard underWay.isTakingBack else { return [takeBack(by: way)] }
    underWay.takeBackLast(by: way)
    notice = .undoQueuedAfterLater
    return []
  }

  /// The newest change that waits for a server that is away and that nothing here takes back, as it was
  /// made before the program was started.
  var leftWaiting: LeftWaiting? {
    guard isServerSilent, underWay.entities.isEmpty, let pending = catalog?.snapshot.pending,
      let newest = pending.left
    else { return nil }
    return LeftWaiting(newest: newest, count: pending.count)
  }

  mutating func fulfil(_ wish: UndoWish) -> [Effect] {
    if case .drop(let id) = wish {
      var dropping = Transaction()
      dropping.undoing = id
      return [takeBack(by: WayBack(transaction: dropping))]
    }
    let isLeft = wish == .before && refusedUndo != nil && refusedUndo?.way == undoable.last
    refusedUndo = nil
    if isLeft { undoable.removeLast() }
    return undoTransaction()
  }

  /// What was wished back is sent in the opposite of the order in which it was made.
  mutating func takeBackReady() -> [Effect] {
    underWay.takeReady().map { takeBack(by: $0) }
  }

  private mutating func takeBack(by way: WayBack) -> Effect {
    let summary = way.isWhole ? ChangeSummary.undone : ChangeSummary.partlyUndone
    return underWay.send(way.transaction, Deed(summary: summary, undoing: way))
  }

  /// What was to be taken back is not sent any more.
  mutating func receive(dropping deed: Deed) -> [Effect] {
    _ = underWay.settle(deed)
    report(.done(ChangeSummary.dequeued, hints: [hintAfterUndo]), of: deed)
    return takeBackReady()
  }

  private var hintAfterUndo: KeyHint {
    undoable.isEmpty ? .key(.changes) : .key(.undoTransaction, "undo the one before")
  }

  /// A transaction is done.
  mutating func receive(_ deed: Deed, undo: Transaction?) -> [Effect] {
    let isUnwanted = underWay.settle(deed)
    let way = undo.flatMap { undo in
      undo.steps.isEmpty && undo.undoing == nil
        ? nil : WayBack(transaction: undo, isWhole: deed.isKnownWhole)
    }
    if isUnwanted, let way { underWay.takeBack(deed, by: way) }
    if deed.wasKeptBack { forgetSent() }
    // Who holds the rows as they are does not see it.
    let isSeen = tab.held == nil
    var deed = deed
    if deed.undoing != nil { deed.hints = [hintAfterUndo] }
    if let way, way.transaction.steps.isEmpty {
      deed.hints = [.key(.undoTransaction, "undo while it is not sent")]
    }
    report(isSeen ? deed.notice : .doneWhilePaused(deed.summary), of: deed)
    let effects = takeBackReady()
    guard deed.undoing == nil else { return effects }
    guard undo != nil else {
      // It would not be true that it can be taken back.
      report(.doneForGood(deed.summary), of: deed)
      return effects
    }
    guard let way, !isUnwanted else { return effects }
    undoable.append(way)
    if undoable.count > Self.mostUndoable { undoable.removeFirst() }
    return effects
  }

  private static let mostUndoable = 100
}

/// Changes that were made before the program was started and wait for a server that is away.
struct LeftWaiting: Sendable, Equatable {
  let newest: MutationID
  let count: Int

  fileprivate var menu: MenuPane {
    return MenuPane(
      "\(StagingWords.changes(count)) from an earlier session \(count == 1 ? "is" : "are") queued",
      [
        .init(key: "k", label: "keep", detail: "sent when the server is back", wishes: []),
        .init(
          key: "d", label: count == 1 ? "discard it" : "discard the last",
          detail: "not sent, if it was not yet", wishes: [.undo(.drop(newest))]),
      ])
  }
}

// What a server refuses when it is back.
extension Model {
  /// Tells of changes that were made while the server was away and that it does not take: there is
  /// nothing of them to be taken back.
  mutating func hear(_ refused: [PendingChanges.Refusal]) {
    let news = refused.filter { !heardRefusals.contains($0.id) }
    guard let last = news.last else { return }
    heardRefusals = Set(refused.map(\.id))
    undoable.removeAll { way in news.contains { $0.id == way.transaction.undoing } }
    if let way = refusedUndo?.way, !undoable.contains(way) { refusedUndo = nil }
    notice = .rejectedLater(news.count, last.reason).keptUntil(after: underWay.last)
  }
}

extension RefusedUndo {
  /// - Parameter isLast: Whether nothing was changed before it.
  fileprivate func menu(isLast: Bool, width: Int) -> MenuPane {
    let heading = "Not undone: \(reason)"
    // The reason was told before; what can be done must be in sight.
    return MenuPane(
      TextWidth.columns(of: heading) + 8 <= width ? heading : "Not undone",
      [
        .init(key: "t", label: "try again", wishes: [.undo(.again)]),
        .init(
          key: "l", label: "leave it",
          detail: isLast
            ? "nothing was changed before it" : "and undo the change before it",
          wishes: [.undo(.before)]),
        .init(key: "s", label: "stay", detail: "and do neither", wishes: []),
      ])
  }
}

extension Transaction {
  /// The entities that it names by their ids.
  fileprivate var entities: Set<EntityID> {
    var entities: Set<EntityID> = []
    for step in steps {
      switch step {
      case .addTriple(.id(let id), _, _, _), .retractTriple(.id(let id), _, _),
        .deepMergeTriple(.id(let id), _, _, _), .deleteEntity(.id(let id), _):
        entities.insert(id)
      default: continue
      }
    }
    return entities
  }
}
