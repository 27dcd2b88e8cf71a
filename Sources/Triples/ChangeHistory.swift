/// The change sets of a store's last transactions.
///
/// With them, a reader that skipped snapshots can determine what changed.
public struct ChangeHistory: Sendable {
  private struct Entry: Sendable {
    var base: Int
    var transactionID: Int
    var changes: ChangeSet
  }

  /// The maximum number of changes. Beyond this number, the oldest transactions are dropped.
  private static let maxChanges = 20_000

  /// The number of transactions per block. An append copies at most one block if a snapshot shares
  /// the history.
  private static let blockLength = 64

  /// Full blocks, the oldest first; they are never copied.
  private var blocks: [[Entry]] = []
  /// The newest transactions, which do not fill a block yet.
  private var entries: [Entry] = []
  private var changeCount = 0
  /// The number of resets so far. Transaction numbers from before and after a reset cannot be
  /// compared.
  private var era = 0

  /// Creates an empty history.
  public init() {}

  /// The changes of the newest transaction; nil if they are unknown.
  public var newest: ChangeSet? { entries.last?.changes }

  /// Appends the transaction that led from state `base` to state `transactionID`.
  ///
  /// When `base` is not the last state of the history, earlier entries are dropped.
  ///
  /// - Complexity: O(1) amortized, even if snapshots share the history.
  public mutating func append(_ changes: ChangeSet, from base: Int, to transactionID: Int) {
    if let last = entries.last, last.transactionID != base { forgetEntries() }
    if entries.count == Self.blockLength {
      blocks.append(entries)
      entries = []
    }
    entries.append(Entry(base: base, transactionID: transactionID, changes: changes))
    changeCount += changes.changes.count + 1
    if changeCount > Self.maxChanges { forgetOldest() }
  }

  private mutating func forgetOldest() {
    var gone = 0
    while changeCount > Self.maxChanges / 2, gone < blocks.count {
      for entry in blocks[gone] { changeCount -= entry.changes.changes.count + 1 }
      gone += 1
    }
    blocks.removeFirst(gone)
    gone = 0
    while changeCount > Self.maxChanges / 2, gone < entries.count - 1 {
      changeCount -= entries[gone].changes.changes.count + 1
      gone += 1
    }
    entries.removeFirst(gone)
  }

  /// Drops all transactions, because the next state is unrelated to earlier states.
  public mutating func forgetAll() {
    forgetEntries()
    era += 1
  }

  private mutating func forgetEntries() {
    blocks = []
    entries = []
    changeCount = 0
  }

  /// Returns whether this history continues `earlier` without a reset, so that their transaction
  /// numbers can be compared.
  func continues(_ earlier: ChangeHistory) -> Bool { era == earlier.era }

  /// Returns all changes after the state `transactionID`, in order. The result is empty for the
  /// newest state, and nil when the state is too old or unknown.
  ///
  /// - Complexity: O(changes after the state).
  public func changes(since transactionID: Int) -> ChangeSet? {
    guard let last = entries.last else { return nil }
    if last.transactionID == transactionID { return ChangeSet() }
    if let first = entries.lastIndex(where: { $0.base == transactionID }) {
      return Self.all(of: [entries[first...]])
    }
    for place in blocks.indices.reversed() {
      guard let first = blocks[place].lastIndex(where: { $0.base == transactionID }) else {
        continue
      }
      return Self.all(
        of: [blocks[place][first...]] + blocks[(place + 1)...].map { $0[...] } + [entries[...]])
    }
    return nil
  }

  private static func all(of parts: [ArraySlice<Entry>]) -> ChangeSet {
    var all = ChangeSet()
    for entry in parts.joined() {
      all.changes += entry.changes.changes
      all.schemaChanged = all.schemaChanged || entry.changes.schemaChanged
    }
    return all
  }
}
