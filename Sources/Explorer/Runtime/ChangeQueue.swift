import DataSources
import LiveQueries
import Synchronization
import Triples

/// The changes on their way to the store, which takes them one after the other in the order in which
/// they were made.
///
/// A store elsewhere has taken a change long before it answers for it: the next one does not wait for
/// the answer. Answers are told in the same order all the same.
struct ChangeQueue {
  private let manager: QueryManager
  private let underWay = Counter()
  /// The newest change, which waits for those before it; nil when there never was one.
  private(set) var last: Task<Void, Never>?
  /// Those that have no answer yet, and some that have.
  private var all: [Task<Void, Never>] = []
  /// Ends when the store has taken the newest change, or will not.
  private var taken: AsyncStream<Never>?

  init(_ manager: QueryManager) { self.manager = manager }

  /// How many have no answer yet.
  var count: Int { underWay.count.withLock { $0 } }

  /// The same in words that "made" follows.
  var words: String { count == 1 ? "1 change is" : "\(count) changes are" }

  mutating func add(_ transaction: Transaction, _ deed: Deed, mailbox: Mailbox) {
    let (manager, underWay, before, turn) = (manager, underWay, last, taken)
    let (taken, taking) = AsyncStream.makeStream(of: Never.self)
    self.taken = taken
    if count == 0 { all = [] }
    underWay.count.withLock { $0 += 1 }
    let task = Task {
      if let turn { for await _ in turn {} }
      let outcome = await Self.outcome(of: transaction, deed, manager) { taking.finish() }
      taking.finish()
      await before?.value
      mailbox.post(outcome)
      underWay.count.withLock { $0 -= 1 }
    }
    last = task
    all.append(task)
  }

  /// Gives all of them up that the store has not taken: each is told as refused, or as made after all.
  func giveUp() {
    for task in all { task.cancel() }
  }

  private static func outcome(
    of transaction: Transaction, _ deed: Deed, _ manager: QueryManager,
    taken: @escaping @Sendable () -> Void
  ) async -> Event {
    let givenUp = Event.refused("Given up: nothing was changed", deed)
    if Task.isCancelled { return givenUp }
    do throws(LiveFailure) {
      let id = MutationID()
      let snapshot = try await manager.transact(transaction, id: id, taken: taken)
      if transaction.undoing != nil, snapshot.isOfNothingSent { return .dropped(deed) }
      // The changes name entities as this snapshot does, which need not be the one that is shown.
      return .transacted(deed, undo: Transaction(undoing: id, madeIn: snapshot))
    } catch {
      if error == LiveFailure(.cancelled) { return givenUp }
      return .refused(error.sentences, deed)
    }
  }

  private final class Counter: Sendable {
    let count = Mutex(0)
  }
}
