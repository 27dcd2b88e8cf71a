import LiveQueries
import Triples

extension Workspace {
  /// Queries the server for the effects of a deletion, before the user is asked for confirmation.
  mutating func report(_ impactQuery: DeletionImpactQuery) -> [Effect] {
    store.sideQueries.impactQuery = impactQuery
    notice = .checkingDeletion
    return finishImpactQuery()
  }

  /// Shows the preview of a deletion once the server has answered, or if it cannot be reached.
  mutating func finishImpactQuery() -> [Effect] {
    guard let impactQuery = store.sideQueries.impactQuery, !impactQuery.isAnswered else {
      return []
    }
    // A snapshot from before the server's answer is not sufficient.
    let snapshot = store.sideQueries.snapshot(for: impactQuery.query).flatMap { snapshot in
      snapshot.freshness.isOfServer ? snapshot : nil
    }
    let isRefused = store.sideQueries.failure(of: impactQuery.query) != nil
    guard snapshot != nil || isRefused else { return [] }
    guard prompt == nil, keyPlace == impactQuery.place else {
      store.sideQueries.impactQuery = nil
      return notify(.deletionAbandoned)
    }
    store.sideQueries.impactQuery?.isAnswered = true
    var preview = impactQuery.preview
    if let snapshot {
      (preview.catalog, preview.cascadingStore) = (Catalog(snapshot: snapshot), nil)
    }
    return prepare(.deletion(preview))
  }

  /// Cancels a requested preview, because the user pressed another key.
  mutating func cancelDeletionPreview() {
    if store.sideQueries.impactQuery?.isAnswered == false { store.sideQueries.impactQuery = nil }
  }

  /// Ends the queries of deletions that were submitted or canceled.
  mutating func endImpactQuery() {
    if !changes.isSending { store.sideQueries.undoQueries = [] }
    if !changes.state.isStaging, !changes.isSending { store.sideQueries.stagedImpactQueries = [] }
    guard let impactQuery = store.sideQueries.impactQuery, impactQuery.isAnswered,
      tab.overlays.isEmpty,
      !requests.isPending(.backgroundWork), !changes.isSending
    else { return }
    if !changes.state.deletions.isDisjoint(with: impactQuery.preview.entities) {
      store.sideQueries.stagedImpactQueries.append(impactQuery)
    }
    store.sideQueries.impactQuery = nil
  }
}
