import LiveQueries
import Triples

/// The changes of the store since it was opened, newest last.
struct ChangeLog: Sendable, Equatable {
  private(set) var entries: [ChangeEntry] = []
  /// The number of transactions whose changes could not be determined.
  private(set) var missed = 0
  /// The number of entries that were dropped to make room for newer ones.
  private(set) var dropped = 0

  /// The number of changes that were not logged, because they were beyond the limit of entries for
  /// their snapshot.
  private(set) var leftOut = 0
  /// The number of background comparisons that have not finished.
  private var comparisons = 0

  /// Whether a background comparison may still add entries.
  var isComparing: Bool { comparisons > 0 }

  /// The number of all changes so far, including those without an entry.
  var written: Int { entries.count + dropped + leftOut }

  static let maxEntries = 5_000

  /// Logs the changes from `before` to `after`, if the store reported them.
  ///
  /// - Returns: A comparison to run in the background if the store reported no changes; otherwise
  ///   nil.
  mutating func add(from before: StoreSnapshot, to after: StoreSnapshot) -> StoreDiff? {
    guard before.transactionID != after.transactionID else { return nil }
    guard let changes = after.changes(since: before) else {
      let comparison = StoreDiff(from: before, to: after)
      if comparison == nil { missed += 1 } else { comparisons += 1 }
      return comparison
    }
    let builder = ChangeEntryBuilder(from: before, to: after, transaction: after.knownTransaction)
    let added = builder.entries(of: changes)
    add(
      added,
      of: added.count == ChangeEntryBuilder.maxCount ? builder.count(of: changes) : added.count)
    return nil
  }

  mutating func add(_ difference: StoreDiffResult) {
    comparisons = max(0, comparisons - 1)
    add(difference.entries, of: difference.count)
  }

  /// Logs the differences between two answers of a store that reports no changes itself.
  ///
  /// Rows that only moved are not logged.
  mutating func add(from before: LiveAnswer, to after: LiveAnswer) {
    let found = AnswerDiff.entries(from: before, to: after)?.filter { $0.kind != .moved }
    guard let found else { return }
    add(Array(found.prefix(ChangeEntryBuilder.maxCount)), of: found.count)
  }

  /// Adds entries to the log.
  ///
  /// - Parameter count: The number of changes; `added` may contain only the first of them.
  private mutating func add(_ added: [ChangeEntry], of count: Int) {
    entries += added
    leftOut += count - added.count
    let surplus = entries.count - Self.maxEntries
    if surplus > 0 {
      entries.removeFirst(surplus)
      dropped += surplus
    }
  }
}
