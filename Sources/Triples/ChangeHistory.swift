/// The change sets of a store's last transactions, so that a reader who skipped some snapshots can
/// still tell what changed since the one it knows.
public struct ChangeHistory: Sendable {
  private struct Entry: Sendable {
    var base: Int
    var transactionID: Int
    var changes: ChangeSet
  }

  /// Beyond this many changes the oldest transactions are forgotten.
  private static let mostChanges = 20_000

  /// So many of the newest transactions are copied, at most, when one is entered while a snapshot
  /// holds the history as it was.
  private static let blockLength = 64

  /// Full blocks, the oldest first: no snapshot's history makes a copy of what is in them.
  private var blocks: [[Entry]] = []
  /// The newest.
  private var entries: [Entry] = []
  private var changeCount = 0
  /// How often all was forgotten: numbers of transactions from before say nothing about those since.
  private var era = 0

  /// A history that knows nothing.
  public init() {}

  /// What the newest transaction changed; nil when none is known.
  public var newest: ChangeSet? { entries.last?.changes }

  /// Enters the transaction that led from state `base` to state `transactionID`.
  ///
  /// When `base` is not where the history ends, what was known before is forgotten.
  ///
  /// - Complexity: O(1) on average, whoever holds the history as it was before.
  public mutating func append(_ changes: ChangeSet, from base: Int, to transactionID: Int) {
    if let last = entries.last, last.transactionID != base { forgetEntries() }
    if entries.count == Self.blockLength {
      blocks.append(entries)
      entries = []
    }
    entries.append(Entry(base: base, transactionID: transactionID, changes: changes))
    changeCount += changes.changes.count + 1
    if changeCount > Self.mostChanges { forgetOldest() }
  }

  private mutating func forgetOldest() {
    var gone = 0
    while changeCount > Self.mostChanges / 2, gone < blocks.count {
      for entry in blocks[gone] { changeCount -= entry.changes.changes.count + 1 }
      gone += 1
    }
    blocks.removeFirst(gone)
    gone = 0
    while changeCount > Self.mostChanges / 2, gone < entries.count - 1 {
      changeCount -= entries[gone].changes.changes.count + 1
      gone += 1
    }
    entries.removeFirst(gone)
  }

  /// Forgets all: the next state has nothing to do with those before.
  public mutating func forgetAll() {
    forgetEntries()
    era += 1
  }

  private mutating func forgetEntries() {
    blocks = []
    entries = []
    changeCount = 0
  }

  /// Whether this history may say what changed since a state of which another one is the history.
  func continues(_ earlier: ChangeHistory) -> Bool { era == earlier.era }

  /// All that changed after the state `transactionID`, in order; nil when that is too long ago or
  /// was never known. Nothing changed since the newest state.
  ///
  /// - Complexity: O(changes since then).
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
