import DataSources
import LiveQueries
import Triples

/// The in-memory contents of a store: triples, recent changes, and the ids of applied mutations.
///
/// Snapshots have public transaction numbers, which only increase. ``store`` has the numbers of its
/// source, such as a file, which may be lower after a reload.
struct StoreContents: Sendable {
  /// The triples, with the transaction number of their source.
  private(set) var store: TripleStore
  /// The recent changes, numbered like the snapshots: with public transaction numbers.
  private(set) var history = ChangeHistory()
  /// The difference between a public transaction number and the source's; 0 until a reload.
  ///
  /// Without this difference, subscribers would ignore the lower numbers after a reload as
  /// outdated.
  private var shift = 0
  /// A copy of ``store`` with the public transaction number; nil if both numbers are equal.
  private var shifted: TripleStore?
  private(set) var recentMutations = RecentMutations()

  init(_ store: TripleStore) {
    self.store = store
  }

  /// The triples with the public transaction number, as snapshots show them.
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
    if recentMutations.contains(query.id, at: time) { return false }
    do throws(TransactionError) {
      try transact(query.transaction, at: time)
    } catch {
      throw DataSourceError(error)
    }
    recentMutations.insert(query, at: time)
    return true
  }

  /// Applies a transaction that has no mutation id, so that a repetition is not recognized.
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

  /// Replaces the triples with reloaded triples under a higher public transaction number, and
  /// clears the history.
  mutating func reload(_ other: TripleStore) {
    shift = max(shift, shown.transactionID + 1 - other.transactionID)
    store = other
    updateShown()
    history.forgetAll()
  }

  /// Returns a copy of the contents with reloaded triples.
  func reloaded(_ other: TripleStore) -> StoreContents {
    var contents = self
    contents.reload(other)
    return contents
  }

  /// Replaces the triples under the next transaction number, and clears the history.
  mutating func replace(with other: TripleStore) {
    let last = store.transactionID
    store = other
    store.transactionID = last + 1
    history.forgetAll()
  }
}
