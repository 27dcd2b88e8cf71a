import InstaQL
import Synchronization

/// Rows of sorted results whose positions in the result are known.
///
/// Keyset pagination from such a row reads later rows without skipping all earlier rows. The
/// anchors are valid until the database changes.
final class PageAnchors: Sendable {
  private let anchors = Mutex<[QueryPlan: [SQLAnchor]]>([:])
  private static let maxPlans = 64
  private static let maxAnchors = 512

  /// Returns the last anchor before a position in the result; nil if there is none.
  func nearest(before place: Int, of orderPlan: QueryPlan) -> SQLAnchor? {
    anchors.withLock { anchors in
      anchors[orderPlan]?.filter { $0.position < place }.max { $0.position < $1.position }
    }
  }

  func remember(_ anchor: SQLAnchor, of orderPlan: QueryPlan) {
    anchors.withLock { anchors in
      if anchors[orderPlan] == nil, anchors.count >= Self.maxPlans { anchors = [:] }
      var known = anchors[orderPlan] ?? []
      if known.contains(where: { $0.position == anchor.position }) { return }
      if known.count >= Self.maxAnchors { known.removeFirst() }
      known.append(anchor)
      anchors[orderPlan] = known
    }
  }
}
