import LiveQueries
import Triples

// Changes that the store does not take yet, since another program keeps it from that.
extension Model {
  /// Something keeps changes from being made, or does not any more.
  mutating func take(obstruction: String?) {
    let before = staleness
    store.obstruction = obstruction
    if obstruction != nil { heldUpSince = shownTransaction }
    // Whose rows the store has taken by now are shown until its own word of them is there.
    if !underWay.entities.isEmpty { showUnsent() }
    if (before != nil) != isStale { keepInView() }
    if preferences.isLinear, before == nil, let staleness {
      notice = staleness
    }
  }

  /// The changes that are shown on top of what the store says: those that wait for it, and those that are
  /// kept back.
  var onTop: Unsent? {
    guard heldUpSince != nil, !underWay.transactions.isEmpty else { return unsent }
    var all = Unsent()
    for transaction in underWay.transactions { all.add(transaction, "") }
    if let unsent { all.add(unsent) }
    return all
  }

  /// How many changes wait for the store, and are shown.
  var heldUp: Int { heldUpSince == nil ? 0 : underWay.transactions.count }

  /// What waits for the store, and what gives it up; nil while nothing does.
  var obstructionOutlook: Notice? {
    let count = underWay.transactions.count
    return store.obstruction != nil && count > 0 ? .blocked(changes: count) : nil
  }

  /// It is known what became of a change that waited: what was made is still shown on top until the
  /// store's own word of it is there, so that the old value is not seen between the two.
  mutating func endHoldUp(_ ending: ChangeEnding) {
    guard let heldUpSince else { return }
    if ending == .made, heldUpSince == shownTransaction, tab.results.table != nil { return }
    if underWay.transactions.isEmpty { self.heldUpSince = nil }
    showUnsent()
  }

  /// What became of a change.
  enum ChangeEnding { case made, refused, seen }

  private var shownTransaction: Int { tab.results.shown?.snapshot.transactionID ?? 0 }

  /// Gives up the changes that wait; nil where none do.
  mutating func giveUpHeldUp() -> [Effect]? {
    guard store.obstruction != nil, !underWay.transactions.isEmpty else { return nil }
    notice = .cancelingChanges
    return [.giveUpChanges]
  }
}
