import InstaQL
import LiveQueries
import Triples

extension Workspace {
  /// Queries the server for the effects of a deletion, before the user is asked for confirmation.
  mutating func report(_ impactQuery: DeletionImpactQuery) -> [Effect] {
    sideQueries.impactQuery = impactQuery
    notice = .checkingDeletion
    return finishImpactQuery()
  }

  /// Shows the preview of a deletion once the server has answered, or if it cannot be reached.
  mutating func finishImpactQuery() -> [Effect] {
    guard let impactQuery = sideQueries.impactQuery, !impactQuery.isAnswered else { return [] }
    // A snapshot from before the server's answer is not sufficient.
    let snapshot = sideQueries.snapshot(for: impactQuery.question).flatMap { snapshot in
      snapshot.freshness.isOfServer ? snapshot : nil
    }
    let isRefused = sideQueries.failure(of: impactQuery.question) != nil
    guard snapshot != nil || isRefused else { return [] }
    guard prompt == nil, keyPlace == impactQuery.place else {
      sideQueries.impactQuery = nil
      notice = .deletionAbandoned
      return []
    }
    sideQueries.impactQuery?.isAnswered = true
    return prepare(
      impactQuery.order(in: snapshot.map { Catalog(snapshot: $0) }))
  }

  /// Cancels a requested preview, because the user pressed another key.
  mutating func cancelDeletionPreview() {
    if sideQueries.impactQuery?.isAnswered == false { sideQueries.impactQuery = nil }
  }

  /// Ends the queries of deletions that were submitted or canceled.
  mutating func endImpactQuery() {
    if !isSending { sideQueries.kept = [] }
    if !changes.isStaging, !isSending { sideQueries.stagedImpactQueries = [] }
    guard let impactQuery = sideQueries.impactQuery, impactQuery.isAnswered, tab.overlays.isEmpty,
      !requests.isPending(.preparation), !isSending
    else { return }
    if impactQuery.entities.contains(where: changes.deletes) {
      sideQueries.stagedImpactQueries.append(impactQuery)
    }
    sideQueries.impactQuery = nil
  }
}
