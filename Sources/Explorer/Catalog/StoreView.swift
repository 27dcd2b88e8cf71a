import InstaQL
import LiveQueries
import Triples

/// What the screen knows of its store: its names and permissions, its contents, its connection, and
/// its changes since it was opened.
struct StoreView: Sendable, Equatable {
  let identity: StoreListing
  /// A label before the name in the header, to tell similar stores apart; nil for none.
  var label: String?
  let rules: ChangeRules
  /// The contents of the store; nil before its first snapshot.
  private(set) var catalog: Catalog?
  var log = ChangeLog()
  var sideQueries = SideQueries()
  /// The reason why the store can no longer be read; nil if it can.
  var failure: String?
  /// The reconnect status of the store's server; nil if the server is online.
  var absence: ReconnectStatus?
  /// The loading progress; nil if the store is loaded or does not report any.
  private var progress: LoadingProgressView?
  /// Whether the workspace has no store yet, because the user is choosing one.
  var isMissing = false

  init(_ identity: StoreListing, label: String?, _ rules: ChangeRules) {
    self.identity = identity
    self.label = label
    self.rules = rules
  }

  /// Replaces the contents. An earlier failure no longer applies, and neither does the progress of
  /// loading, unless these are only the first rows.
  mutating func update(_ snapshot: StoreSnapshot) {
    catalog = Catalog(snapshot: snapshot, counts: sideQueries.counts)
    failure = nil
    if !isLoadingRest { progress = nil }
  }

  /// Removes the first rows of a store that is still loading, because they cannot be shown.
  mutating func dropBeginning() {
    if isLoadingRest { catalog = nil }
  }

  /// Records the answer to a side query.
  ///
  /// - Returns: The query that it answers; nil if the token belongs to none of the side queries.
  mutating func recordResult(_ result: LiveResult, for token: WatchToken) -> QueryPlan? {
    guard let plan = sideQueries.recordResult(result, for: token) else { return nil }
    if plan.isCount { catalog?.counts = sideQueries.counts }
    return plan
  }

  /// Shows the progress of loading the store; nil if it is unknown.
  mutating func showProgress(_ progress: LoadingProgress?) {
    guard catalog == nil || isLoadingRest else { return }
    if self.progress == nil {
      self.progress = LoadingProgressView(progress)
    } else {
      self.progress?.showProgress(progress)
    }
  }

  /// The loading progress, shown in place of rows. Nil if rows are there, or no progress is reported.
  var loading: LoadingProgressView? { catalog == nil ? progress : nil }

  /// Whether only the first rows of the store are loaded.
  var isLoadingRest: Bool { catalog?.snapshot.freshness == .loading }

  /// The state of loading for the header, such as `… loading 34%`.
  var loadingText: String { progress?.percent.map { "… loading \($0)%" } ?? "… loading" }

  /// Whether the store contains only the results of queries.
  var isPartial: Bool { catalog?.isServed == true }

  /// The reason why the store is read-only, with advice; nil if the store is writable.
  var readOnlyReason: String? {
    lastingReadOnlyReason ?? (isLoadingRest ? Notice.loading.text : nil)
  }

  private var lastingReadOnlyReason: String? {
    catalog?.snapshot.readOnlyReason ?? rules.readOnlyReason
  }

  /// Whether the store will be writable once all its rows are loaded.
  var isReadOnlyWhileLoading: Bool { isLoadingRest && lastingReadOnlyReason == nil }

  /// How changes of other programs are detected; nil if the store reports them.
  var changeDetection: String? { catalog?.snapshot.changeDetection ?? rules.changeDetection }

  // MARK: Time

  mutating func tick(_ now: ContinuousClock.Instant) {
    progress?.tick(now)
    absence?.tick(now)
  }

  var isTimed: Bool { loading != nil || absence?.isTimed == true }

  // MARK: Connection

  /// Whether the server is unreachable, so that the effects of a deletion are only partly known.
  var isServerSilent: Bool {
    guard let snapshot = catalog?.snapshot, let served = snapshot.served, !served.canGiveAll else {
      return false
    }
    return !snapshot.freshness.isOfServer
  }

  /// Whether a server is offline or rejected the session, and can be reconnected immediately.
  var isAway: Bool {
    if case .offline? = catalog?.snapshot.freshness { return absence != nil }
    return isRejected
  }

  /// Whether a server rejected the session, for example because of a wrong token.
  var isRejected: Bool {
    guard let snapshot = catalog?.snapshot, case .stale = snapshot.freshness else { return false }
    // Only servers report their changes and answer queries.
    return snapshot.served != nil && changeDetection == nil
  }

  /// Returns the freshness of an answer. It equals the freshness of the store, unless the server
  /// failed to update the answer.
  func freshness(of answer: StoreSnapshot.Freshness?) -> StoreSnapshot.Freshness? {
    let ofStore = catalog?.snapshot.freshness
    switch (ofStore, answer) {
    case (.live?, .stale(let reason)?), (.optimistic?, .stale(let reason)?):
      return .stale(reason: reason)
    default: return ofStore
    }
  }

  /// Returns why shown data may be out of date; nil if the data is current or its freshness is
  /// unknown.
  func staleness(of answer: StoreSnapshot.Freshness?) -> Staleness? {
    if let failure { return Staleness(reason: failure) }
    if let blocker, let blockedOutlook {
      return Staleness(reason: blocker, outlook: blockedOutlook)
    }
    if rules.isSnapshot { return nil }
    switch freshness(of: answer) {
    case .stale(let reason)?: return Staleness(reason: reason)
    case .offline(_, _, let reason)?:
      return Staleness(reason: reason, outlook: absence.map { Notice($0.outlook) })
    case .live?, .loading?, .archived?, .optimistic?, .connecting?, nil: return nil
    }
  }

  // MARK: Blocked changes

  /// The reason why the store cannot make changes, as the start of a sentence; nil if it can.
  private var blocker: String? { catalog?.snapshot.pending.blocker }

  var blockedCount: Int { catalog?.snapshot.pending.changes.count { $0.state == .blocked } ?? 0 }

  /// The notice about blocked changes, with a hint at the key that cancels them; nil if no changes
  /// are blocked.
  var blockedOutlook: Notice? {
    blocker != nil && blockedCount > 0 ? .blocked(changes: blockedCount) : nil
  }

  /// The newest change that an earlier session made and that still waits for an unreachable server.
  var carriedOver: (newest: MutationID, count: Int)? {
    guard isServerSilent, let pending = catalog?.snapshot.pending, let newest = pending.left else {
      return nil
    }
    return (newest, pending.count)
  }
}

/// Why shown data may be out of date.
struct Staleness: Sendable, Equatable {
  let reason: String
  /// The notice that says what the program does about it; nil if it does nothing.
  var outlook: Notice?

  var notice: Notice { .stale(reason, outlook) }
}
