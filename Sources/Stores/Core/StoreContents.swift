import DataSources
import LiveQueries
import Triples

/// What a store in this process keeps: its triples, what changed lately, and which changes it was
/// already given.
struct StoreContents: Sendable {
  /// With the numbers of transactions that stand where it was read.
  private(set) var store: TripleStore
  /// With the numbers that are shown.
  private(set) var history = ChangeHistory()
  /// The offset added to transaction numbers after the contents were replaced by a store with lower ones:
  /// watchers would take a lower number for an earlier state.
  private var shift = 0
  /// The store under the number that is shown; nil when that is its own.
  private var shifted: TripleStore?
  private(set) var made = RecentMutations()

  init(_ store: TripleStore) {
    self.store = store
  }

  /// The store as it is shown: its numbers only ever go up.
  var shown: TripleStore { shifted ?? store }

  private mutating func noteNumber() {
    guard shift > 0 else { return }
    shifted = store
    shifted?.transactionID = store.transactionID + shift
  }

  /// Carries out a transaction, or does nothing when this very one was carried out before.
  ///
  /// - Returns: Whether anything was done.
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

  /// Applies a transaction that has no mutation id.
  mutating func transact(_ transaction: Transaction, at time: Int64) throws(TransactionError) {
    let base = store.transactionID
    let changes = try store.transact(transaction, at: time)
    history.append(changes, from: base + shift, to: store.transactionID + shift)
    noteNumber()
  }

  /// Repeats a transaction that was carried out elsewhere.
  mutating func apply(_ record: ChangeRecord) {
    let base = store.transactionID
    let changes = store.apply(record)
    history.append(changes, from: base + shift, to: store.transactionID + shift)
    noteNumber()
  }

  /// Replaces the store by a reread one, which has the number of its own last transaction. Watchers see
  /// it as a later state.
  mutating func reload(_ other: TripleStore) {
    shift = max(shift, shown.transactionID + 1 - other.transactionID)
    store = other
    noteNumber()
    history.forgetAll()
  }

  /// The same with another store, as it was read from elsewhere.
  func reloaded(_ other: TripleStore) -> StoreContents {
    var contents = self
    contents.reload(other)
    return contents
  }

  /// Takes another store in the place of this one, as a state that comes after it.
  mutating func replace(with other: TripleStore) {
    let last = store.transactionID
    store = other
    store.transactionID = last + 1
    history.forgetAll()
  }
}
