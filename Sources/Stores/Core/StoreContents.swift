import DataSources
import LiveQueries
import Triples

/// The in-memory contents of a store: triples, recent changes and their ids.
struct StoreContents: Sendable {
  /// The triples, with the transaction numbers of their source.
  private(set) var store: TripleStore
  /// The recent changes, with the public transaction numbers.
  private(set) var history = ChangeHistory()
  /// The offset from the source's transaction numbers to the public ones. It keeps public numbers
  /// increasing after a reload, because subscribers would ignore lower ones as outdated.
  private var shift = 0
  /// The store with public transaction numbers; nil if ``store`` already has them.
  private var shifted: TripleStore?
  private(set) var made = RecentMutations()

  init(_ store: TripleStore) {
    self.store = store
  }

  /// The triples with public transaction numbers, which never decrease.
  var shown: TripleStore { shifted ?? store }

  private mutating func updateShown() {
    guard shift > 0 else { return }
    shifted = store
    shifted?.transactionID = store.transactionID + shift
  }

  /// Applies a transaction unless it was applied before.
  ///
  /// - Returns: Whether this call applied the transaction.
  mutating func transact(
    _ query: TransactionQuery, at time: Int64
  ) throws(DataSourceError) -> Bool {
    if made.contains(query.id, at: time) { return false }
    do throws(TransactionError) {
      try transact(query.transaction, at: time)
    } catch {
      throw DataSourceError(error)
    }
    made.insert(query, at: time)
    return true
  }

  /// Applies a transaction without a mutation id.
  mutating func transact(_ transaction: Transaction, at time: Int64) throws(TransactionError) {
    let base = store.transactionID
    let changes = try store.transact(transaction, at: time)
    history.append(changes, from: base + shift, to: store.transactionID + shift)
    updateShown()
  }

  /// Applies a transaction of another process.
  mutating func apply(_ record: ChangeRecord) {
    let base = store.transactionID
    let changes = store.apply(record)
    history.append(changes, from: base + shift, to: store.transactionID + shift)
    updateShown()
  }

  /// Replaces the triples with reloaded ones. Watchers see the result as a later state.
  mutating func reload(_ other: TripleStore) {
    shift = max(shift, shown.transactionID + 1 - other.transactionID)
    store = other
    updateShown()
    history.forgetAll()
  }

  /// Returns the contents with the triples replaced by reloaded ones.
  func reloaded(_ other: TripleStore) -> StoreContents {
    var contents = self
    contents.reload(other)
    return contents
  }

  /// Replaces the triples with a later state of the store.
  mutating func replace(with other: TripleStore) {
    let last = store.transactionID
    store = other
    store.transactionID = last + 1
    history.forgetAll()
  }
}
